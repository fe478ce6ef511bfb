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
		b := settle(points, from[i])
		b.exchange()
		found[i] = finish(points, b.assign, k)
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

// lloyd moves the centroids to the means of the points nearest to them until no point changes its cluster. A cluster
// that loses all points takes the point farthest from its own centroid. The result is the cluster of each point.
func lloyd(points, centroids [][]float64) []int {
	return settle(points, centroids).assign
}

// settle is lloyd; it also gives the last centroids, and bounds on the distances to them.
func settle(points, centroids [][]float64) *bounded {
	b := newBounded(points, centroids)
	for range maxLloyd {
		touched := b.reassign()
		if touched == nil {
			break
		}
		b.refill(touched)
		b.recentre(touched)
	}
	return b
}

// exchange moves single points to other clusters as long as that lowers the SSE. Moving a point at distance d_a
// from the mean of its cluster of n_a to one of n_b at distance d_b changes the SSE by
//
//	n_b/(n_b+1) d_b² - n_a/(n_a-1) d_a²                 (Hartigan & Wong, Applied Statistics 28, 1979)
//
// so that it still finds moves where Lloyd's iteration, which leaves out the factors, has come to rest.
func (b *bounded) exchange() {
	sizes := count(b.assign, len(b.centroids))
	for range maxLloyd {
		moved := false
		smallest := float64(slices.Min(sizes))
		for i, p := range b.points {
			from := b.assign[i]
			if sizes[from] < 2 {
				continue
			}
			n := float64(sizes[from])
			// The factor of another cluster is at least that of the smallest.
			if b.surely(i, n/(n-1)*(smallest+1)/smallest) {
				continue
			}
			to := b.better(i, sizes)
			if to == from {
				continue
			}
			moved = true
			b.drift(from, math.Sqrt(squared(p, b.centroids[from]))/(n-1))
			b.drift(to, math.Sqrt(squared(p, b.centroids[to]))/float64(sizes[to]+1))
			shift(b.centroids[from], p, -1, sizes[from])
			shift(b.centroids[to], p, 1, sizes[to])
			sizes[from]--
			sizes[to]++
			smallest = min(smallest, n-1)
			b.assign[i] = to
			b.forget(i)
		}
		if !moved {
			break
		}
	}
}

// better gives the cluster that lowers the SSE most when point i is moved there, or its own when none does.
func (b *bounded) better(i int, sizes []int) int {
	p, from := b.points[i], b.assign[i]
	n := float64(sizes[from])
	own := squared(p, b.centroids[from])
	saved := n / (n - 1) * own
	to, cost, second := from, saved*(1-1e-9), math.Inf(1) // a gain of rounding error is none
	for c, m := range b.centroids {
		if c == from {
			continue
		}
		n, distance := float64(sizes[c]), squared(p, m)
		second = min(second, distance)
		if d := n / (n + 1) * distance; d < cost {
			to, cost = c, d
		}
	}
	b.note(i, own, second)
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
