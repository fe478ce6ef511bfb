package crf

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestLogSumExpAndSoftmax(t *testing.T) {
	never := math.Inf(-1)
	for _, tt := range []struct {
		logs []float64
		sum  float64
		p    []float64
	}{
		{nil, never, nil},
		{[]float64{never, never}, never, []float64{.5, .5}},
		{[]float64{0, never}, 0, []float64{1, 0}},
		{[]float64{math.Log(1), math.Log(3)}, math.Log(4), []float64{.25, .75}},
		{[]float64{1e300, 1e300}, 1e300, []float64{.5, .5}},
		{[]float64{-1000, -1000 + math.Log(3)}, -1000 + math.Log(4), []float64{.25, .75}},
	} {
		mustNear(t, "log-sum-exp", []float64{LogSumExp(tt.logs)}, []float64{tt.sum}, 1e-15, 1e-15)
		mustNear(t, "softmax", Softmax(tt.logs), tt.p, 0, 1e-12)
	}
}

func TestValidate(t *testing.T) {
	good := func() *Model {
		return &Model{
			Labels: 2, Steps: make([]float64, 4),
			Pages: Table{Start: []int32{0, 2, 2, 3}, Label: []int32{0, 1, 1}, Weight: []float64{1, 2, 3}},
		}
	}
	if err := good().Validate(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Model){
		"0 labels":                         func(m *Model) { m.Labels = 0 },
		"weights of steps":                 func(m *Model) { m.Steps = m.Steps[:3] },
		"weight of a step":                 func(m *Model) { m.Steps[1] = math.Inf(1) },
		"for 2 weights":                    func(m *Model) { m.Pages.Weight = m.Pages.Weight[:2] },
		"weights without rows":             func(m *Model) { m.Pages.Start = nil },
		"do not cover":                     func(m *Model) { m.Pages.Start[3] = 2 },
		"pages: the rows do not":           func(m *Model) { m.Pages.Start[0] = 1 },
		"links: the rows do not":           func(m *Model) { m.Links.Start = []int32{0, 1} },
		"a weight is not":                  func(m *Model) { m.Pages.Weight[0] = math.NaN() },
		"row 1 ends before":                func(m *Model) { m.Pages.Start = []int32{0, 9, 2, 3} },
		"row 0: labels not ascending":      func(m *Model) { m.Pages.Label[1] = 0 },
		"labels not ascending in [0, 2)":   func(m *Model) { m.Pages.Label[2] = 2 },
		"row 2: labels not ascending in [": func(m *Model) { m.Pages.Label[2] = -1 },
	} {
		m := good()
		change(m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Pages of a crawl have features that training never saw; they count for nothing.
func TestFeaturesOutOfRange(t *testing.T) {
	m := randomModel(seeded(1), 3, 4, 4)
	strange := []int32{-5, 1, 3, 4, math.MaxInt32}
	usual := []int32{1, 3}
	got, want := m.Start(strange), m.Start(usual)
	mustNear(t, "start", got.Alpha, want.Alpha, 0, 0)
	got, want = m.Follow(got, strange), m.Follow(want, usual)
	mustNear(t, "follow", got.Alpha, want.Alpha, 0, 0)
	got, want = m.Arrive(got, strange), m.Arrive(want, usual)
	mustNear(t, "arrive", got.Delta, want.Delta, 0, 0)
	if empty := (&Model{Labels: 3, Steps: make([]float64, 9)}).Start(usual); !slices.Equal(empty.Delta, make([]float64, 3)) {
		t.Errorf("δ %v of a model without features", empty.Delta)
	}
}

// What is scored and kept for a link must not change the page's state, nor one link the next.
func TestLinksDoNotDisturbEachOther(t *testing.T) {
	m := randomModel(seeded(2), 4, 5, 6)
	page := m.Start([]int32{0, 2})
	alpha, delta := slices.Clone(page.Alpha), slices.Clone(page.Delta)
	reward, f := []float64{0, .5, .2, 1}, m.From(page)
	links := [][]int32{nil, {0}, {1, 5}, {0, 1, 2, 3, 4, 5}}
	for range 2 {
		for _, link := range links {
			state := f.Link(link)
			want := m.Follow(page, link)
			mustNear(t, "α", state.Alpha, want.Alpha, 0, 0)
			mustNear(t, "δ", state.Delta, want.Delta, 0, 0)
			score, winner := f.Score(link, reward)
			p, sum := Softmax(state.Alpha), 0.0
			for y := range p {
				sum += reward[y] * p[y]
			}
			mustNear(t, "score", []float64{score}, []float64{sum}, 1e-12, 0)
			if winner != largest(p) {
				t.Errorf("label %d wins, of %v", winner, p)
			}
		}
	}
	_ = m.Arrive(page, []int32{1})
	if !slices.Equal(page.Alpha, alpha) || !slices.Equal(page.Delta, delta) {
		t.Error("the page's state has changed")
	}
}

func TestScoreAllocatesNothing(t *testing.T) {
	m := randomModel(seeded(3), 8, 5, 40)
	f, link, reward := m.From(m.Start([]int32{1})), []int32{1, 7, 30}, make([]float64, 8)
	if n := testing.AllocsPerRun(100, func() { f.Score(link, reward) }); n != 0 {
		t.Errorf("%v allocations a link", n)
	}
}

// The frontier keeps states as float32: what comes back is as good as that.
func TestStatesSurviveFloat32(t *testing.T) {
	m := randomModel(seeded(4), 5, 6, 6)
	state := m.Follow(m.Start([]int32{0, 3}), []int32{2})
	kept := State{}
	for y := range state.Alpha {
		kept.Alpha = append(kept.Alpha, float64(float32(state.Alpha[y])))
		kept.Delta = append(kept.Delta, float64(float32(state.Delta[y])))
	}
	mustNear(t, "p", Softmax(m.Arrive(kept, []int32{1}).Alpha), Softmax(m.Arrive(state, []int32{1}).Alpha), 0, 1e-5)
}

func TestEmptyPath(t *testing.T) {
	m := randomModel(seeded(5), 3, 4, 4)
	if l := m.Lattice(nil); l.LogZ != 0 || len(l.Alpha) != 0 {
		t.Errorf("%+v", l)
	}
	if labels, score := m.Viterbi(nil); labels != nil || score != 0 {
		t.Errorf("labels %v of score %v", labels, score)
	}
	mustNear(t, "visits", m.RewardVisits(nil, .5), make([]float64, 3), 0, 0)
	mustNear(t, "printed", m.RewardPrinted(nil, 0, .5), make([]float64, 3), 0, 0)
}

// The worked example of CRFsuite's lib/crf/src/crf1d_context.c, crf1dc_debug_context: 3 places, 3 labels, e^s and e^A given.
// Z is the sum over the 27 labellings, here as the product of matrices (.4 .5 .1)·T·diag(.4 .1 .5)·T·(.4 .1 .5)ᵀ.
func TestWorkedExampleOfCRFsuite(t *testing.T) {
	ln := func(v ...float64) []float64 {
		for i := range v {
			v[i] = math.Log(v[i])
		}
		return v
	}
	m := &Model{
		Labels: 3,
		Pages: Table{
			Start: []int32{0, 3, 6, 9}, Label: []int32{0, 1, 2, 0, 1, 2, 0, 1, 2}, Weight: ln(.4, .5, .1, .4, .1, .5, .4, .1, .5),
		},
		Steps: ln(.3, .1, .4, .6, .2, .1, .5, .2, .1),
	}
	// α₂ = ((.4 .5 .1)·T)∘(.4 .1 .5) = (.188 .016 .11), α₃ = (.188 .016 .11)·T∘(.4 .1 .5) = (.0484 .0044 .0439)
	got := m.Lattice([]Step{{Page: []int32{0}}, {Page: []int32{1}}, {Page: []int32{2}}})
	mustNear(t, "α₂", got.Alpha[1], ln(.188, .016, .11), 1e-12, 1e-12)
	mustNear(t, "α₃", got.Alpha[2], ln(.0484, .0044, .0439), 1e-12, 1e-12)
	mustNear(t, "log Z", []float64{got.LogZ}, ln(.0967), 1e-12, 0)
	mustNear(t, "marginal", got.Marginal(2), []float64{484. / 967, 44. / 967, 439. / 967}, 0, 1e-12)
}
