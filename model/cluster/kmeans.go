package cluster

import (
	"math"
	"math/rand/v2"
)

const (
	restarts = 10  // k-means++ starts, of which the best result is taken
	maxLloyd = 300 // iterations; it nearly always stops by itself after a few dozen
)

// Clustering is a partition of R points into K clusters, numbered by size, the largest first.
type Clustering struct {
	Assign    []int       // cluster of each point, in [0, K); len R
	Centroids [][]float64 // mean of each cluster, len K
	SSE       float64     // sum of the squared distances of the points to their centroids
	BIC       float64     // of the whole, natural log; +Inf when the SSE is 0 although R > K, -Inf when R ≤ K
}

// KMeans partitions the points into k clusters by Lloyd's iteration, the best of ten k-means++ starts (Arthur &
// Vassilvitskii, SODA 2007). k is at least 1 and at most the number of different points, to which it is lowered. The
// points must have the same length. Without points the result is empty. The same rng state gives the same result.
func KMeans(points [][]float64, k int, rng *rand.Rand) Clustering {
	return kmeans(points, max(1, min(k, distinct(points, k))), rng)
}

// kmeans is KMeans for a k in [1, number of different points].
func kmeans(points [][]float64, k int, rng *rand.Rand) Clustering {
	if len(points) == 0 {
		return Clustering{}
	}
	best := Clustering{SSE: math.Inf(1)}
	for range restarts {
		if c := lloyd(points, seeds(points, k, rng)); c.SSE < best.SSE {
			best = c
		}
		if k == 1 || best.SSE == 0 {
			break
		}
	}
	return best
}

// seeds chooses k different points, each with a probability that grows with the squared distance to those chosen.
func seeds(points [][]float64, k int, rng *rand.Rand) [][]float64 {
	chosen := [][]float64{points[rng.IntN(len(points))]}
	distance := make([]float64, len(points))
	for i := range distance {
		distance[i] = math.Inf(1)
	}
	for len(chosen) < k {
		sum := 0.0
		for i, p := range points {
			distance[i] = min(distance[i], squared(p, chosen[len(chosen)-1]))
			sum += distance[i]
		}
		left, next := rng.Float64()*sum, -1
		for i, d := range distance {
			if d == 0 {
				continue
			}
			next = i
			if left -= d; left < 0 {
				break
			}
		}
		if next < 0 { // fewer different points than k, up to squares that underflow
			break
		}
		chosen = append(chosen, points[next])
	}
	return chosen
}

// lloyd moves the centroids to the means of the points nearest to them until no point changes its cluster. A cluster
// that loses all points takes the point farthest from its own centroid.
func lloyd(points, centroids [][]float64) Clustering {
	k := len(centroids)
	assign := make([]int, len(points))
	distance := make([]float64, len(points))
	for i := range assign {
		assign[i] = -1
	}
	for range maxLloyd {
		changed := false
		for i, p := range points {
			c, d := nearest(p, centroids)
			changed = changed || c != assign[i]
			assign[i], distance[i] = c, d
		}
		if !changed {
			break
		}
		refill(assign, distance, k)
		centroids = means(points, assign, k)
	}
	return finish(points, assign, k)
}

// refill gives each empty cluster the point farthest from its centroid among clusters that have others.
func refill(assign []int, distance []float64, k int) {
	sizes := count(assign, k)
	for c, n := range sizes {
		if n > 0 {
			continue
		}
		far := -1
		for i, d := range distance {
			if sizes[assign[i]] > 1 && (far < 0 || d > distance[far]) {
				far = i
			}
		}
		if far < 0 {
			return
		}
		sizes[assign[far]]--
		assign[far], distance[far], sizes[c] = c, 0, 1
	}
}

// finish numbers the clusters by size, ties by their first point, leaves out empty ones, and computes what a Clustering
// says about itself.
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
