package ways

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/model/crf"
)

func mustLearn(tb testing.TB, paths []Path, o Options) *Ways {
	tb.Helper()
	w, err := Learn(tb.Context(), paths, o, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// bytesOf are all numbers of what was learned. Maps have no order of their own and are compared apart.
func bytesOf(tb testing.TB, w *Ways) []byte {
	tb.Helper()
	c := *w
	c.Facts.Paths = nil
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(c); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestLearn: paths that words tell apart are labelled well when held back, and the value of each label follows.
func TestLearn(t *testing.T) {
	var steps []string
	w, err := Learn(t.Context(), university(4, 15, true, 1), Options{Site: hostOf, Names: []string{"news", "department", "lab"}},
		func(done, total int) { steps = append(steps, fmt.Sprintf("%d/%d", done, total)) })
	if err != nil {
		t.Fatal(err)
	}
	if w.Labelling != Milestones || !slices.Equal(w.Labels, []string{"goal", "department", "faculty", "fail"}) || w.Goal != 0 {
		t.Errorf("%s labels %q", w.Labelling, w.Labels)
	}
	if err := w.Field.Validate(); err != nil || w.Field.Pages.Rows() != len(w.PageFeatures) || w.Field.Links.Rows() != len(w.LinkFeatures) {
		t.Errorf("%v, %d rows for %d features", err, w.Field.Pages.Rows(), len(w.PageFeatures))
	}
	r := w.Report
	if r == nil || r.HeldBy != HeldBySite || r.Folds != 4 || r.Paths != 60 || r.Pages != 160 {
		t.Fatalf("report %+v", r)
	}
	if r.F1.Value < .95 || r.Accuracy.Value < .95 || r.Precision.N == 0 || r.Recall.N != 40 || r.F1.N != 40 || r.Accuracy.N != 160 {
		t.Errorf("F1 %+v, accuracy %+v", r.F1, r.Accuracy)
	}
	for _, f := range []Figure{r.Precision, r.Recall, r.F1, r.Accuracy} {
		if !(f.Low <= f.Value && f.Value <= f.High && f.Low >= 0 && f.High <= 1) {
			t.Errorf("figure %+v", f)
		}
	}
	goal, department, faculty, fail := w.Visits[0], w.Visits[1], w.Visits[2], w.Visits[3]
	if !(goal > .95 && goal > faculty && faculty > department && department > fail && fail < .1) {
		t.Errorf("worth %v of %q", w.Visits, w.Labels)
	}
	if len(w.Printed) != 4 || slices.Equal(w.Printed, w.Visits) || &w.Worth(Printed)[0] != &w.Printed[0] || &w.Worth("")[0] != &w.Visits[0] {
		t.Errorf("printed %v", w.Printed)
	}
	if w.Reward != Visits || !(w.Threshold > 0 && w.Threshold < 1) || !slices.Contains(triedC2, w.C2) {
		t.Errorf("%s, threshold %v, c₂ %v", w.Reward, w.Threshold, w.C2)
	}
	f := w.Facts
	if f.Positive != 40 || f.Negative != 20 || f.Paths[Marked] != 40 || f.Paths[Left] != 20 || f.Pages != 20+40+40+20 || f.Weights == 0 || f.Iterations == 0 || !(f.Objective > 0) {
		t.Errorf("facts %+v", f)
	}
	if !slices.Equal(f.Unused, []string{"lab"}) {
		t.Errorf("names without pages: %q", f.Unused)
	}
	if len(f.Folds) != 6 {
		t.Errorf("tried %+v", f.Folds)
	}
	if len(steps) != 13 || steps[12] != "13/13" {
		t.Errorf("progress %q", steps)
	}
	if len(w.Shown) != 60 || !w.Shown[0].Held || len(w.Shown[0].Steps) < 2 {
		t.Errorf("%d paths are shown", len(w.Shown))
	}
}

// TestChosenC2 is the one with the least loss, and Threshold lies between the goals and the others.
func TestChosenC2(t *testing.T) {
	w := mustLearn(t, university(4, 12, false, 3), Options{Site: hostOf})
	best := w.Facts.Folds[0]
	for _, f := range w.Facts.Folds {
		if !(f.Loss > 0) || f.Rank.N == 0 {
			t.Errorf("tried %+v", f)
		}
		if f.Loss <= best.Loss {
			best = f
		}
	}
	if w.C2 != best.C2 || w.Labelling != Hops {
		t.Errorf("%s, chose %v of %+v", w.Labelling, w.C2, w.Facts.Folds)
	}
	if w.Reward != Visits || mustLearn(t, university(4, 12, false, 3), Options{HeadingSets: "teaching: courses"}).HeadingSets != "teaching: courses" {
		t.Errorf("reward %s, or the heading sets are lost", w.Reward)
	}
}

// TestHeldByTree: with fewer than three sites trees of visits are held back; with one tree nothing is.
func TestHeldByTree(t *testing.T) {
	w := mustLearn(t, university(2, 12, true, 4), Options{Site: hostOf})
	if w.Report == nil || w.Report.HeldBy != HeldByTree || w.Report.Folds != maxFolds {
		t.Errorf("report %+v", w.Report)
	}
	paths := university(1, 12, true, 4)
	for i := range paths {
		paths[i].Tree = "one"
	}
	w = mustLearn(t, paths, Options{Site: hostOf})
	if w.Report != nil || len(w.Facts.Folds) != 0 || w.C2 != defaultC2 || w.Gamma != defaultGamma || w.Threshold != defaultThreshold || w.Shown[0].Held {
		t.Errorf("report %+v, %+v", w.Report, w.Facts)
	}
}

// TestSameBytes: the same paths in any order give the same bits.
func TestSameBytes(t *testing.T) {
	paths := university(3, 9, true, 5)
	want := bytesOf(t, mustLearn(t, paths, Options{Site: hostOf, Seed: 7}))
	rng := rand.New(rand.NewPCG(5, 13))
	for range 3 {
		rng.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		if !bytes.Equal(bytesOf(t, mustLearn(t, paths, Options{Site: hostOf, Seed: 7})), want) {
			t.Fatal("another order gives other bytes")
		}
	}
	paths[0].Count++
	if bytes.Equal(bytesOf(t, mustLearn(t, paths, Options{Site: hostOf, Seed: 7})), want) {
		t.Error("how often a way was met changes nothing")
	}
}

// TestTooFew: each error that makes learning impossible says what to do.
func TestTooFew(t *testing.T) {
	ways := func(positive, negative int) []Path {
		var list []Path
		for range positive {
			list = append(list, path(true, ":1", ":0"))
		}
		for range negative {
			list = append(list, path(false, ":1", ":3"))
		}
		return list
	}
	for what, c := range map[string]struct {
		paths []Path
		want  string
	}{
		"nothing":          {nil, "3 ways to a useful page are needed, this topic has none: mark more, or browse one more session"},
		"one way":          {ways(1, 4), "3 ways to a useful page are needed, this topic has 1: mark more, or browse one more session"},
		"none led nowhere": {ways(3, 0), "a way that led nowhere is needed, this topic has none: "},
	} {
		w, err := Learn(t.Context(), c.paths, Options{}, nil)
		if w != nil || err == nil || !strings.HasPrefix(err.Error(), c.want) || !Unlearnable(err) {
			t.Errorf("%s: %v, %v", what, w, err)
		}
	}
	if w, err := Learn(t.Context(), university(2, 6, true, 1), Options{Names: []string{"lab"}}, nil); err != nil || !slices.Equal(w.Facts.Unused, []string{"lab"}) {
		t.Errorf("a name on no page, labels chosen: %v", err)
	}
}

// TestBadInput: what no caller may pass is an error, and not the person's fault.
func TestBadInput(t *testing.T) {
	change := func(do func(*Path)) []Path {
		paths := university(1, 9, false, 1)
		do(&paths[2])
		return paths
	}
	long := slices.Repeat([]Step{{URL: "https://a.test/"}}, MaxSteps+1)
	for what, paths := range map[string][]Path{
		"no pages":       change(func(p *Path) { p.Steps = nil }),
		"too many pages": change(func(p *Path) { p.Steps = long }),
		"met 0 times":    change(func(p *Path) { p.Count = 0 }),
		"met NaN times":  change(func(p *Path) { p.Count = math.NaN() }),
		"too many ways":  slices.Repeat(university(1, 9, false, 1), 300),
	} {
		if w, err := Learn(t.Context(), paths, Options{}, nil); w != nil || err == nil || Unlearnable(err) {
			t.Errorf("%s: %v, %v", what, w, err)
		}
	}
}

// TestNothingToRead: pages without features teach steps alone, and that is no error.
func TestNothingToRead(t *testing.T) {
	paths := university(3, 6, true, 6)
	for i := range paths {
		for k := range paths[i].Steps {
			paths[i].Steps[k].Page, paths[i].Steps[k].Link = nil, nil
		}
	}
	w := mustLearn(t, paths, Options{})
	if len(w.PageFeatures)+len(w.LinkFeatures) != 0 || w.Field.Validate() != nil || w.Facts.Weights == 0 {
		t.Errorf("%+v", w.Facts)
	}
}

// TestFailedFit: the message names c₂, and says why.
func TestFailedFit(t *testing.T) {
	l, err := prepare(t.Context(), university(2, 6, true, 1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.fit(t.Context(), nil, .25); !errors.Is(err, crf.ErrNoSequences) || !strings.Contains(err.Error(), "c₂ = 0.25") {
		t.Errorf("%v", err)
	}
}

// TestCancelled: whenever ctx ends, Learn gives its error and nothing else.
func TestCancelled(t *testing.T) {
	paths := university(3, 9, true, 8)
	for at := range 12 {
		ctx, cancel := context.WithCancel(t.Context())
		if at == 0 {
			cancel()
		}
		w, err := Learn(ctx, paths, Options{Site: hostOf}, func(done, _ int) {
			if done == at {
				cancel()
			}
		})
		cancel()
		if at < 10 && (w != nil || !errors.Is(err, context.Canceled)) {
			t.Errorf("ended after %d fits: %v, %v", at, w != nil, err)
		}
	}
}

// TestFeatures: a feature counts when it is on two pages or two links; the same page twice is one.
func TestFeatures(t *testing.T) {
	page := func(url string, page, link []string) Step { return Step{URL: url, Page: page, Link: link} }
	paths := []Path{
		{Steps: []Step{page("a", []string{"x", "y"}, nil), page("b", []string{"x"}, []string{"p", "q"})}},
		{Steps: []Step{page("a", []string{"x", "y"}, nil), page("b", []string{"x"}, []string{"p", "q"}), page("c", []string{"z"}, []string{"q", "r"})}},
		{Steps: []Step{page("d", []string{"z", "q"}, nil)}},
	}
	for most, want := range map[int]struct {
		pages, links []string
		dropped      int
	}{
		9: {[]string{"x", "z"}, []string{"q"}, 0},
		3: {[]string{"x", "z"}, []string{"q"}, 0},
		2: {[]string{"x"}, []string{"q"}, 1}, // of equals the last by name is dropped
		1: {nil, []string{"q"}, 2},
	} {
		table, err := newTable(t.Context(), paths, most)
		if err != nil || !slices.Equal(table.pages, want.pages) || !slices.Equal(table.links, want.links) || table.dropped != want.dropped {
			t.Errorf("at most %d: %q and %q, %d dropped, %v", most, table.pages, table.links, table.dropped, err)
		}
	}
}

// TestReader numbers features as training does, and leaves out others.
func TestReader(t *testing.T) {
	w := &Ways{PageFeatures: []string{"w=a", "w=b", "w=c"}, LinkFeatures: []string{"a=b"}}
	r := w.Reader()
	if got := r.Page([]string{"w=c", "w=x", "w=a", "w=c"}); !slices.Equal(got, []int32{0, 2}) {
		t.Errorf("page %v", got)
	}
	if got := r.Link([]string{"w=a", "a=b"}); !slices.Equal(got, []int32{0}) {
		t.Errorf("link %v", got)
	}
}

// TestCalibrate compares the threshold with the best of all midpoints, each counted by hand.
func TestCalibrate(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 13))
	for range 300 {
		l := &learning{labelled: &Labelled{Goal: 0}}
		var values []float64
		var goal []bool
		for range 1 + rng.IntN(5) {
			h, s := &held{}, crf.Sequence{}
			for range 1 + rng.IntN(4) {
				p, y := float64(rng.IntN(6))/5, rng.IntN(2)
				h.goal, s.Labels = append(h.goal, p), append(s.Labels, y)
				values, goal = append(values, p), append(goal, y == 0)
			}
			l.held, l.set = append(l.held, h), append(l.set, s)
		}
		at := func(threshold float64) float64 {
			var hit, called, all float64
			for i, p := range values {
				all += float64(b2i(goal[i]))
				if p >= threshold {
					called++
					hit += float64(b2i(goal[i]))
				}
			}
			if hit == 0 {
				return 0
			}
			return 2 * hit / (called + all)
		}
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		sorted = slices.Compact(sorted)
		want, most := defaultThreshold, at(0)
		for i := range len(sorted) - 1 {
			middle := (sorted[i] + sorted[i+1]) / 2
			if score := at(middle); score > most || score == most && want != defaultThreshold {
				want, most = middle, score
			}
		}
		if got := l.calibrate(); got != want && at(got) != most {
			t.Fatalf("threshold %v with F1 %v, want %v with %v", got, at(got), want, most)
		}
	}
}
