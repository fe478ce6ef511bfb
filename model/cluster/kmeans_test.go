package cluster

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
)

// random gives n points of dims coordinates, rounded so coarsely that some are equal.
func random(rng *rand.Rand, n, dims int) [][]float64 {
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, dims)
		for d := range points[i] {
			points[i][d] = math.Round(rng.NormFloat64()*4) / 4
		}
	}
	return points
}

// check holds what must be true of every clustering.
func check(t *testing.T, points [][]float64, c Clustering) {
	t.Helper()
	const absTol = 1e-9 // sums of a few hundred squares of size 1
	k := len(c.Centroids)
	if len(c.Assign) != len(points) {
		t.Fatalf("%d assignments for %d points", len(c.Assign), len(points))
	}
	sizes := count(c.Assign, k)
	sse := 0.0
	for i, p := range points {
		sse += squared(p, c.Centroids[c.Assign[i]])
	}
	for n := range k {
		if sizes[n] == 0 {
			t.Errorf("cluster %d of %d is empty", n, k)
		}
		if n > 0 && sizes[n] > sizes[n-1] {
			t.Errorf("sizes %v are not descending", sizes)
		}
		sum := make([]float64, len(points[0]))
		for i, p := range points {
			if c.Assign[i] == n {
				for d, x := range p {
					sum[d] += x / float64(sizes[n])
				}
			}
		}
		if squared(sum, c.Centroids[n]) > absTol {
			t.Errorf("centroid %d is %v, mean %v", n, c.Centroids[n], sum)
		}
	}
	if math.Abs(sse-c.SSE) > absTol {
		t.Errorf("SSE %v, want %v", c.SSE, sse)
	}
}

// best is the least SSE over all ways to put the points into at most k clusters.
func best(points [][]float64, k int) float64 {
	assign := make([]int, len(points))
	least := math.Inf(1)
	var place func(i, used int)
	place = func(i, used int) {
		if i == len(points) {
			m := means(points, assign, used)
			sse := 0.0
			for j, p := range points {
				sse += squared(p, m[assign[j]])
			}
			least = min(least, sse)
			return
		}
		for c := range min(used+1, k) {
			assign[i] = c
			place(i+1, max(used, c+1))
		}
	}
	place(0, 0)
	return least
}

func TestKMeansIsOptimalOnFewPoints(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		points := random(rng, 3+int(seed%6), 1+int(seed%3))
		k := 1 + int(seed%4)
		c := KMeans(points, k, rng)
		check(t, points, c)
		if want := best(points, k); math.Abs(c.SSE-want) > 1e-9 {
			t.Errorf("seed %d, k %d: SSE %v, want %v", seed, k, c.SSE, want)
		}
	}
}

func TestKMeansRestsWhereNoPointIsNearerToAnotherCentroid(t *testing.T) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 2))
		points := random(rng, 150, 5)
		c := KMeans(points, 6, rng)
		check(t, points, c)
		for i, p := range points {
			if _, d := nearest(p, c.Centroids); squared(p, c.Centroids[c.Assign[i]]) > d+1e-9 {
				t.Errorf("seed %d: point %d is not with its nearest centroid", seed, i)
			}
		}
	}
}

func TestSameSeedSameClustersOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	points := random(rand.New(rand.NewPCG(1, 3)), 120, 4)
	for name, f := range map[string]func(*rand.Rand) Clustering{
		"k-means": func(r *rand.Rand) Clustering { return KMeans(points, 5, r) },
		"X-means": func(r *rand.Rand) Clustering { return XMeans(points, 3, 8, r) },
	} {
		first := f(rand.New(rand.NewPCG(7, 7)))
		for _, cores := range []int{1, 3, 8} {
			runtime.GOMAXPROCS(cores)
			if again := f(rand.New(rand.NewPCG(7, 7))); !reflect.DeepEqual(first, again) {
				t.Errorf("%s: two runs with one seed differ, the second on %d cores", name, cores)
			}
		}
	}
}

func TestMorePointsFewerStarts(t *testing.T) {
	for _, tt := range []struct{ points, k, want int }{{150, 3, 100}, {1000, 3, 100}, {5000, 3, 20}, {1 << 20, 3, 10}, {1 << 20, 1, 1}} {
		if got := starts(tt.points, tt.k); got != tt.want {
			t.Errorf("%d points, %d clusters: %d starts, want %d", tt.points, tt.k, got, tt.want)
		}
	}
}

func TestOddInput(t *testing.T) {
	zero, one := []float64{0, 0}, []float64{1, 0}
	repeat := func(n int, points ...[]float64) (out [][]float64) {
		for range n {
			out = append(out, points...)
		}
		return out
	}
	for _, tt := range []struct {
		name   string
		points [][]float64
		want   int // clusters of KMeans with k = 5 and of XMeans in 3..8
	}{
		{"one point", repeat(1, one), 1},
		{"identical points", repeat(20, one), 1},
		{"zero vectors", repeat(20, zero), 1},
		{"zero vectors and others", repeat(10, zero, one), 2},
		{"two points", [][]float64{zero, one}, 2},
		{"three places, many copies", repeat(10, zero, one, []float64{0, 1}), 3},
		{"no dimensions", repeat(4, []float64{}), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range uint64(5) {
				k := KMeans(tt.points, 5, rand.New(rand.NewPCG(seed, 0)))
				check(t, tt.points, k)
				x := XMeans(tt.points, 3, 8, rand.New(rand.NewPCG(seed, 0)))
				check(t, tt.points, x)
				if len(k.Centroids) != tt.want || len(x.Centroids) != tt.want {
					t.Errorf("k-means %d, X-means %d clusters, want %d", len(k.Centroids), len(x.Centroids), tt.want)
				}
			}
		})
	}
	if c := XMeans(nil, 3, 8, rand.New(rand.NewPCG(0, 0))); len(c.Assign)+len(c.Centroids) > 0 {
		t.Errorf("no points gave %+v", c)
	}
	if c := KMeans(nil, 3, rand.New(rand.NewPCG(0, 0))); len(c.Assign)+len(c.Centroids) > 0 {
		t.Errorf("no points gave %+v", c)
	}
}
