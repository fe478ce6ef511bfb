package cluster

import (
	"math"
	"math/rand/v2"
	"slices"

	"nightjar/model/internal/parallel"
	"nightjar/model/internal/weighted"
)

const (
	mostStarts = 100 // maximum number of k-means++ starts; the best result is taken
	enough     = 10  // the search ends when this many starts have led to the same best result; as many are made at a time
	maxLloyd   = 300 // iterations; it nearly always stops by itself after a few dozen
)

// Clustering is a partition of R points into K clusters, numbered by size, the largest first.
type Clustering struct {
	Assign    []int       // cluster of each point, in [0, K); len R
	Centroids [][]float64 // mean of each cluster, len K
	SSE       float64     // sum of the squared distances of the points to their centroids
	BIC       float64     // of the whole, natural log; +Inf when the SSE is 0 although R > K, -Inf when R ≤ K
}

// KMeans partitions the points into k clusters. It makes up to a hundred k-means++ starts (Arthur & Vassilvitskii, SODA
// 2007), improves each by Lloyd's iteration and then by exchanging single points, and returns the one with the smallest
// SSE. It stops early when ten starts have led to the same best result. With more than a thousand points a start takes
// longer and matters less, so that it makes fewer, down to ten.
//
// k is at least 1, and is lowered to the number of different points. The points must have the same length. Without points
// the result is empty. The same rng state gives the same result, on any number of cores.
func KMeans(points [][]float64, k int, rng *rand.Rand) Clustering {
	if len(points) == 0 {
		return Clustering{}
	}
	k = max(1, min(k, distinct(points, k)))
	best, times := Clustering{SSE: math.Inf(1)}, 0
	for left := starts(len(points), k); left > 0 && best.SSE > 0 && times < enough; left -= enough {
		for _, c := range together(points, k, min(left, enough), rng) {
			switch {
			case c.SSE < best.SSE*(1-1e-9):
				best, times = c, 1
			case c.SSE <= best.SSE*(1+1e-9):
				times++
			}
		}
	}
	return best
}

// starts is the largest number of starts.
func starts(points, k int) int {
	if k == 1 {
		return 1
	}
	return max(enough, min(mostStarts, mostStarts*1000/points))
}

// together makes several starts in parallel, each improved by Lloyd's iteration and then by exchange. Only their seeds are drawn one after the other.
func together(points [][]float64, k, count int, rng *rand.Rand) []Clustering {
	found, from := make([]Clustering, count), make([][][]float64, count)
	for i := range from {
		from[i] = seeds(points, k, rng)
	}
	parallel.Each(count, func(i int) {
		k := len(from[i])
		c := lloyd(points, from[i])
		c.exchange()
		found[i] = finish(points, c.assign, k)
	})
	return found
}

// seeds chooses k different points, each with a probability that grows with the squared distance to those chosen.
func seeds(points [][]float64, k int, rng *rand.Rand) [][]float64 {
	chosen := [][]float64{points[rng.IntN(len(points))]}
	distance := slices.Repeat([]float64{math.Inf(1)}, len(points))
	for len(chosen) < k {
		for i, p := range points {
			distance[i] = min(distance[i], squared(p, chosen[len(chosen)-1]))
		}
		next := weighted.Draw(distance, rng)
		if next < 0 { // fewer different points than k, up to squares that underflow
			break
		}
		chosen = append(chosen, points[next])
	}
	return chosen
}

type partition struct {
	points, centroids [][]float64
	assign            []int // of each point, -1 before the first look
}

// lloyd moves the centroids to the means of the points nearest to them until no point changes its cluster. A cluster
// that loses all points takes the point farthest from its own centroid.
func lloyd(points, centroids [][]float64) *partition {
	c := &partition{points, make([][]float64, len(centroids)), slices.Repeat([]int{-1}, len(points))}
	for i, m := range centroids { // they are the caller's
		c.centroids[i] = slices.Clone(m)
	}
	for range maxLloyd {
		if !c.reassign() {
			break
		}
		c.centroids = means(points, c.assign, len(centroids))
	}
	return c
}

// reassign gives each point to its nearest centroid, the first of equally near ones, and each empty cluster the point farthest
// from its centroid among clusters that have others. It reports whether a nearest centroid changed.
func (c *partition) reassign() (changed bool) {
	distance := make([]float64, len(c.points))
	for i, p := range c.points {
		was := c.assign[i]
		c.assign[i], distance[i] = nearest(p, c.centroids)
		changed = changed || c.assign[i] != was
	}
	if !changed {
		return false
	}
	sizes := count(c.assign, len(c.centroids))
	for empty, n := range sizes {
		if n > 0 {
			continue
		}
		far := -1
		for i, d := range distance {
			if sizes[c.assign[i]] > 1 && (far < 0 || d > distance[far]) {
				far = i
			}
		}
		if far < 0 {
			break
		}
		sizes[c.assign[far]]--
		c.assign[far], distance[far], sizes[empty] = empty, 0, 1
	}
	return true
}

// exchange moves single points to other clusters as long as that lowers the SSE. Moving a point at distance d_a
// from the mean of its cluster of n_a to one of n_b at distance d_b changes the SSE by
//
//	n_b/(n_b+1) d_b² - n_a/(n_a-1) d_a²                 (Hartigan & Wong, Applied Statistics 28, 1979)
//
// so that it still finds moves where Lloyd's iteration, which leaves out the factors, has come to rest.
func (c *partition) exchange() {
	sizes := count(c.assign, len(c.centroids))
	for range maxLloyd {
		moved := false
		for i, p := range c.points {
			from := c.assign[i]
			if sizes[from] < 2 {
				continue
			}
			to := c.better(i, sizes)
			if to == from {
				continue
			}
			moved = true
			shift(c.centroids[from], p, -1, sizes[from])
			shift(c.centroids[to], p, 1, sizes[to])
			sizes[from]--
			sizes[to]++
			c.assign[i] = to
		}
		if !moved {
			break
		}
	}
}

// better gives the cluster that lowers the SSE most when point i is moved there, or its own when none does.
func (c *partition) better(i int, sizes []int) int {
	p, from := c.points[i], c.assign[i]
	n := float64(sizes[from])
	to, cost := from, n/(n-1)*squared(p, c.centroids[from])*(1-1e-9) // a gain of rounding error is none
	for k, m := range c.centroids {
		n := float64(sizes[k])
		if d := n / (n + 1) * squared(p, m); k != from && d < cost {
			to, cost = k, d
		}
	}
	return to
}

// shift changes the mean of n points to what it is with p added (sign 1) or taken out (sign -1).
func shift(mean, p []float64, sign, n int) {
	for d, x := range p {
		mean[d] += float64(sign) * (x - mean[d]) / float64(n+sign)
	}
}

// finish numbers the clusters by size, ties by their first point, leaves out empty ones, and computes the fields of the
// Clustering.
func finish(points [][]float64, assign []int, k int) Clustering {
	assign, k = bySize(assign, k)
	c := Clustering{Assign: assign, Centroids: means(points, assign, k)}
	for i, p := range points {
		c.SSE += squared(p, c.Centroids[assign[i]])
	}
	c.SSE = clean(c.SSE, points)
	c.BIC = bic(count(assign, k), c.SSE, len(points[0]))
	return c
}
