package dbscan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func mustFind(tb testing.TB, n int, near Near, minSim float64, minDocs int) *Clustering {
	tb.Helper()
	c, err := Find(context.Background(), n, near, minSim, minDocs)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// similarities draws a symmetric matrix of few different values. Objects of the same one of some groups are more similar.
func similarities(rng *rand.Rand, n int) func(i, j int) float64 {
	group := make([]int, n)
	for i := range group {
		group[i] = rng.IntN(1 + n/6)
	}
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		for j := range i {
			s := rng.Float64() * rng.Float64()
			if group[i] == group[j] {
				s = math.Sqrt(rng.Float64())
			}
			m[i][j] = math.Floor(20*s) / 20
			m[j][i] = m[i][j]
		}
	}
	return func(i, j int) float64 { return m[i][j] }
}

// byDefinition is DBSCAN by its definition: the transitive closure of similar cores, and borders.
func byDefinition(n int, s func(i, j int) float64, minSim float64, minDocs int) (core []bool, cluster []int) {
	core, cluster = make([]bool, n), make([]int, n)
	reach := make([][]bool, n)
	for i := range n {
		count := 0
		for j := range n {
			if i != j && s(i, j) >= minSim {
				count++
			}
		}
		core[i] = count >= minDocs
	}
	for i := range n {
		reach[i] = make([]bool, n)
		for j := range n {
			reach[i][j] = core[i] && core[j] && (i == j || s(i, j) >= minSim)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	clusters := 0
	for i := range n {
		cluster[i] = Noise
		if first := slices.Index(reach[i], true); core[i] && first < i {
			cluster[i] = cluster[first]
		} else if core[i] {
			cluster[i] = clusters
			clusters++
		}
	}
	for i := range n {
		best := Noise
		for j := range n {
			if !core[i] && core[j] && s(i, j) >= minSim && (best == Noise || s(i, j) > s(i, best)) {
				best = j
			}
		}
		if best != Noise {
			cluster[i] = cluster[best]
		}
	}
	return core, cluster
}

func TestFindAgainstTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 16))
	clusters, borders, noise := 0, 0, 0
	for n := range 40 {
		for range 10 {
			s := similarities(rng, n)
			minSim, minDocs := float64(8+rng.IntN(12))/20, 1+rng.IntN(4)
			got := mustFind(t, n, pairwise(n, s), minSim, minDocs)
			core, cluster := byDefinition(n, s, minSim, minDocs)
			if !slices.Equal(got.Core, core) || !slices.Equal(got.Cluster, cluster) || got.MinSim != minSim {
				t.Fatalf("%d objects, MinSim %v, MinDocs %d: %v, want %v", n, minSim, minDocs, got, cluster)
			}
			sizes := make([]int, len(got.Sizes))
			for i, c := range cluster {
				switch {
				case c == Noise:
					noise++
					continue
				case !core[i]:
					borders++
				}
				sizes[c]++
			}
			if !slices.Equal(got.Sizes, sizes) || got.Grouped() != n-count(cluster, Noise) || got.Largest() != slices.Max(append(sizes, 0)) {
				t.Fatalf("sizes %v, want %v", got.Sizes, sizes)
			}
			clusters += len(sizes)
		}
	}
	if clusters < 100 || borders < 100 || noise < 100 {
		t.Errorf("only %d clusters, %d border objects, %d noise", clusters, borders, noise)
	}
}

func count(list []int, x int) int {
	n := 0
	for _, y := range list {
		if x == y {
			n++
		}
	}
	return n
}

// An object itself does not count: with MinDocs 1 a pair is a cluster, and a single object is none. MinDocs 0 is 1.
func TestMinDocs(t *testing.T) {
	s := func(i, j int) float64 {
		if i+j == 1 { // objects 0 and 1
			return .8
		}
		return .1
	}
	for minDocs, want := range map[int][]int{0: {0, 0, Noise}, 1: {0, 0, Noise}, 2: {Noise, Noise, Noise}} {
		if got := mustFind(t, 3, pairwise(3, s), .8, minDocs); !slices.Equal(got.Cluster, want) {
			t.Errorf("MinDocs %d: %v, want %v", minDocs, got.Cluster, want)
		}
	}
}

func TestCancel(t *testing.T) {
	for _, at := range []int{0, 1, 25, 60, 75, 100} { // while cores are looked for, clusters grow, and borders are joined
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		near := func(i int) iter.Seq2[int, float64] {
			if calls++; calls > at {
				cancel()
			}
			return pairwise(60, func(i, j int) float64 {
				if i < 30 && j < 30 {
					return 1
				}
				return 0
			})(i)
		}
		if c, err := Find(ctx, 60, near, .5, 1); !errors.Is(err, context.Canceled) || c != nil || calls != at+1 {
			t.Errorf("cancelled after %d calls of %d: %v", at, calls, err)
		}
	}
}

// TestReference compares with scikit-learn on Fisher's iris; TestFindAgainstTheDefinition always runs.
func TestReference(t *testing.T) {
	folder := os.Getenv("NIGHTJAR_REFERENCE")
	if folder == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference data")
	}
	data, err := os.ReadFile(filepath.Join(folder, "learning", "iris_clusters.json"))
	if err != nil {
		t.Fatal(err)
	}
	var iris struct {
		X      [][]float64
		DBSCAN map[string]struct {
			Labels  []int
			Core    []int // indexes; missing for the cosine
			NNoise  int   `json:"n_noise"`
			Cluster int   `json:"n_clusters"`
		}
	}
	if err := json.Unmarshal(data, &iris); err != nil || len(iris.DBSCAN) < 5 {
		t.Fatalf("%d runs, %v", len(iris.DBSCAN), err)
	}
	for name, want := range iris.DBSCAN {
		var eps float64
		var minSamples int
		distance := euclidean
		if _, err := fmt.Sscanf(name, "cosine%g/%d", &eps, &minSamples); err == nil {
			distance = cosine
		} else if _, err := fmt.Sscanf(name, "%g/%d", &eps, &minSamples); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		s := func(i, j int) float64 { return -distance(iris.X[i], iris.X[j]) }
		got := mustFind(t, len(iris.X), pairwise(len(iris.X), s), -eps, minSamples-1)
		if want.Core != nil {
			checkCores(t, name, got, want.Core)
		}
		checkLabels(t, name, got, want.Labels)
		if n := count(got.Cluster, Noise); n != want.NNoise {
			t.Errorf("%s: %d objects are noise, want %d", name, n, want.NNoise)
		}
	}
}

func checkCores(t *testing.T, name string, got *Clustering, want []int) {
	t.Helper()
	var cores []int
	for i, core := range got.Core {
		if core {
			cores = append(cores, i)
		}
	}
	if !slices.Equal(cores, want) {
		t.Errorf("%s: cores %v, want %v", name, cores, want)
	}
}

// checkLabels compares clusters up to names, noise, and border objects: those must only be in some cluster.
func checkLabels(t *testing.T, name string, got *Clustering, want []int) {
	t.Helper()
	to, from := map[int]int{}, map[int]int{}
	for i, c := range got.Cluster {
		if (c == Noise) != (want[i] == -1) {
			t.Errorf("%s: object %d is in cluster %d, want %d", name, i, c, want[i])
		}
		if !got.Core[i] {
			continue
		}
		if other, ok := to[c]; ok && other != want[i] {
			t.Errorf("%s: cluster %d is %d and %d", name, c, other, want[i])
		}
		if other, ok := from[want[i]]; ok && other != c {
			t.Errorf("%s: cluster %d of the reference is %d and %d", name, want[i], other, c)
		}
		to[c], from[want[i]] = want[i], c
	}
}

func euclidean(x, y []float64) float64 {
	sum := 0.0
	for k := range x {
		sum += (x[k] - y[k]) * (x[k] - y[k])
	}
	return math.Sqrt(sum)
}

func cosine(x, y []float64) float64 {
	var xy, xx, yy float64
	for k := range x {
		xy, xx, yy = xy+x[k]*y[k], xx+x[k]*x[k], yy+y[k]*y[k]
	}
	return 1 - xy/math.Sqrt(xx*yy)
}

// pairwise is Near for n objects and a symmetric similarity.
func pairwise(n int, similarity func(i, j int) float64) Near {
	return func(i int) iter.Seq2[int, float64] {
		return func(yield func(int, float64) bool) {
			for j := range n {
				if j != i && !yield(j, similarity(i, j)) {
					return
				}
			}
		}
	}
}
