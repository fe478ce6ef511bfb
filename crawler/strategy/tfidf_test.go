package strategy

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"nightjar/model"
	"nightjar/model/text"
)

// TestLexicalIsTheCosineOfEquationOne recomputes the similarity of random pages from their words, with plain maps.
func TestLexicalIsTheCosineOfEquationOne(t *testing.T) {
	b := bundle()
	vector := func(w model.Words) map[string]float64 {
		v, squares := map[string]float64{}, 0.0
		for k, i := range w.Index {
			df := 0
			for _, p := range b.Lessons.Pages {
				for _, j := range p.Index {
					if i == j {
						df++
					}
				}
			}
			if df == 0 {
				continue
			}
			x := float64(w.Count[k]) * (math.Log2(float64(len(b.Pages))/float64(df)) + 1)
			v[b.Features.Terms[i]] = x
			squares += x * x
		}
		for term := range v {
			v[term] /= math.Sqrt(squares)
		}
		return v
	}
	x := newLexical(b)
	rng := rand.New(rand.NewPCG(11, 8))
	for range 60 {
		page := words(rng, rng.IntN(4), 1+rng.IntN(30)) + " zebra " + words(rng, rng.IntN(4), rng.IntN(10))
		w := b.Words(page)
		v, want := vector(w), 0.0
		for i, p := range b.Pages {
			if !p.Target {
				continue
			}
			dot := 0.0
			for term, weight := range vector(b.Lessons.Pages[i]) {
				dot += weight * v[term]
			}
			want = max(want, dot)
		}
		if got := x.nearest(w); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%q has cosine %v, want %v", page, got, want)
		}
	}
}

// TestLexicalKnowsTheTargets: a target is as near as can be, and a page that shares no word is not near at all.
func TestLexicalKnowsTheTargets(t *testing.T) {
	b := bundle()
	x := newLexical(b)
	for i, p := range b.Pages {
		if c := x.nearest(b.Lessons.Pages[i]); p.Target && math.Abs(c-1) > 1e-12 || c < 0 || c > 1 {
			t.Errorf("%s has cosine %v", p.URL, c)
		}
	}
	for _, page := range []string{"", "zebra xylophone", "the of and"} {
		if c := x.nearest(b.Words(page)); c != 0 {
			t.Errorf("%q has cosine %v", page, c)
		}
	}
	var none model.Bundle
	if c := newLexical(&none).nearest(model.Words{}); c != 0 {
		t.Errorf("without targets the cosine is %v", c)
	}
}

// TestLexicalReadsWordsNotMeanings tells it from best-first: the same words in another number turn the cosine, and its
// counts are those of the text.
func TestLexicalReadsWordsNotMeanings(t *testing.T) {
	b, s := bundle(), mustNew(t, "best-first-tfidf")
	page := "hockey hockey puck garden"
	counts, _ := text.Count(page)
	w := b.Words(page)
	for k, i := range w.Index {
		if got, want := w.Count[k], counts[b.Features.Terms[i]]; int(got) != int(want) {
			t.Errorf("%s is counted %d times, want %d", b.Features.Terms[i], got, want)
		}
	}
	near, far := mustRead(s, visit(page, 1)), mustRead(s, visit(strings.ReplaceAll(page, "puck", "seed soil"), 1))
	if near.Priorities[0].Compare(far.Priorities[0]) <= 0 {
		t.Errorf("a hockey page has priority %v, one with more garden %v", near.Priorities[0], far.Priorities[0])
	}
}
