package online

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"nightjar/model/logistic"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// randomExamples are of links that lead somewhere useful when they have token 1, mostly.
func randomExamples(rng *rand.Rand, n, signals int) []Example {
	var all []Example
	for range n {
		e := Example{Weight: .5 + rng.Float64(), Outcome: .1 * rng.Float64()}
		for t := range uint32(12) {
			if rng.IntN(4) == 0 {
				e.Tokens = append(e.Tokens, t)
			}
		}
		if slices.Contains(e.Tokens, 1) {
			e.Outcome = 1 - e.Outcome
		}
		for range signals {
			e.Signals = append(e.Signals, float32(rng.NormFloat64()))
		}
		all = append(all, e)
	}
	return all
}

// loss is what Fit minimises, by plain sums over maps.
func loss(r *Regression, prior []float64, all []Example) float64 {
	sum := .5 * biasPenalty * (r.Bias - usualBias) * (r.Bias - usualBias)
	for i, w := range r.Signals {
		sum += .5 * signalPenalty * (w - prior[i]) * (w - prior[i])
	}
	for _, at := range r.weights.All() {
		w := *at
		sum += .5 * tokenPenalty * w * w
	}
	for _, e := range all {
		p := 1 / (1 + math.Exp(-r.LogOdds(e.Tokens, e.Signals)))
		sum -= e.Weight * (e.Outcome*math.Log(p) + (1-e.Outcome)*math.Log(1-p))
	}
	return sum
}

// TestFitIsTheMinimum moves every weight of a fit a little to both sides: nothing is better.
func TestFitIsTheMinimum(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		prior := []float64{.5, 0, -.2}
		all := randomExamples(rng, 5+rng.IntN(60), len(prior))
		r := NewRegression(prior)
		if err := r.Fit(context.Background(), all); err != nil {
			t.Fatal(err)
		}
		best := loss(r, prior, all)
		try := func(what string, w *float64) {
			was := *w
			for _, step := range []float64{-.02, .02} {
				*w = was + step
				if l := loss(r, prior, all); l < best {
					t.Errorf("seed %d: %s at %v has loss %v, at %v %v", seed, what, was, best, *w, l)
				}
			}
			*w = was
		}
		try("bias", &r.Bias)
		for i := range r.Signals {
			try(fmt.Sprint("signal ", i), &r.Signals[i])
		}
		for token, at := range r.weights.All() {
			w := *at
			for _, step := range []float64{-.02, .02} {
				*at = w + step
				if l := loss(r, prior, all); l < best {
					t.Errorf("seed %d: token %d at %v has loss %v, moved %v", seed, token, w, best, l)
				}
			}
			*at = w
		}
	}
}

func TestFitLearns(t *testing.T) {
	all := randomExamples(rand.New(rand.NewPCG(1, 2)), 200, 1)
	all = append(all, Example{Tokens: []uint32{77}, Signals: []float32{0}, Outcome: 1, Weight: 1})
	r := NewRegression([]float64{.4})
	if x := r.LogOdds([]uint32{1}, []float32{2}); x != usualBias+.8 {
		t.Errorf("before it has learned anything a link is worth %v", x)
	}
	if err := r.Fit(context.Background(), all); err != nil {
		t.Fatal(err)
	}
	if r.LogOdds([]uint32{1}, []float32{0}) < .5 || r.LogOdds([]uint32{2}, []float32{0}) > -1 {
		t.Errorf("token 1 is worth %v, token 2 %v", r.Weight(1), r.Weight(2))
	}
	if r.weights.Place(77) >= 0 {
		t.Error("a token of one example has a weight")
	}
	again := NewRegression([]float64{.4})
	if err := again.Fit(context.Background(), all); err != nil {
		t.Fatal(err)
	}
	for token, w := range r.weights.All() {
		if got := again.Weight(uint32(token)); got != *w {
			t.Errorf("token %d weighs %v and %v", token, *w, got)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	bias := r.Bias
	if err := r.Fit(ended, all[:10]); !errors.Is(err, context.Canceled) || r.Bias != bias {
		t.Errorf("%v; the bias went from %v to %v", err, bias, r.Bias)
	}
}

// TestSoftOutcomes: an example that is useful with probability p counts as p useful ones and 1-p others.
func TestSoftOutcomes(t *testing.T) {
	var soft, hard []Example
	for i := range 30 {
		e := Example{Tokens: []uint32{uint32(i % 3)}, Outcome: float64(i%5) / 4, Weight: 2}
		soft = append(soft, e)
		yes, no := e, e
		yes.Weight, yes.Outcome = 2*e.Outcome, 1
		no.Weight, no.Outcome = 2-2*e.Outcome, 0
		hard = append(hard, yes, no)
	}
	a, b := NewRegression(nil), NewRegression(nil)
	if err := errors.Join(a.Fit(context.Background(), soft), b.Fit(context.Background(), hard)); err != nil {
		t.Fatal(err)
	}
	for token := range uint32(3) {
		if x, y := a.LogOdds([]uint32{token}, nil), b.LogOdds([]uint32{token}, nil); math.Abs(x-y) > 1e-2 {
			t.Errorf("token %d: %v and %v", token, x, y)
		}
	}
}

func TestMeans(t *testing.T) {
	m := NewMeans()
	if m.LogOdds(1) != 0 || m.N(1) != 0 {
		t.Error("a key without outcomes differs from the usual")
	}
	sum, n, all := map[uint64]float64{}, map[uint64]float64{}, []float64{.1, .1}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		key, y := rng.Uint64N(20), rng.Float64()
		m.Add(key, y)
		sum[key] += y
		n[key]++
		all = append(all, y)
	}
	usual := 0.0
	for _, y := range all {
		usual += y / float64(len(all))
	}
	odds := func(p float64) float64 { return math.Log(p / (1 - p)) }
	for key := range n {
		want := odds((sum[key]+3*usual)/(n[key]+3)) - odds(usual)
		if got := m.LogOdds(key); math.Abs(got-want) > 1e-9 || m.N(key) != n[key] {
			t.Errorf("key %d: %v of %v, want %v of %v", key, got, m.N(key), want, n[key])
		}
	}
}

func TestMeansAreBounded(t *testing.T) {
	m := NewMeans()
	for key := range uint64(maxMeans + 50) {
		m.Add(key, 1)
	}
	m.Add(3, 0)
	if m.byKey.Len() != maxMeans || m.N(3) != 2 || m.N(maxMeans+1) != 0 || m.All.N != maxMeans+53 {
		t.Errorf("%d keys, key 3 has %v outcomes, all %v", m.byKey.Len(), m.N(3), m.All.N)
	}
}

// TestSchedule lists when the learners of a crawl learn.
func TestSchedule(t *testing.T) {
	var s Schedule
	var links, judge []int
	for page := 1; page <= 6200; page++ {
		l, j := s.Next()
		if j && !l {
			t.Errorf("page %d: the judge was retrained and the links were not", page)
		}
		if l {
			links = append(links, page)
		}
		if j {
			judge = append(judge, page)
		}
	}
	if !slices.Equal(links[:4], []int{50, 100, 150, 200}) || !slices.Equal(judge[:3], []int{150, 300, 450}) {
		t.Errorf("links %v, judge %v", links[:4], judge[:3])
	}
	for i := 1; i < len(links); i++ {
		if step := links[i] - links[i-1]; step != 50 && links[i] <= 1000 || step > 100 {
			t.Errorf("links at %d and %d", links[i-1], links[i])
		}
	}
	for i := 1; i < len(judge); i++ {
		if step := judge[i] - judge[i-1]; step != 150 && judge[i] <= 5000 || step != 500 && judge[i-1] > 5000 {
			t.Errorf("judge at %d and %d", judge[i-1], judge[i])
		}
	}
}

func newVocabulary() *Vocabulary {
	return NewVocabulary(text.NewCounter(), func([]text.Counted) logistic.Row { return logistic.Row{} })
}

func TestVocabulary(t *testing.T) {
	v := newVocabulary()
	tokens := v.Link(text.English, webgraph.Link{
		URL: "http://www.cs.test/~gries/Courses/CS612/", Anchor: "Course homepages", Around: "the lectures of spring",
		Heading: "Teaching", Path: "body>div.main>ul>li",
	}, true).Tokens
	want := []Token{
		{Anchor, "cours"}, {Anchor, "homepag"}, {Around, "lectur"}, {Around, "spring"}, {Heading, "teach"},
		{Address, "www"}, {Address, "cs"}, {Address, "test"}, {Address, "~gries"}, {Address, "~"}, {Address, "courses"}, {Address, "cs000"},
		{Shape, "4 slashes"}, {Shape, "ends in a slash"}, {Shape, "same site"},
		{Element, "div.main"}, {Element, "ul"}, {Element, "li"}, {Place, "body>div.main>ul>li"},
	}
	var got []Token
	for _, token := range tokens {
		name, ok := v.Name(token)
		if !ok {
			t.Errorf("token %d has no name", token)
		}
		got = append(got, name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("tokens %v, want %v", got, want)
	}
	if again := newVocabulary().Link(text.English, webgraph.Link{URL: "http://www.cs.test/~gries/Courses/CS999/", Anchor: "Course homepages", Around: "the lectures of spring", Heading: "Teaching", Path: "body>div.main>ul>li"}, true).Tokens; !slices.Equal(again, tokens) {
		t.Error("another vocabulary has other tokens")
	}
	if len(v.Link(text.English, webgraph.Link{}, false).Tokens) > 1 {
		t.Error("a link that says nothing has tokens")
	}
}

// FuzzVocabulary: whatever a link says, it has a bounded number of tokens, each once.
func FuzzVocabulary(f *testing.F) {
	f.Add("http://a.test/~x/1?q=2#f", "anchor text", "around \xff", "<h1>", "a>b>c")
	v := newVocabulary()
	f.Fuzz(func(t *testing.T, url, anchor, around, heading, path string) {
		tokens := v.Link(text.English, webgraph.Link{URL: url, Anchor: anchor, Around: around, Heading: heading, Path: path}, false).Tokens
		if most := maxAnchorTokens + maxAroundTokens + maxHeadingTokens + 2*maxAddressTokens + 3 + maxElements + 1; len(tokens) > most {
			t.Errorf("%d tokens", len(tokens))
		}
		slices.Sort(tokens)
		if len(slices.Compact(tokens)) != len(tokens) {
			t.Error("a token twice")
		}
	})
}
