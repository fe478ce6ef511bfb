package lsi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/crawler/warc"
	"nightjar/model/text"
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

// deerwester is the example of Deerwester et al., "Indexing by latent semantic analysis", JASIS 41, 1990, decomposed by
// scipy 1.10. Where the sign is arbitrary the values are absolute.
type deerwester struct {
	Terms       []string
	TermDoc     [][]float64 `json:"term_doc"`
	Singular    []float64   `json:"singular_values"`
	U2          [][]float64 `json:"U2_abs"`
	Coordinates [][]float64 `json:"doc_coords_scaled_abs"`
	Query       string
	Cosines     []float64   `json:"query_cosines_k2_scaled"`
	Rank2       [][]float64 `json:"rank2_reconstruction"` // only in the reference data
}

func mustDeerwester(tb testing.TB, file string) (d deerwester) {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(data, &d); err != nil {
		tb.Fatal(err)
	}
	return d
}

// mustReference gives the path of a file of the reference data, which stands outside of the repository.
func mustReference(tb testing.TB, name string) string {
	tb.Helper()
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		tb.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference data")
	}
	return filepath.Join(root, name)
}

func TestDeerwester(t *testing.T) {
	testDeerwester(t, mustDeerwester(t, "testdata/deerwester.json"))
}

// TestDeerwester always runs.
func TestDeerwesterOfTheReferenceData(t *testing.T) {
	d := mustDeerwester(t, mustReference(t, "learning/lsi_deerwester.json"))
	testDeerwester(t, d)
	a := dense(d.TermDoc)
	for name, way := range ways {
		basis, _ := truncateBy[float64](way, a, 2)
		for j := range a.cols {
			v := place(basis, d.TermDoc, j)
			for i := range a.rows {
				if got := basis[2*i]*v[0] + basis[2*i+1]*v[1]; math.Abs(got-d.Rank2[i][j]) > 1e-8 {
					t.Errorf("%s: U₂U₂ᵀA is %v at %d, %d, want %v", name, got, i, j, d.Rank2[i][j])
				}
			}
		}
	}
}

// place gives U₂ᵀ d of column j of the matrix.
func place(basis []float64, termDoc [][]float64, j int) []float64 {
	v := make([]float64, 2)
	for i, row := range termDoc {
		v[0] += basis[2*i] * row[j]
		v[1] += basis[2*i+1] * row[j]
	}
	return v
}

func testDeerwester(t *testing.T, want deerwester) {
	const absTol = 1e-8
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > absTol {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	a := dense(want.TermDoc)
	query := make([][]float64, a.rows) // the query as a document
	for i, term := range want.Terms {
		query[i] = []float64{0}
		if slices.Contains(strings.Fields(want.Query), term) {
			query[i][0] = 1
		}
	}
	for name, way := range ways {
		_, singular := truncateBy[float64](way, a, 9)
		if len(singular) != len(want.Singular) {
			t.Fatalf("%s: %d singular values, want %d", name, len(singular), len(want.Singular))
		}
		for i, w := range want.Singular {
			near(name+" singular value", singular[i], w)
		}
		basis, _ := truncateBy[float64](way, a, 2)
		for i, row := range want.U2 {
			near(name+" U", math.Abs(basis[2*i]), row[0])
			near(name+" U", math.Abs(basis[2*i+1]), row[1])
		}
		for j, w := range want.Coordinates {
			v := place(basis, want.TermDoc, j)
			near(name+" coordinate", math.Abs(v[0]), w[0])
			near(name+" coordinate", math.Abs(v[1]), w[1])
			near(name+" cosine with the query", cosine(place(basis, query, 0), v), want.Cosines[j])
		}
	}
}

// The singular values of scikit-learn's digits (1797×64), by scipy 1.10. TestBothWaysGiveTheSingularValues always runs.
func TestDigits(t *testing.T) {
	const relTol = 1e-8
	var want struct {
		Singular []float64 `json:"singular_values"`
	}
	data, err := os.ReadFile(mustReference(t, "learning/svd_digits_top20.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	a := mustDigits(t, mustReference(t, "learning/digits_counts.csv"))
	for name, way := range ways {
		for side, m := range map[string]*sparse{"rows": a, "columns": a.transpose()} {
			_, singular := truncateBy[float64](way, m, len(want.Singular))
			if len(singular) != 20 || len(want.Singular) != 20 {
				t.Fatalf("%s: %d singular values, want %d", name, len(singular), len(want.Singular))
			}
			for i, w := range want.Singular {
				if math.Abs(singular[i]-w) > relTol*w {
					t.Errorf("%s, images as %s: σ_%d = %v, want %v", name, side, i+1, singular[i], w)
				}
			}
		}
	}
}

// mustDigits reads counts, one image a line, without the last column, which is the digit.
func mustDigits(tb testing.TB, file string) *sparse {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var rows [][]float64
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		row := make([]float64, len(fields)-1)
		for i := range row {
			if row[i], err = strconv.ParseFloat(fields[i], 64); err != nil {
				tb.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	return dense(rows)
}

// mustArticles reads the first articles of a WARC file of the corpora, which stand outside of the repository.
func mustArticles(tb testing.TB, name string, count int) []string {
	tb.Helper()
	root := os.Getenv("NIGHTJAR_CORPORA")
	if root == "" {
		tb.Skip("left out: NIGHTJAR_CORPORA does not name a folder of WARC files")
	}
	f, err := os.Open(filepath.Join(root, name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	r := warc.NewReader(f, info.Size())
	var texts []string
	for len(texts) < count {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		if response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(record.Block)), nil); err == nil {
			body, err := io.ReadAll(response.Body)
			if err != nil {
				tb.Fatal(err)
			}
			if p, err := page.Parse(record.Target(), response.Header.Get("Content-Type"), body); err == nil {
				texts = append(texts, p.Text)
			}
		}
	}
	return texts
}

// On real articles both ways must give the same space, and a training article folds to where training put it.
// TestBothWaysGiveTheSameCosines and TestFoldGivesTrainingDocumentsTheirCoordinates always run.
func TestArticles(t *testing.T) {
	texts := mustArticles(t, "wikispeedia/articles.warc.gz", 450)
	docs, _, err := text.CountAll(t.Context(), texts, nil)
	if err != nil || len(docs) != 450 {
		t.Fatalf("%d articles, %v", len(docs), err)
	}
	testSameSpace(t, weighted(docs))
	s, coords := Fit(text.Collect(docs), 0)
	for i, d := range docs {
		if v, _ := s.Fold(occurrences(s, d)); !reflect.DeepEqual(v, coords[i]) {
			t.Fatalf("article %d folds to %v, fitted at %v", i, v, coords[i])
		}
	}
}
