package cluster

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"
)

// squared is the squared Euclidean distance. Four sums run side by side, as a single one would wait for each addition;
// nearly all of the time of k-means is spent here.
func squared(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		d0, d1, d2, d3 := a[i]-b[i], a[i+1]-b[i+1], a[i+2]-b[i+2], a[i+3]-b[i+3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; i < len(a); i++ {
		d := a[i] - b[i]
		s0 += d * d
	}
	return s0 + s1 + s2 + s3
}

// nearest gives the centroid nearest to p, the first of equally near ones, and its squared distance.
func nearest(p []float64, centroids [][]float64) (at int, distance float64) {
	distance = math.Inf(1)
	for c, m := range centroids {
		if d := squared(p, m); d < distance {
			at, distance = c, d
		}
	}
	return at, distance
}

// means gives the mean of each of the k clusters; of an empty one the origin.
func means(points [][]float64, assign []int, k int) [][]float64 {
	sizes := count(assign, k)
	out := make([][]float64, k)
	for c := range out {
		out[c] = make([]float64, len(points[0]))
	}
	for i, p := range points {
		floats.Add(out[assign[i]], p)
	}
	for c, m := range out {
		for d := range m {
			m[d] /= float64(max(1, sizes[c]))
		}
	}
	return out
}

// count gives the number of points in each of the k clusters.
func count(assign []int, k int) []int {
	sizes := make([]int, k)
	for _, c := range assign {
		sizes[c]++
	}
	return sizes
}

// bySize numbers the clusters anew, the largest first, ties by their first point; empty ones get no number.
func bySize(assign []int, k int) (renamed []int, used int) {
	sizes := count(assign, k)
	var order []int // clusters by first point
	seen := make([]bool, k)
	for _, c := range assign {
		if !seen[c] {
			seen[c] = true
			order = append(order, c)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return sizes[order[i]] > sizes[order[j]] })
	name := make([]int, k)
	for i, c := range order {
		name[c] = i
	}
	renamed = make([]int, len(assign))
	for i, c := range assign {
		renamed[i] = name[c]
	}
	return renamed, len(order)
}

// distinct counts the different points, up to most.
func distinct(points [][]float64, most int) int {
	var different [][]float64
next:
	for _, p := range points {
		for _, q := range different {
			if squared(p, q) == 0 {
				continue next
			}
		}
		different = append(different, p)
		if len(different) >= most {
			break
		}
	}
	return len(different)
}

// clean gives 0 for a sum of squared distances that is nothing but rounding of the coordinates (relative error 1e-16
// each), so that copies of one point do not look like a cloud.
func clean(sse float64, points [][]float64) float64 {
	scale := 0.0
	for _, p := range points {
		for _, x := range p {
			scale += x * x
		}
	}
	if sse <= 1e-28*scale {
		return 0
	}
	return sse
}
