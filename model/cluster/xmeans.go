package cluster

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"nightjar/model/internal/parallel"
)

// strong is the natural logarithm of the Bayes factor by which more clusters must be better: 20, which Kass & Raftery
// (J. Am. Stat. Assoc. 90, 1995) call strong evidence. Without it chance would decide between numbers of clusters that
// explain a few points equally well. With hundreds of points the difference is in the hundreds.
const strong = 3

// XMeans partitions the points into low to high clusters, and finds the number itself ([XMEANS], [HMM] §2.2.2). It starts
// with low clusters. In each round it tries to split each cluster in two, keeps the splits that raise the cluster's own
// BIC, and runs k-means over all points from the centroids found. The result is the round with the best BIC of all
// points, not the last one, which overestimates the number. Where [XMEANS] takes the best BIC, a later round must here be
// better by strong evidence, ln 20.
//
// low and high are lowered to the number of different points. A cluster that holds nothing but copies of a few points, two
// or more of each, is split into these points: none of them has variance, so that the BIC is infinite. Otherwise a cluster
// is not split when it has no variance or at most two points, or when its halves have no variance.
//
// The points must have the same length. Without points the result is empty. The same rng state gives the same result.
func XMeans(points [][]float64, low, high int, rng *rand.Rand) Clustering {
	if len(points) == 0 {
		return Clustering{}
	}
	high = distinct(points, max(1, low, high))
	low = max(1, min(low, high))
	now := KMeans(points, low, rng)
	best := now
	for len(now.Centroids) < high && now.SSE > 0 {
		centroids := improve(points, now, high)
		if len(centroids) == len(now.Centroids) {
			break
		}
		now = finish(points, lloyd(points, centroids).assign, len(centroids))
		if now.BIC > best.BIC+strong {
			best = now
		}
	}
	return best
}

// split is a cluster that is better as several.
type split struct {
	cluster int
	gain    float64     // BIC of the parts less BIC of the cluster; +Inf when they are copies of a point each
	parts   [][]float64 // their centroids, two or more
}

// improve returns the centroids after one round of splits. When there are more good splits than clusters allowed, the
// splits with the largest gain are made.
func improve(points [][]float64, now Clustering, high int) [][]float64 {
	k := len(now.Centroids)
	members := make([][][]float64, k)
	for i, p := range points {
		members[now.Assign[i]] = append(members[now.Assign[i]], p)
	}
	tried := make([]split, k)
	parallel.Each(k, func(c int) { tried[c] = divide(c, members[c], high-k+1) })
	good := slices.DeleteFunc(tried, func(s split) bool { return s.gain <= 0 })
	sort.SliceStable(good, func(i, j int) bool { return good[i].gain > good[j].gain })
	centroids := append([][]float64(nil), now.Centroids...)
	for _, s := range good {
		if more := len(s.parts) - 1; len(centroids)+more <= high {
			centroids[s.cluster] = s.parts[0]
			centroids = append(centroids, s.parts[1:]...)
		}
	}
	return centroids
}

// divide splits a cluster into its different points if all are copies of at most `most` points, or else in two.
func divide(c int, own [][]float64, most int) split {
	if parts := copied(own, most); len(parts) > 1 {
		return split{c, math.Inf(1), parts}
	}
	halves, gain := bisect(own)
	return split{c, gain, halves}
}

// copied returns the different points of a cluster if there are at most `most`, each at least twice; otherwise nil.
func copied(own [][]float64, most int) [][]float64 {
	var different [][]float64
	var times []int
	for _, p := range own {
		at := slices.IndexFunc(different, func(q []float64) bool { return squared(p, q) == 0 })
		if at < 0 {
			if at = len(different); at == most {
				return nil
			}
			different, times = append(different, p), append(times, 0)
		}
		times[at]++
	}
	if slices.Min(times) < 2 {
		return nil
	}
	return different
}

// bisect splits a cluster in two and returns the gain of its own BIC; 0 when there is none. As in [XMEANS] §3.1 the two
// halves start on opposite sides of the mean, and k-means runs within the cluster. In the paper the direction is random;
// here it is the direction of most variance, so that the result does not depend on chance.
func bisect(own [][]float64) (halves [][]float64, gain float64) {
	one := finish(own, make([]int, len(own)), 1)
	if len(own) <= 2 || one.SSE == 0 {
		return nil, 0
	}
	two := finish(own, lloyd(own, children(own, one.Centroids[0])).assign, 2)
	if gain = two.BIC - one.BIC; math.IsInf(gain, 0) || len(two.Centroids) < 2 {
		return nil, 0
	}
	return two.Centroids, gain
}

// children gives two points on opposite sides of the mean of the points, one standard deviation away along the axis of
// most variance. The axis comes from the power method, which begins at the point farthest from the mean; what it leaves
// of error does not matter for a start.
func children(points [][]float64, mean []float64) [][]float64 {
	far := points[0]
	for _, p := range points {
		if squared(p, mean) > squared(far, mean) {
			far = p
		}
	}
	axis := make([]float64, len(mean))
	for d := range axis {
		axis[d] = far[d] - mean[d]
	}
	variance := 0.0
	for range 50 {
		next := make([]float64, len(axis))
		for _, p := range points {
			along := 0.0
			for d, x := range p {
				along += (x - mean[d]) * axis[d]
			}
			for d, x := range p {
				next[d] += along * (x - mean[d])
			}
		}
		length := math.Sqrt(squared(next, make([]float64, len(next))))
		for d := range axis {
			axis[d] = next[d] / length
		}
		variance = length / float64(len(points))
	}
	pair := [][]float64{make([]float64, len(mean)), make([]float64, len(mean))}
	for d, m := range mean {
		step := math.Sqrt(variance) * axis[d]
		pair[0][d], pair[1][d] = m-step, m+step
	}
	return pair
}
