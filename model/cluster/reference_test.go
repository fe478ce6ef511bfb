package cluster

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// mustPoints reads points, one a line, from testdata.
func mustPoints(tb testing.TB, name string) [][]float64 {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	var points [][]float64
	for line := range strings.Lines(string(data)) {
		var p []float64
		for _, f := range strings.Fields(line) {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				tb.Fatal(err)
			}
			p = append(p, x)
		}
		if len(p) > 0 {
			points = append(points, p)
		}
	}
	return points
}

// The samples are the SIMPLE data of pyclustering (annoviko/pyclustering, pyclustering/samples); the counts are those
// that its own X-means (BIC) and Weka's find.
func TestXMeansFindsTheNumberOfClusters(t *testing.T) {
	for name, want := range map[string]int{
		"pyclustering_simple01.txt": 2,
		"pyclustering_simple02.txt": 3,
		"pyclustering_simple05.txt": 4,
		"pyclustering_simple06.txt": 2,
		"pyclustering_simple07.txt": 2,
	} {
		points := mustPoints(t, name)
		for seed := range uint64(10) {
			c := XMeans(points, 2, 8, rand.New(rand.NewPCG(seed, 0)))
			if got := len(c.Centroids); got != want {
				t.Errorf("%s, seed %d: %d clusters, want %d", name, seed, got, want)
			}
		}
	}
}

// The inertias are those of scikit-learn 1.2.1 on Fisher's iris. A worse local optimum is off by several per cent.
func TestKMeansInertiaOnIris(t *testing.T) {
	const relTol = 1e-3
	data, err := os.ReadFile("testdata/iris_kmeans.json")
	if err != nil {
		t.Fatal(err)
	}
	var iris struct {
		Points  [][]float64
		Inertia map[int]float64
	}
	if err := json.Unmarshal(data, &iris); err != nil {
		t.Fatal(err)
	}
	for k, want := range iris.Inertia {
		for seed := range uint64(10) {
			got := KMeans(iris.Points, k, rand.New(rand.NewPCG(seed, 0))).SSE
			if got > want*(1+relTol) {
				t.Errorf("k = %d, seed %d: SSE %.4f, want at most %.4f", k, seed, got, want)
			}
		}
	}
}
