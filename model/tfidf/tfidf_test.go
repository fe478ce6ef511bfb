package tfidf

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"nightjar/model/text"
)

// fourPages is what model/testdata/four_pages.py computes straight from the definitions.
type fourPages struct {
	Pages        []text.Counts `json:"pages"`
	Later        text.Counts   `json:"later"`
	Terms        []string      `json:"terms"`
	Weights      [][]float64   `json:"weights"`
	LaterWeights []float64     `json:"later_weights"`
}

func mustFour(tb testing.TB) (f fourPages) {
	tb.Helper()
	data, err := os.ReadFile("../testdata/four_pages.json")
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func TestWeightsOfFourPages(t *testing.T) {
	f := mustFour(t)
	v := Fit(f.Pages, Shares{})
	if !slices.Equal(v.terms, f.Terms) {
		t.Fatalf("terms %v, want %v", v.terms, f.Terms)
	}
	for i, p := range append(f.Pages, f.Later) {
		want := append(f.Weights, f.LaterWeights)[i]
		got := make([]float64, v.Len())
		v.Vector(p).AddTo(got, 1)
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-15 { // two roundings of values below 2
				t.Errorf("page %d, %s: %v, want %v", i, f.Terms[k], got[k], want[k])
			}
		}
	}
}

// The bounds are of shares, and a share that is equal to a bound is kept, also where a product would round beyond it.
func TestBoundsAreInclusive(t *testing.T) {
	for _, pages := range []int{100, 300, 700, 1000} {
		docs := make([]text.Counts, pages)
		for i := range docs {
			docs[i] = text.Counts{}
			for term, n := range map[string]int{"rare": pages/100 - 1, "least": pages / 100, "most": pages * 4 / 5, "often": pages*4/5 + 1} {
				if i < n {
					docs[i][term] = 1 + i%3
				}
			}
		}
		if got := Fit(docs, Clusters).terms; !slices.Equal(got, []string{"least", "most"}) {
			t.Errorf("%d pages: kept %v, want least and most", pages, got)
		}
	}
}

// random makes pages of up to 30 of 40 terms.
func random(rng *rand.Rand, pages int) []text.Counts {
	docs := make([]text.Counts, pages)
	for i := range docs {
		docs[i] = text.Counts{}
		for range rng.IntN(30) {
			docs[i][fmt.Sprintf("t%02d", rng.IntN(40))] = 1 + rng.IntN(5)
		}
	}
	return docs
}

func TestProperties(t *testing.T) {
	const absTol = 1e-12
	for seed := range uint64(50) {
		docs := random(rand.New(rand.NewPCG(seed, 1)), 1+int(seed))
		v := Fit(docs, Shares{})
		for i, d := range docs {
			w := v.Vector(d)
			if len(w.Index) != len(d) || !slices.IsSorted(w.Index) {
				t.Fatalf("seed %d, page %d: %d terms of %d: %v", seed, i, len(w.Index), len(d), w.Index)
			}
			for k, x := range w.Value {
				if full := math.Log(float64(len(docs)) / float64(v.df[w.Index[k]])); x < full/2-absTol || x > full+absTol {
					t.Errorf("seed %d: weight %v is not between half of %v and all of it", seed, x, full)
				}
			}
			u := w.Unit()
			if n := u.Norm(); len(u.Index) > 0 && math.Abs(n-1) > absTol {
				t.Errorf("seed %d: length %v", seed, n)
			}
			dense := make([]float64, v.Len())
			u.AddTo(dense, 1)
			other := v.Vector(docs[0])
			if a, b := Dot(other, u), other.Dense(dense); math.Abs(a-b) > absTol {
				t.Errorf("seed %d: products %v and %v differ", seed, a, b)
			}
			if c := Dot(other.Unit(), u); c < 0 || c > 1+absTol || math.Abs(c-Dot(u, other.Unit())) > absTol {
				t.Errorf("seed %d: cosine %v", seed, c)
			}
		}
	}
}

// A vocabulary made of its parts weighs as the one that they came from.
func TestNewGivesTheVocabularyAgain(t *testing.T) {
	docs := random(rand.New(rand.NewPCG(1, 2)), 30)
	v := Fit(docs, Shares{Least: .2})
	again, err := New(v.Parts())
	if err != nil {
		t.Fatal(err)
	}
	if again.pages != 30 || !reflect.DeepEqual(again.Vector(docs[3]), v.Vector(docs[3])) {
		t.Error("the vocabularies differ")
	}
}

func TestNewRefuses(t *testing.T) {
	for name, f := range map[string]func() (*Vocabulary, error){
		"lengths":  func() (*Vocabulary, error) { return New([]string{"a"}, nil, 3) },
		"order":    func() (*Vocabulary, error) { return New([]string{"b", "a"}, []int{1, 1}, 3) },
		"twice":    func() (*Vocabulary, error) { return New([]string{"a", "a"}, []int{1, 1}, 3) },
		"none":     func() (*Vocabulary, error) { return New([]string{"a"}, []int{0}, 3) },
		"too many": func() (*Vocabulary, error) { return New([]string{"a"}, []int{4}, 3) },
	} {
		if v, err := f(); err == nil || v != nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestOddPages(t *testing.T) {
	v := Fit([]text.Counts{{"a": 1, "b": 0, "c": -2}, {"a": 2}}, Shares{})
	if !slices.Equal(v.terms, []string{"a"}) {
		t.Errorf("terms %v; only a occurs", v.terms)
	}
	if w := v.Vector(text.Counts{"a": 3}); len(w.Index) != 1 || w.Value[0] != 0 || len(w.Unit().Index) != 0 {
		t.Errorf("a term of all pages weighs %v", w)
	}
	if w := Fit(nil, Clusters).Vector(text.Counts{"a": 1}); len(w.Index) != 0 {
		t.Errorf("an empty vocabulary weighs %v", w)
	}
}
