package strategy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"nightjar/model"
	"nightjar/model/text"
)

// rareBundle is of a small session each page of which has words that no other has.
var rareBundle = sync.OnceValue(func() *model.Bundle {
	rng := rand.New(rand.NewPCG(4, 8))
	set := model.TrainingSet{Topic: "Hockey"}
	for i := range 16 {
		unique := strings.Repeat(" only"+string(rune('a'+i)), 1+i%3) + " once" + string(rune('a'+i))
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprintf("https://a.test/%d", i), Text: words(rng, i%4, 40) + unique, Target: i%4 == 0})
	}
	for i := 4; i < 16; i++ {
		set.Edges = append(set.Edges, [2]int{i, i - 1})
	}
	b, err := model.Train(context.Background(), set, model.DefaultSettings(), nil)
	if err != nil {
		panic(err)
	}
	return b
})

// TestLexicalIsTheCosineOfEquationOne recomputes the similarity of random pages from their stems, with plain maps. Words
// that stand in one page of the session count, too.
func TestLexicalIsTheCosineOfEquationOne(t *testing.T) {
	b := rareBundle()
	pages, df := make([]map[string]float64, len(b.Pages)), map[string]float64{}
	for i := range b.Pages {
		pages[i] = map[string]float64{}
		for k, f := range b.Lessons.Pages[i].Index {
			pages[i][b.Features.Terms[f]] = float64(b.Lessons.Pages[i].Count[k])
		}
		for k, f := range b.Rare.Pages[i].Index {
			pages[i][b.Rare.Terms[f]] = float64(b.Rare.Pages[i].Count[k])
		}
		for term := range pages[i] {
			df[term]++
		}
	}
	vector := func(counts map[string]float64) map[string]float64 {
		v, squares := map[string]float64{}, 0.0
		for term, n := range counts {
			if df[term] > 0 {
				v[term] = n * (math.Log2(float64(len(pages))/df[term]) + 1)
				squares += v[term] * v[term]
			}
		}
		for term := range v {
			v[term] /= math.Sqrt(squares)
		}
		return v
	}
	x := newLexical(b)
	rng := rand.New(rand.NewPCG(11, 8))
	matched := 0
	for range 60 {
		page := words(rng, rng.IntN(4), 1+rng.IntN(30)) + " zebra " + words(rng, rng.IntN(4), rng.IntN(10)) + " " + b.Rare.Terms[rng.IntN(len(b.Rare.Terms))]
		stems, counts := b.Stems(page), map[string]float64{}
		for stem, n := range stems {
			counts[stem] = float64(n)
		}
		v, want := vector(counts), 0.0
		for i, p := range b.Pages {
			dot := 0.0
			for term, weight := range vector(pages[i]) {
				dot += weight * v[term]
			}
			if p.Target {
				want = max(want, dot)
			}
		}
		all := x.with(b.Words(page), stems)
		if got := x.nearest(all); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%q has cosine %v, want %v", page, got, want)
		}
		if len(all.Index) > len(b.Words(page).Index) {
			matched++
		}
	}
	if matched < 30 {
		t.Errorf("a rare word was in %d of 60 pages", matched)
	}
}

// TestLexicalKnowsTheTargets: a target is as near as can be, and a page that shares no word is not near at all.
func TestLexicalKnowsTheTargets(t *testing.T) {
	b := rareBundle()
	x := newLexical(b)
	for i, p := range b.Pages {
		own := b.Lessons.Pages[i]
		for k, f := range b.Rare.Pages[i].Index {
			own.Index, own.Count = append(slices.Clip(own.Index), int32(len(b.Features.Terms))+f), append(slices.Clip(own.Count), b.Rare.Pages[i].Count[k])
		}
		if c := x.nearest(own); p.Target && math.Abs(c-1) > 1e-12 || c < 0 || c > 1 {
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
