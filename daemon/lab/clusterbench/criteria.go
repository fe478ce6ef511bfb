package main

import (
	"math"

	"nightjar/model/cluster"
)

// criteria say how good a clustering is, to compare clusterings of the same points into more or fewer clusters.
var criteria = map[string]func(points [][]float64, c cluster.Clustering) float64{
	"shared":     func(_ [][]float64, c cluster.Clustering) float64 { return c.BIC },
	"own":        ownVariance,
	"aic":        aic,
	"silhouette": silhouette,
}

// least is the smallest variance of a cluster, as a share of that of all: otherwise a cluster of copies explains everything.
const least = 1e-3

// ownVariance is the BIC under spherical Gaussians with a variance each.
func ownVariance(points [][]float64, c cluster.Clustering) float64 {
	k, m, r := len(c.Centroids), float64(len(points[0])), float64(len(points))
	sse, size := make([]float64, k), make([]float64, k)
	for i, p := range points {
		n := c.Assign[i]
		size[n]++
		sse[n] += squared(p, c.Centroids[n])
	}
	likelihood := 0.0
	for n := range k {
		variance := max(least*c.SSE/(m*r), sse[n]/(m*max(1, size[n]-1)))
		likelihood += size[n]*math.Log(size[n]/r) - size[n]*m/2*math.Log(2*math.Pi*variance) - sse[n]/(2*variance)
	}
	parameters := float64(k-1) + float64(k)*m + float64(k)
	return likelihood - parameters/2*math.Log(r)
}

// aic is the Akaike information criterion: the penalty of a parameter is 1, where that of the BIC is ln(R)/2.
func aic(points [][]float64, c cluster.Clustering) float64 {
	k, m, r := float64(len(c.Centroids)), float64(len(points[0])), float64(len(points))
	parameters := k - 1 + k*m + 1
	return c.BIC + parameters/2*math.Log(r) - parameters
}

// silhouette is the mean silhouette of the points, by squared distances.
func silhouette(points [][]float64, c cluster.Clustering) float64 {
	k, total := len(c.Centroids), 0.0
	size := make([]float64, k)
	for _, n := range c.Assign {
		size[n]++
	}
	for i, p := range points {
		sum := make([]float64, k)
		for j, q := range points {
			sum[c.Assign[j]] += squared(p, q)
		}
		own := c.Assign[i]
		if size[own] < 2 {
			continue
		}
		within, next := sum[own]/(size[own]-1), math.Inf(1)
		for n := range k {
			if n != own {
				next = min(next, sum[n]/size[n])
			}
		}
		if most := max(within, next); most > 0 {
			total += (next - within) / most
		}
	}
	return total / float64(len(points))
}

func squared(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += (x - b[i]) * (x - b[i])
	}
	return sum
}
