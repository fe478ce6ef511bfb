package model

import (
	"bytes"
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/model/measure"
	"nightjar/model/webgraph"
)

// linked gives every link of a session an anchor text of two words of the kind it leads to, and each page links to pages
// that nobody visited.
func linked(set TrainingSet, seed uint64) TrainingSet {
	rng := rand.New(rand.NewPCG(seed, 9))
	word := func(kind int) string { return topics[kind][rng.IntN(len(topics[kind]))] }
	for _, e := range set.Edges {
		k := e[1] % len(topics)
		p := &set.Pages[e[0]]
		p.Links = append(p.Links, Link{To: e[1], Link: webgraph.Link{Anchor: word(k) + " " + word(k)}})
	}
	for i := range set.Pages {
		for range 6 {
			set.Pages[i].Links = append(set.Pages[i].Links, Link{To: -1, Link: webgraph.Link{Anchor: word(3) + " " + word(i%len(topics))}})
		}
	}
	set.Entries = []int{3}
	return set
}

// shuffled is the same session with texts and anchors dealt to pages at random: there is nothing to learn.
func shuffled(set TrainingSet, seed uint64) TrainingSet {
	rng := rand.New(rand.NewPCG(seed, 11))
	var texts []string
	for _, p := range set.Pages {
		texts = append(texts, p.Text)
	}
	rng.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	for i := range set.Pages {
		set.Pages[i].Text = texts[i]
		for k := range set.Pages[i].Links {
			set.Pages[i].Links[k].Anchor = topics[rng.IntN(4)][rng.IntN(10)]
		}
	}
	return set
}

func mustAssess(t *testing.T, set TrainingSet) (*Bundle, *Report) {
	t.Helper()
	tr, err := Learn(context.Background(), set, DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tr.Assess(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return tr.Bundle(), r
}

func TestAssessWhereWordsTell(t *testing.T) {
	b, r := mustAssess(t, linked(session(80, 1), 1))
	if r.Folds != 10 || r.LinkMRR.Low <= r.ChanceMRR.High || r.LinkMRR.N < 20 {
		t.Errorf("links %+v, chance %+v", r.LinkMRR, r.ChanceMRR)
	}
	if r.AUC.Judge.Value < .95 || r.AUC.Cosine.Value < .9 || r.HopAgreement.Value < .8 || r.Brier.Value >= r.BrierBase.Value {
		t.Errorf("report %+v", r)
	}
	if strings.Contains(r.Verdict, "Too little") || !strings.Contains(r.Verdict, "from others well") {
		t.Errorf("verdict %q", r.Verdict)
	}
	if err := mustReport(t, b, r).Validate(); err != nil {
		t.Error(err)
	}
}

// TestAssessNoise holds that a report finds nothing where there is nothing: figures are what chance gives.
func TestAssessNoise(t *testing.T) {
	_, r := mustAssess(t, shuffled(linked(session(80, 1), 1), 1))
	for name, f := range map[string]measure.Figure{"judge": r.AUC.Judge, "cosine": r.AUC.Cosine} {
		if f.Low > .5 || f.High < .5 {
			t.Errorf("AUC of %s on noise is %+v, want an interval with .5", name, f)
		}
	}
	if r.LinkMRR.Low > r.ChanceMRR.Value {
		t.Errorf("links on noise: %+v, chance %+v", r.LinkMRR, r.ChanceMRR)
	}
	if !strings.Contains(r.Verdict, "cannot show") {
		t.Errorf("verdict %q", r.Verdict)
	}
}

// TestAssessTooLittle asks of sessions that cannot say much.
func TestAssessTooLittle(t *testing.T) {
	for targets := 1; targets < measure.EnoughUseful; targets++ {
		set := linked(session(40, 2), 2)
		left := targets
		for i := range set.Pages {
			set.Pages[i].Target = set.Pages[i].Target && left > 0
			if set.Pages[i].Target {
				left--
			}
		}
		b, r := mustAssess(t, set)
		if !strings.HasPrefix(r.Verdict, "Too little to tell") {
			t.Errorf("%d targets: verdict %q", targets, r.Verdict)
		}
		if targets == 1 && (r.Folds != 0 || r.Choice.Measured) {
			t.Errorf("one target: %+v", r)
		}
		if err := mustReport(t, b, r).Validate(); err != nil {
			t.Errorf("%d targets: %v", targets, err)
		}
	}
}

func TestAssessIsRepeatable(t *testing.T) {
	b, r := mustAssess(t, linked(session(60, 4), 4))
	b2, r2 := mustAssess(t, linked(session(60, 4), 4))
	if !reflect.DeepEqual(r, r2) || !bytes.Equal(mustEncode(t, mustReport(t, b, r)), mustEncode(t, mustReport(t, b2, r2))) {
		t.Errorf("two reports differ:\n%+v\n%+v", r, r2)
	}
	if again, err := Decode(mustEncode(t, mustReport(t, b, r))); err != nil || !reflect.DeepEqual(again.Report, r) {
		t.Errorf("decoded report %+v, %v", again, err)
	}
}

// TestFolds holds over random graphs: every page is away once, and what leads to targets of one fold only is away with
// them.
func TestFolds(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 5 + rng.IntN(60)
		m := &material{settings: DefaultSettings()}
		for range n {
			m.set.Pages = append(m.set.Pages, Page{Target: rng.IntN(4) == 0})
		}
		for range rng.IntN(3 * n) {
			m.set.Edges = append(m.set.Edges, [2]int{rng.IntN(n), rng.IntN(n)})
		}
		targets := m.whole().targets()
		folds := m.folds(maxFolds)
		if len(targets) < 2 {
			if folds != nil {
				t.Fatalf("seed %d: folds of %d targets", seed, len(targets))
			}
			continue
		}
		if len(folds) != min(maxFolds, len(targets)) {
			t.Fatalf("seed %d: %d folds of %d targets", seed, len(folds), len(targets))
		}
		away := make([]int, n)
		for _, f := range folds {
			for _, i := range f.out {
				away[i]++
			}
			if known := f.left.targets(); len(known) == 0 || slices.ContainsFunc(f.out, func(i int) bool { return f.left.target[i] }) {
				t.Fatalf("seed %d: known targets %v, away %v", seed, known, f.out)
			}
			if all := slices.Sorted(slices.Values(slices.Concat(f.out, f.left.known))); len(all) != n || len(slices.Compact(all)) != n {
				t.Fatalf("seed %d: away and known pages are %v", seed, all)
			}
		}
		for _, f := range folds {
			own := make([]bool, n) // targets of this fold
			for _, i := range f.out {
				own[i] = m.set.Pages[i].Target
			}
			toOwn, toKnown := webgraph.Layers(n, m.set.Edges, own, 4), webgraph.Layers(n, m.set.Edges, f.left.target, 4)
			for i, p := range m.set.Pages {
				if !p.Target && toOwn[i] < 3 && toKnown[i] == 3 && !slices.Contains(f.out, i) {
					t.Fatalf("seed %d: page %d leads to targets that are away only, and stays", seed, i)
				}
			}
		}
		for i, times := range away {
			if times != 1 {
				t.Fatalf("seed %d: page %d is away %d times", seed, i, times)
			}
		}
	}
}

func TestWorth(t *testing.T) {
	if got := ExpectedValue([]float64{.5, .25, .25}); got != .5+.125+.0625 {
		t.Errorf("expected value %v", got)
	}
}

func TestReliability(t *testing.T) {
	got := reliability([]float64{.05, .02, .95, 1, .5}, []bool{false, true, true, true, false})
	want := []Band{{0, .1, .035, .5, 2}, {.5, .6, .5, 0, 1}, {.9, 1, .975, 1, 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("bands %+v, want %+v", got, want)
	}
}
