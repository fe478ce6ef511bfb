package model

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"nightjar/model/logistic"
	"nightjar/model/text"
)

// TestFeatures counts by hand: three documents, "puck" in one of them only.
func TestFeatures(t *testing.T) {
	docs := []text.Counts{{"hockey": 3, "rink": 1}, {"hockey": 1, "puck": 2}, {"rink": 1}}
	f, words := fitFeatures(text.Collect(docs))
	if !slices.Equal(f.Terms, []string{"hockey", "rink"}) {
		t.Fatalf("features %v", f.Terms)
	}
	idf := math.Log(4./3) + 1
	for _, got := range f.IDF {
		if math.Abs(float64(got)-idf) > 1e-6 {
			t.Errorf("idf %v, want %v", got, idf)
		}
	}
	for i, d := range docs {
		if want := countFeatures(d, f.index()); !slices.Equal(words[i].Index, want.Index) || !slices.Equal(words[i].Count, want.Count) {
			t.Errorf("words of document %d: %v, want %v", i, words[i], want)
		}
	}
	r := f.Row(words[0])
	a := 1 + math.Log(3)
	want := []float64{a / math.Sqrt(a*a+1), 1 / math.Sqrt(a*a+1)}
	for i, w := range want {
		if math.Abs(float64(r.Value[i])-w) > 1e-6 || r.Index[i] != int32(i) {
			t.Errorf("row %v, want values %v", r, want)
		}
	}
	if got := cosine(r, r); math.Abs(got-1) > 1e-6 {
		t.Errorf("a row's cosine with itself is %v", got)
	}
	if r := f.Row(countFeatures(text.Counts{"puck": 2}, f.index())); len(r.Index) != 0 {
		t.Errorf("a page without features has row %v", r)
	}
}

// TestSoftEvidence holds the ratio by hand: two states with rows, one without.
func TestSoftEvidence(t *testing.T) {
	s := Soft{Weights: []float32{2, 0, 5}, Bias: []float64{0, 0, 9}, Prior: []float64{.5, .5, 0}}
	p := math.Exp(2) / (math.Exp(2) + 1)
	got := s.evidence(logistic.Row{Index: []int32{0}, Value: []float32{1}})
	for j, want := range []float64{p / .5, (1 - p) / .5, 1e-3} {
		if math.Abs(got[j]-want) > 1e-9 {
			t.Errorf("evidence %v, want %v at %d", got, want, j)
		}
	}
	rare := Soft{Weights: nil, Bias: []float64{0, 0}, Prior: []float64{.001, .999}}
	if got := rare.evidence(logistic.Row{}); math.Abs(got[0]-25) > 1e-9 {
		t.Errorf("a state of .001 has ratio %v, want its divisor to be .02", got[0])
	}
}

// TestSoftEmissionLearnsStates trains on pages whose words tell their state, and asks about pages it has not seen.
func TestSoftEmissionLearnsStates(t *testing.T) {
	b := mustTrain(t, session(80, 1), DefaultSettings())
	right := 0
	unseen := session(40, 99)
	for i, p := range unseen.Pages {
		o := b.Observe(p.Text)
		if likeliest(o.Emission) == i%len(topics) {
			right++
		}
		if useful := i%len(topics) == 0; (o.Useful >= .5) != useful {
			t.Errorf("page %d is useful with %.2f, truth %v", i, o.Useful, useful)
		}
	}
	if right < 38 {
		t.Errorf("%d of 40 unseen pages have the largest ratio at their own state", right)
	}
	for j, p := range b.Soft.Prior {
		if p != .25 {
			t.Errorf("P(T_%d) = %v of four balanced states", j, p)
		}
	}
}

// TestBackgroundIsFar holds what background pages are for: a page of a kind that the session never met is far away with
// them, and not useful.
func TestBackgroundIsFar(t *testing.T) {
	set := session(60, 1)
	foreign := "court judge law trial appeal verdict lawyer university hockey"
	for i := range set.Pages { // words that the session knows, too, or they would be no features of a page without background
		if i%7 == 0 {
			set.Pages[i].Text += " court law"
		}
	}
	without := mustTrain(t, set, DefaultSettings()).Observe(foreign)
	for i := range 30 {
		set.Background = append(set.Background, "court judge law trial appeal verdict lawyer "+topics[i%4][0])
	}
	b := mustTrain(t, set, DefaultSettings())
	with := b.Observe(foreign)
	if far := len(with.Emission) - 1; likeliest(with.Emission) != far || with.Emission[far] <= without.Emission[far] {
		t.Errorf("evidence with background %v, without %v; want it to say far", with.Emission, without.Emission)
	}
	if with.Useful >= without.Useful {
		t.Errorf("useful with %v with background, %v without", with.Useful, without.Useful)
	}
	if b.Facts.Background != 30 {
		t.Errorf("%d background pages, want 30", b.Facts.Background)
	}
}

// TestRejectedWeighs holds that a page called Not useful lowers the judge's opinion of pages like it.
func TestRejectedWeighs(t *testing.T) {
	set := session(60, 3)
	at := slices.IndexFunc(set.Pages, func(p Page) bool { return !p.Target })
	set.Pages[at].Text = "hockey puck goalie stick referee lottery lottery betting betting odds"
	set.Pages[at+1].Text = "betting odds lottery hockey puck rink skate"
	like := "hockey puck betting odds lottery"
	before := mustTrain(t, set, DefaultSettings())
	set.Pages[at].Rejected = true
	after := mustTrain(t, set, DefaultSettings())
	if b, a := before.Judge.score(before.rowOf(like)), after.Judge.score(after.rowOf(like)); a >= b {
		t.Errorf("score %v after Not useful, %v before", a, b)
	}
	if after.Facts.Rejected != 1 {
		t.Errorf("facts %+v", after.Facts)
	}
}

func (b *Bundle) rowOf(s string) logistic.Row {
	counts, _ := text.Count(s)
	return b.Features.Row(countFeatures(counts, b.Features.index()))
}

func TestStratified(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		label := make([]int, 2+rng.IntN(30))
		ones := 0
		for i := range label {
			label[i] = rng.IntN(2)
			ones += label[i]
		}
		folds := stratified(label, 5, seed)
		if min(ones, len(label)-ones) < 2 {
			if folds != nil {
				t.Fatalf("folds %v of labels %v", folds, label)
			}
			continue
		}
		for l := range 2 {
			size := make([]int, 1+slices.Max(folds))
			for i, f := range folds {
				if label[i] == l {
					size[f]++
				}
			}
			if slices.Min(size) < 1 || slices.Max(size)-slices.Min(size) > 1 {
				t.Fatalf("label %d has %v rows in the folds", l, size)
			}
		}
	}
}

func TestAssessCancelled(t *testing.T) {
	tr, err := Learn(context.Background(), session(80, 1), DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := tr.Assess(ctx); r != nil || err != context.Canceled {
		t.Errorf("Assess = %v, %v", r, err)
	}
}
