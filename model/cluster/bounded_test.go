package cluster

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// compareAll is Lloyd's iteration and the exchange without bounds: every point is compared with every centroid.
func compareAll(points, centroids [][]float64) (lloyd, exchanged []int) {
	k, changed := len(centroids), true
	assign, distance := slices.Repeat([]int{-1}, len(points)), make([]float64, len(points))
	for range maxLloyd {
		changed = false
		for i, p := range points {
			at, d, _ := nearest(p, centroids)
			changed = changed || at != assign[i]
			assign[i], distance[i] = at, d
		}
		if !changed {
			break
		}
		for c, n := range count(assign, k) {
			far := -1
			for i, d := range distance {
				if count(assign, k)[assign[i]] > 1 && (far < 0 || d > distance[far]) {
					far = i
				}
			}
			if n == 0 && far >= 0 {
				assign[far], distance[far] = c, 0
			}
		}
		centroids = means(points, assign, k)
	}
	lloyd = slices.Clone(assign)
	sizes := count(assign, k)
	for range maxLloyd {
		changed = false
		for i, p := range points {
			from := assign[i]
			n := float64(sizes[from])
			to, cost := from, n/(n-1)*squared(p, centroids[from])*(1-1e-9)
			for c, m := range centroids {
				n := float64(sizes[c])
				if d := n / (n + 1) * squared(p, m); c != from && d < cost {
					to, cost = c, d
				}
			}
			if sizes[from] < 2 || to == from {
				continue
			}
			changed = true
			shift(centroids[from], p, -1, sizes[from])
			shift(centroids[to], p, 1, sizes[to])
			sizes[from]--
			sizes[to]++
			assign[i] = to
		}
		if !changed {
			break
		}
	}
	return lloyd, assign
}

// The points of the grid are often equally near to two centroids, and many of them are copies.
func TestBoundsChangeNothing(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 10))
		dims := 1 + rng.IntN(6)
		points := random(rng, 8+rng.IntN(120), dims)
		scale := []float64{1, 1e-9, 1e9}[seed%3]
		for _, p := range points {
			for d := range p {
				p[d] = p[d]*scale + float64(seed%2) // also far from the origin
			}
		}
		from := seeds(points, 2+rng.IntN(7), rng)
		if rng.IntN(4) == 0 { // a centroid that no point is nearest to
			from[len(from)-1] = slices.Repeat([]float64{1e12}, dims)
		}
		kept := make([][]float64, len(from))
		for c, m := range from {
			kept[c] = slices.Clone(m)
		}
		wantLloyd, want := compareAll(points, from)
		if got := lloyd(points, from); !slices.Equal(got, wantLloyd) {
			t.Errorf("seed %d: Lloyd's iteration gives %v, want %v", seed, got, wantLloyd)
		}
		b := settle(points, from)
		if b.exchange(); !slices.Equal(b.assign, want) {
			t.Errorf("seed %d: the exchange gives %v, want %v", seed, b.assign, want)
		}
		for c, m := range from {
			if !slices.Equal(m, kept[c]) {
				t.Errorf("seed %d: centroid %d of the caller was changed", seed, c)
			}
		}
	}
}
