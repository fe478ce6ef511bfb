package cluster

import (
	"math"
	"slices"
)

// bounded is a partition of points, with bounds on their distances to the centroids: a point that is surely nearer to its
// own centroid than to any other needs not be compared with them again (Hamerly, SIAM International Conference on Data
// Mining, 2010). The partition is that which comparing all would give.
type bounded struct {
	points    [][]float64
	centroids [][]float64
	assign    []int     // -1 before the first look
	own       []float64 // at least the distance of each point to its centroid, less what that moved since the point was noted
	others    []float64 // at most the distance to any other centroid, and what any may have come nearer since
	moved     []float64 // by centroid: the sum of its moves
	farthest  float64   // at least what any centroid has moved: the sum of the largest moves
}

func newBounded(points, centroids [][]float64) *bounded {
	own := make([][]float64, len(centroids)) // the others are the caller's
	for c, m := range centroids {
		own[c] = slices.Clone(m)
	}
	return &bounded{
		points: points, centroids: own, assign: slices.Repeat([]int{-1}, len(points)),
		own: make([]float64, len(points)), others: make([]float64, len(points)), moved: make([]float64, len(centroids)),
	}
}

// note takes the squared distances of point i to its own and to the nearest other centroid.
func (b *bounded) note(i int, own, second float64) {
	b.own[i] = math.Sqrt(own) - b.moved[b.assign[i]]
	b.others[i] = math.Sqrt(second) + b.farthest
}

// forget drops the bounds of point i, whose cluster was changed.
func (b *bounded) forget(i int) { b.own[i], b.others[i] = math.Inf(1), 0 }

// drift tells that a centroid moves by at most so much.
func (b *bounded) drift(c int, distance float64) {
	b.moved[c] += distance
	b.farthest += distance
}

// surely says whether the squared distance of point i to its centroid, times the factor, is less than that to any other
// centroid, by the bounds. They hold up to rounding errors, which are much smaller than the margin.
func (b *bounded) surely(i int, factor float64) bool {
	const relative, absolute = 1e-9, 1e-12 // the latter as a share of all moves, to which the errors of sums of moves are small
	own, others := b.own[i]+b.moved[b.assign[i]]+absolute*b.farthest, b.others[i]-(1+absolute)*b.farthest
	return others > 0 && own*own*factor < others*others*(1-relative)
}

// reassign gives each point to its nearest centroid, the first of equally near ones. It says which clusters changed, nil
// for none.
func (b *bounded) reassign() (touched []bool) {
	for i, p := range b.points {
		was := b.assign[i]
		if was >= 0 && b.surely(i, 1) {
			continue
		}
		at, distance, second := nearest(p, b.centroids)
		b.assign[i] = at
		b.note(i, distance, second)
		if at == was {
			continue
		}
		if touched == nil {
			touched = make([]bool, len(b.centroids))
		}
		touched[at] = true
		if was >= 0 {
			touched[was] = true
		}
	}
	return touched
}

// refill gives each empty cluster the point farthest from its centroid among clusters that have others.
func (b *bounded) refill(touched []bool) {
	sizes := count(b.assign, len(b.centroids))
	if !slices.Contains(sizes, 0) {
		return
	}
	distance := make([]float64, len(b.points))
	for i, p := range b.points {
		distance[i] = squared(p, b.centroids[b.assign[i]])
	}
	for c, n := range sizes {
		if n > 0 {
			continue
		}
		far := -1
		for i, d := range distance {
			if sizes[b.assign[i]] > 1 && (far < 0 || d > distance[far]) {
				far = i
			}
		}
		if far < 0 {
			return
		}
		sizes[b.assign[far]]--
		touched[c], touched[b.assign[far]] = true, true
		b.assign[far], distance[far], sizes[c] = c, 0, 1
		b.forget(far)
	}
}

// recentre moves the centroids of the clusters that changed to their means.
func (b *bounded) recentre(touched []bool) {
	fresh := partialMeans(b.points, b.assign, touched)
	largest := 0.0
	for c, m := range fresh {
		if m == nil {
			continue
		}
		move := math.Sqrt(squared(m, b.centroids[c]))
		b.moved[c] += move
		largest = max(largest, move)
	}
	b.farthest += largest
	for c, m := range fresh {
		if m != nil {
			b.centroids[c] = m
		}
	}
}
