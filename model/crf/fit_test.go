package crf

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func mustFit(tb testing.TB, set []Sequence, labels, pages, links int, o Options) (*Model, Fitted) {
	tb.Helper()
	m, f, err := Fit(context.Background(), set, labels, pages, links, o)
	if err != nil {
		tb.Fatal(err)
	}
	return m, f
}

// loss is F by the public functions alone.
func loss(m *Model, set []Sequence, c2 float64) (sum float64) {
	for _, s := range set {
		sum += s.Count * (m.Lattice(s.Steps).LogZ - scoreOf(m, s.Steps, s.Labels))
	}
	for _, weights := range [][]float64{m.Pages.Weight, m.Links.Weight, m.Steps} {
		for _, w := range weights {
			sum += c2 * w * w
		}
	}
	return sum
}

func TestFitFindsTheMinimum(t *testing.T) {
	for _, c2 := range []float64{.05, .5, 2} {
		set := session(seeded(2), 30, 4, 300, 60)
		m, f := mustFit(t, set, 4, 300, 60, Options{C2: c2})
		if err := m.Validate(); err != nil {
			t.Error(err)
		}
		want := loss(m, set, c2)
		if !near(f.Objective, want, 1e-12, 0) {
			t.Errorf("c₂ = %v: F %v, and by the model %v", c2, f.Objective, want)
		}
		// F is convex, and steeper than c₂ times the square of the way: no point nearby is lower.
		rng := seeded(3)
		for range 50 {
			other := *m
			other.Pages.Weight, other.Links.Weight = shaken(rng, m.Pages.Weight), shaken(rng, m.Links.Weight)
			if got := loss(&other, set, c2); got < want {
				t.Errorf("c₂ = %v: F %v at the minimum, %v beside it", c2, want, got)
			}
		}
	}
}

func shaken(rng *rand.Rand, weights []float64) []float64 {
	weights = slices.Clone(weights)
	for i := range weights {
		weights[i] += .01 * rng.NormFloat64()
	}
	return weights
}

// F is convex: the search ends at one F from everywhere, and a search that stops early is above it by no more than the
// curvature allows, which is at least 2c₂ in each direction.
func TestEveryStartEndsAtOneF(t *testing.T) {
	const startTol = 1e-11 // of F, which is a sum of some thousand terms
	n := size{5, 200, 40}
	for _, c2 := range []float64{.05, .5, 2} {
		set := session(seeded(4), 20, n.labels, n.pages, n.links)
		var lowest float64
		for i := range uint64(4) {
			by, rng := search{flat: 1e-7}, seeded(i)
			if i > 0 {
				by.start = func(int) float64 { return rng.NormFloat64() }
			}
			_, f, err := fit(t.Context(), set, n, Options{C2: c2}, by)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				lowest = f.Objective
			}
			if !near(f.Objective, lowest, startTol, 0) {
				t.Errorf("c₂ = %v: F %v from start %d, %v from 0", c2, f.Objective, i, lowest)
			}
		}
		_, f := mustFit(t, set, n.labels, n.pages, n.links, Options{C2: c2})
		above := float64(f.Weights) * f.Gradient * f.Gradient / (4 * c2)
		if f.Gradient >= 1e-3 || f.Objective < lowest*(1-startTol) || f.Objective > lowest+above {
			t.Errorf("c₂ = %v: ends at %+v, the minimum is %v", c2, f, lowest)
		}
	}
}

func TestWeightsOnlyForWhatWasSeen(t *testing.T) {
	steps := []Step{{Page: []int32{0}, Link: []int32{0}}, {Page: []int32{2}, Link: []int32{1}}}
	set := []Sequence{{Steps: steps, Labels: []int{1, 0}, Count: 1}}
	m, f := mustFit(t, set, 3, 4, 3, Options{C2: 1})
	if want := []int32{0, 1, 1, 2, 2}; !slices.Equal(m.Pages.Start, want) || !slices.Equal(m.Pages.Label, []int32{1, 0}) {
		t.Errorf("page rows %v of labels %v", m.Pages.Start, m.Pages.Label)
	}
	// The first page's link counts for nothing.
	if want := []int32{0, 0, 1, 1}; !slices.Equal(m.Links.Start, want) || !slices.Equal(m.Links.Label, []int32{0}) {
		t.Errorf("link rows %v of labels %v", m.Links.Start, m.Links.Label)
	}
	for k, w := range m.Steps {
		if seen := k == 1*3+0; seen != (w != 0) {
			t.Errorf("step %d weighs %v", k, w)
		}
	}
	if f.Weights != 4 || f.Gradient >= 1e-3 || f.Iterations == 0 {
		t.Errorf("%+v", f)
	}
}

// A path of Count m counts as m equal paths.
func TestCountIsMultiplicity(t *testing.T) {
	set := session(seeded(5), 10, 3, 60, 20)
	var repeated []Sequence
	for i := range set {
		for range 1 + i%3 {
			repeated = append(repeated, set[i])
		}
		set[i].Count = float64(1 + i%3)
	}
	_, got := mustFit(t, set, 3, 60, 20, Options{C2: .5})
	_, want := mustFit(t, repeated, 3, 60, 20, Options{C2: .5})
	if !near(got.Objective, want.Objective, 1e-9, 0) || got.Weights != want.Weights {
		t.Errorf("%+v, and with the paths repeated %+v", got, want)
	}
}

func TestSameBytes(t *testing.T) {
	set := session(seeded(6), 60, 6, 600, 90)
	set[3].Count, set[17].Count = 2.5, 7
	shuffled := slices.Clone(set)
	seeded(1).Shuffle(len(set), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	fit := func(cores int, set []Sequence) (*Model, Fitted) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		return mustFit(t, set, 6, 600, 90, Options{C2: .5})
	}
	model, fitted := fit(1, set)
	for _, cores := range []int{1, 3, 8} {
		for name, s := range map[string][]Sequence{"same order": set, "other order": shuffled} {
			if m, f := fit(cores, s); f != fitted || !reflect.DeepEqual(m, model) {
				t.Errorf("%d cores, %s: %+v, want %+v", cores, name, f, fitted)
			}
		}
	}
}

// flaky is a context that ends when Err was asked often enough.
type flaky struct {
	context.Context
	left atomic.Int64
}

func (c *flaky) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever the context ends, Fit says so and gives no model.
func TestCancelled(t *testing.T) {
	set := session(seeded(7), 40, 5, 400, 80)
	want, _ := mustFit(t, set, 5, 400, 80, Options{C2: .5})
	ended := 0
	for after := int64(0); ; after += 1 + after/8 {
		ctx := &flaky{Context: context.Background()}
		ctx.left.Store(after)
		m, _, err := Fit(ctx, set, 5, 400, 80, Options{C2: .5})
		if err == nil {
			if !reflect.DeepEqual(m, want) {
				t.Error("another model when the context lasts")
			}
			break
		}
		if !errors.Is(err, context.Canceled) || m != nil {
			t.Fatalf("ended after %d looks: %v, model %v", after, err, m)
		}
		ended++
	}
	if ended < 30 {
		t.Errorf("the context was looked at in %d places only", ended)
	}
}

func TestNoMinimum(t *testing.T) {
	set := session(seeded(8), 5, 3, 50, 10)
	huge := slices.Clone(set)
	for i := range huge {
		huge[i].Count = math.MaxFloat64
	}
	large := slices.Clone(set)
	for i := range large {
		large[i].Count = 1e200
	}
	for _, tt := range []struct {
		name  string
		set   []Sequence
		start func(int) float64
		want  string
	}{
		{"counts that overflow", huge, nil, "iteration 0"},
		{"products of gradients that overflow", large, nil, "iteration 1"},
		{"a start that is no number", set, func(int) float64 { return math.NaN() }, "iteration 0"},
	} {
		by := search{start: tt.start, flat: flat, change: relativeChange}
		m, f, err := fit(t.Context(), tt.set, size{3, 50, 10}, Options{C2: .25}, by)
		var fail *ConvergenceError
		if !errors.As(err, &fail) || m != nil || f != (Fitted{}) {
			t.Fatalf("%s: %v, %+v, model %v", tt.name, err, f, m)
		}
		if fail.C2 != .25 || !strings.Contains(err.Error(), "c₂ = 0.25") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, _, err := Fit(t.Context(), nil, 3, 50, 10, Options{}); !errors.Is(err, ErrNoSequences) {
		t.Error(err)
	}
}

func TestMaxIterations(t *testing.T) {
	set := session(seeded(9), 40, 5, 400, 80)
	_, all := mustFit(t, set, 5, 400, 80, Options{C2: .05})
	for _, most := range []int{1, 5} {
		_, f := mustFit(t, set, 5, 400, 80, Options{C2: .05, MaxIterations: most})
		if f.Iterations != most || f.Objective <= all.Objective || f.Gradient <= 1e-3 {
			t.Errorf("at most %d iterations: %+v; without a limit %+v", most, f, all)
		}
	}
}

// With one label, nothing is to be learned, and nothing is divided by 0.
func TestOneLabel(t *testing.T) {
	set := session(seeded(10), 5, 1, 50, 10)
	m, f := mustFit(t, set, 1, 50, 10, Options{C2: 1})
	if f.Objective != 0 || f.Iterations != 0 {
		t.Errorf("%+v", f)
	}
	mustNear(t, "marginal", m.Lattice(set[0].Steps).Marginal(0), []float64{1}, 0, 0)
}

func TestFitPanics(t *testing.T) {
	good := Sequence{Steps: []Step{{Page: []int32{0}}, {Link: []int32{1}}}, Labels: []int{0, 1}, Count: 1}
	broken := func(change func(*Sequence)) Sequence {
		s := good
		s.Steps, s.Labels = slices.Clone(good.Steps), slices.Clone(good.Labels)
		change(&s)
		return s
	}
	for name, s := range map[string]Sequence{
		"no pages":           {Count: 1},
		"labels missing":     broken(func(s *Sequence) { s.Labels = s.Labels[:1] }),
		"label out of range": broken(func(s *Sequence) { s.Labels[1] = 2 }),
		"count 0":            broken(func(s *Sequence) { s.Count = 0 }),
		"count NaN":          broken(func(s *Sequence) { s.Count = math.NaN() }),
		"page out of range":  broken(func(s *Sequence) { s.Steps[0].Page = []int32{2} }),
		"page below 0":       broken(func(s *Sequence) { s.Steps[0].Page = []int32{-1} }),
		"link twice":         broken(func(s *Sequence) { s.Steps[1].Link = []int32{1, 1} }),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p, ok := recover().(string); !ok || !strings.HasPrefix(p, "crf: ") {
					t.Errorf("panic %v", p)
				}
			}()
			_, _, _ = Fit(t.Context(), []Sequence{s}, 2, 2, 2, Options{})
		})
	}
	mustFit(t, []Sequence{good}, 2, 2, 2, Options{C2: 1})
}

// A line search that fails is forgiven at the minimum only.
func TestNearlyBest(t *testing.T) {
	set := session(seeded(11), 20, 4, 300, 60)
	o := mustObjective(t, set, size{4, 300, 60}, .5)
	at := make([]float64, o.weights)
	if o.nearlyBest(at) {
		t.Error("weights of 0 pass for the minimum")
	}
	at, _, err := o.minimise(at, maxIterations, search{flat: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	if !o.nearlyBest(at) {
		t.Error("the minimum is not recognised")
	}
}
