package lsi

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// dense gives the sparse form of a matrix of rows.
func dense(rows [][]float64) *sparse {
	a := &sparse{rows: len(rows), cols: len(rows[0]), start: []int{0}}
	for j := range a.cols {
		for i := range rows {
			if v := rows[i][j]; v != 0 {
				a.index = append(a.index, int32(i))
				a.value = append(a.value, v)
			}
		}
		a.start = append(a.start, len(a.index))
	}
	return a
}

// The example of Deerwester et al., "Indexing by latent semantic analysis", JASIS 41, 1990, decomposed by scipy 1.10.
// The file gives absolute values where the sign is arbitrary.
func TestDeerwester(t *testing.T) {
	const absTol = 1e-8
	data, err := os.ReadFile("testdata/deerwester.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Terms    []string
		TermDoc  [][]float64 `json:"term_doc"`
		Singular []float64   `json:"singular_values"`
		U2       [][]float64 `json:"U2_abs"`
		Coords   [][]float64 `json:"doc_coords_scaled_abs"`
		Query    string
		Cosines  []float64 `json:"query_cosines_k2_scaled"`
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > absTol {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	a := dense(want.TermDoc)
	for name, way := range ways {
		_, singular := truncateBy(way, a, 9)
		if len(singular) != len(want.Singular) {
			t.Fatalf("%s: %d singular values, want %d", name, len(singular), len(want.Singular))
		}
		for i, w := range want.Singular {
			near(name+" singular value", singular[i], w)
		}
		basis, _ := truncateBy(way, a, 2)
		place := func(count func(term int) float64) []float64 {
			v := make([]float64, 2)
			for i := range a.rows {
				v[0] += basis[2*i] * count(i)
				v[1] += basis[2*i+1] * count(i)
			}
			return v
		}
		for i, row := range want.U2 {
			near(name+" U", math.Abs(basis[2*i]), row[0])
			near(name+" U", math.Abs(basis[2*i+1]), row[1])
		}
		words := strings.Fields(want.Query)
		query := place(func(term int) float64 {
			if slices.Contains(words, want.Terms[term]) {
				return 1
			}
			return 0
		})
		for j, w := range want.Coords {
			v := place(func(term int) float64 { return want.TermDoc[term][j] })
			near(name+" coordinate", math.Abs(v[0]), w[0])
			near(name+" coordinate", math.Abs(v[1]), w[1])
			near(name+" cosine with the query", Cosine(query, v), want.Cosines[j])
		}
	}
}
