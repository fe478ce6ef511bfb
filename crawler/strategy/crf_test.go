package strategy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/feature"
	"nightjar/crawler/page"
	"nightjar/model"
	"nightjar/model/crf"
	"nightjar/model/ways"
)

// linkOf is a link to a page of a topic, by a word of that topic.
func linkOf(rng *rand.Rand, topic, n int) page.Link {
	said := words(rng, topic, 6)
	return page.Link{URL: fmt.Sprintf("https://a.test/%d/%d", topic, n), Anchor: strings.Fields(said)[0], Before: said, After: said, Around: said}
}

// withNames is the tests' model with milestones in the place of hops.
func withNames(tb testing.TB) *model.Bundle {
	tb.Helper()
	rng := rand.New(rand.NewPCG(5, 13))
	names := []string{"", "university", "recipe", "garden"}
	set := model.TrainingSet{}
	for i := range 48 {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprintf("https://a.test/%d", i), Text: words(rng, i%4, 40), Target: i%4 == 0})
		for to := i%4 - 1; to >= 0 && to < i && len(set.Edges) < 400; to += 4 {
			if to%4 == i%4-1 && rng.IntN(3) == 0 {
				set.Edges = append(set.Edges, [2]int{i, to})
			}
		}
	}
	paths := waysOf(set, rng)
	for _, p := range paths {
		for i := range p.Steps {
			p.Steps[i].Name = names[p.Steps[i].Hop%4]
		}
	}
	w, err := ways.Learn(tb.Context(), paths, ways.Options{HeadingSets: feature.DefaultSets().String()}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return mustCopyOf(bundle()).WithWays(w, "")
}

func mustCopyOf(b *model.Bundle) *model.Bundle { return b.WithWays(b.Ways, b.NoWays) }

func mustCRF(tb testing.TB, b *model.Bundle, name string) *crfStrategy {
	tb.Helper()
	s, err := New(tb.Context(), name, b)
	if err != nil {
		tb.Fatal(err)
	}
	return s.(*crfStrategy)
}

// rowSum adds weights of features by their names, one look-up at a time.
func rowSum(names []string, t *crf.Table, features []string, labels int) []float64 {
	sum := make([]float64, labels)
	for _, f := range features {
		at, known := slices.BinarySearch(names, f)
		if !known {
			continue
		}
		for k := t.Start[at]; k < t.Start[at+1]; k++ {
			sum[t.Label[k]] += t.Weight[k]
		}
	}
	return sum
}

// TestCRFFollowsThePath recomputes §5.2.5 of [CRF] along a path with plain sums of exponentials.
func TestCRFFollowsThePath(t *testing.T) {
	for _, name := range []ways.Reward{ways.Visits, ways.Printed} {
		w := *bundle().Ways
		w.Reward = name
		b := bundle().WithWays(&w, "")
		s, rng, worth := mustCRF(t, b, "crf"), rand.New(rand.NewPCG(1, 13)), w.Worth(name)
		l := len(w.Labels)
		var alpha, signs []float64
		var sums [][]float64
		var parent, note []byte
		for step, topic := range []int{3, 2, 1, 0} {
			v := visit(words(rng, topic, 30), 0)
			v.Start, v.Parent, v.Note, v.Page.URL = step == 0, parent, note, fmt.Sprintf("https://a.test/p/%d", step)
			for i := range 12 {
				v.Page.Links = append(v.Page.Links, linkOf(rng, i%4, i))
			}
			j := mustRead(s, v)
			said := rowSum(w.PageFeatures, &w.Field.Pages, feature.Of(v.Page).Page(v.Page, s.sets), l)
			for y := range l { // weights, not logarithms: the path is short
				if step == 0 {
					alpha = append(alpha, math.Exp(said[y]))
				} else {
					alpha[y] *= math.Exp(said[y])
				}
			}
			for y := range l {
				if step > 0 {
					said[y] += signs[y]
				}
			}
			most := slices.Max(said)
			for y := range l {
				if got := j.Signs[y]; math.Abs(got-(said[y]-most)) > 1e-4 {
					t.Fatalf("%s, step %d: signs %v, want %v less %v", name, step, j.Signs, said, most)
				}
			}
			sums = append(sums, j.Signs)
			total := 0.0
			for _, a := range alpha {
				total += a
			}
			for y, label := range w.Labels {
				hop, _ := ways.Hop(label)
				if math.Abs(j.States[hop]-alpha[y]/total) > 1e-6 {
					t.Fatalf("%s, step %d: states %v, want %v", name, step, j.States, alpha)
				}
			}
			var behind [][]float64
			for i, link := range v.Page.Links {
				g := rowSum(w.LinkFeatures, &w.Field.Links, feature.Of(v.Page).Link(v.Page, i), l)
				next, all, score := make([]float64, l), 0.0, 0.0
				for to := range l {
					for from := range l {
						next[to] += alpha[from] * math.Exp(w.Field.Steps[from*l+to]+g[to])
					}
					all += next[to]
				}
				for y := range l {
					score += worth[y] * next[y] / all
				}
				if got := 1 + float64(j.Priorities[i][0])/scoreSteps; math.Abs(got-score) > 1e-6 {
					t.Fatalf("%s, step %d, link %s: score %v, want %v", name, step, link.Anchor, got, score)
				}
				n, ok := readWayNote(j.Notes[i], l)
				if !ok || int(n.label) != slices.Index(next, slices.Max(next)) {
					t.Errorf("%s, step %d, link %s: note %+v, want label of %v", name, step, link.Anchor, n, next)
				}
				behind = append(behind, next)
			}
			follow := 11 - topic%2 // any
			alpha, signs = behind[follow], rowSum(w.LinkFeatures, &w.Field.Links, feature.Of(v.Page).Link(v.Page, follow), l)
			parent, note = j.Path, j.Notes[follow]
		}
		if labels := Labels(b, sums); len(labels) != 4 || labels[0].Probability <= .25 {
			t.Errorf("%s: labels %+v", name, labels)
		}
	}
}

// TestCRFNearerLinksComeFirst: a page links to all kinds of pages, and the words of its links alone tell them apart.
func TestCRFNearerLinksComeFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 13))
	for what, b := range map[string]*model.Bundle{"hops": bundle(), "milestones": withNames(t)} {
		v := visit(words(rng, 1, 30), 0)
		v.Start = true
		for topic := range 4 {
			v.Page.Links = append(v.Page.Links, linkOf(rng, topic, 1))
		}
		j := mustRead(mustCRF(t, b, "crf"), v)
		p := j.Priorities
		if p[0].Compare(p[1]) <= 0 || p[0].Compare(p[2]) <= 0 || p[0].Compare(p[3]) <= 0 {
			t.Errorf("%s: the links to %q have priorities %v", what, b.Ways.Labels, p)
		}
		for _, k := range p { // a start page has no priority, and a link on a copy the least
			if k.Compare(nil) > 0 || k.Compare(Priority{math.MinInt32}) <= 0 {
				t.Errorf("%s: priority %v", what, k)
			}
		}
		if (j.States == nil) != (what == "milestones") || j.Evidence != nil {
			t.Errorf("%s: states %v, evidence %v", what, j.States, j.Evidence)
		}
	}
}

// TestCRFArrives: the note of the link decides where the path stands; without it the page that holds the link does; without
// both the page alone.
func TestCRFArrives(t *testing.T) {
	s, rng := mustCRF(t, bundle(), "crf"), rand.New(rand.NewPCG(3, 13))
	near, far := visit(words(rng, 1, 30), 0), visit(words(rng, 3, 30), 0)
	near.Start, far.Start = true, true
	near.Page.Links, far.Page.Links = []page.Link{linkOf(rng, 0, 1)}, []page.Link{linkOf(rng, 2, 1)}
	good, bad := mustRead(s, near), mustRead(s, far)
	stateOf := func(start bool, parent, note []byte) []float64 {
		v := visit("zebra", 0)
		v.Start, v.Parent, v.Note = start, parent, note
		return mustRead(s, v).States
	}
	alone := stateOf(true, nil, nil)
	byNote, byPath := stateOf(false, good.Path, good.Notes[0]), stateOf(false, good.Path, nil)
	switch {
	case reflect.DeepEqual(byNote, byPath) || reflect.DeepEqual(byPath, alone):
		t.Errorf("by note %v, by path %v, alone %v", byNote, byPath, alone)
	case !reflect.DeepEqual(stateOf(false, bad.Path, good.Notes[0]), byNote):
		t.Error("a better way to the same address is not taken over with its score")
	case !reflect.DeepEqual(stateOf(true, good.Path, good.Notes[0]), alone):
		t.Error("a start page has a path before it")
	case !reflect.DeepEqual(stateOf(false, nil, nil), alone):
		t.Error("a page without a path is no start of one")
	case byNote[0] <= byPath[0]:
		t.Errorf("the words of a link to hockey make a useful page less likely: %v, %v", byNote, byPath)
	}
	for what, hostile := range hostileBytes(good.Notes[0], s.field.Labels) {
		if got := stateOf(false, good.Path, hostile); !reflect.DeepEqual(got, byPath) {
			t.Errorf("a note with %s is read as %v", what, got)
		}
	}
	for what, hostile := range hostileBytes(good.Path, s.field.Labels) {
		if got := stateOf(false, hostile, nil); !reflect.DeepEqual(got, alone) {
			t.Errorf("a path with %s is read as %v", what, got)
		}
	}
}

// hostileBytes are notes and paths that no program writes.
func hostileBytes(good []byte, labels int) map[string][]byte {
	change := func(do func([]byte) []byte) []byte { return do(slices.Clone(good)) }
	nan := []byte{0, 0, 0xc0, 0x7f}
	return map[string][]byte{
		"a cut":            good[:2+8*labels-1],
		"another version":  change(func(b []byte) []byte { b[0]++; return b }),
		"another labels":   change(func(b []byte) []byte { b[1]++; return b }),
		"NaN":              change(func(b []byte) []byte { copy(b[3:], nan); copy(b[2:], nan); return b }),
		"too long a tail":  append(slices.Clone(good), 0xff),
		"text":             []byte("hockey"),
		"of another state": pathOf([]float64{.5, .5}),
	}
}

// TestCRFNote: a note keeps its features and its label, and the state to the precision of float32.
func TestCRFNote(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 13))
	for range 500 {
		labels := 2 + rng.IntN(ways.MaxNames-1)
		n := wayNote{label: uint8(rng.IntN(labels)), behind: crf.State{Alpha: make([]float64, labels), Delta: make([]float64, labels)}}
		for y := range labels {
			n.behind.Alpha[y], n.behind.Delta[y] = -rng.ExpFloat64()*100, -rng.ExpFloat64()*100
		}
		for f := int32(rng.IntN(3)); rng.IntN(30) > 0 && len(n.features) < maxFeatures; f += 1 + int32(rng.IntN(5000)) {
			n.features = append(n.features, f)
		}
		b := n.bytes()
		got, ok := readWayNote(b, labels)
		if !ok || got.label != n.label || !slices.Equal(got.features, n.features) {
			t.Fatalf("%+v is read as %+v, %v", n, got, ok)
		}
		for y := range labels {
			if math.Abs(got.behind.Alpha[y]-n.behind.Alpha[y]) > 1e-4 || math.Abs(got.behind.Delta[y]-n.behind.Delta[y]) > 1e-4 {
				t.Fatalf("state %+v is read as %+v", n.behind, got.behind)
			}
		}
		if path := wayPath(n.behind); len(path) != 2+8*labels || len(path) > MaxPath {
			t.Fatalf("a path of %d labels has %d bytes", labels, len(path))
		}
		if cut, ok := readWayNote(b[:rng.IntN(3+8*labels)], labels); ok {
			t.Fatalf("a cut note is read as %+v", cut)
		}
	}
}

// TestCRFLongPath: after 10,000 pages the state is still a distribution, and the words of a page still change it.
func TestCRFLongPath(t *testing.T) {
	s, rng := mustCRF(t, bundle(), "crf"), rand.New(rand.NewPCG(7, 13))
	v := visit(words(rng, 3, 10), 0)
	v.Start = true
	var hockey, garden float64
	for i := range 10_000 {
		topic := (i / 50) % 4
		v.Page.Text, v.Page.Links = words(rng, topic, 10), []page.Link{linkOf(rng, topic, i)}
		j := mustRead(s, v)
		sum := 0.0
		for _, p := range j.States {
			sum += p
		}
		if !(math.Abs(sum-1) < 1e-9) {
			t.Fatalf("page %d: states %v", i, j.States)
		}
		if i%50 == 49 {
			if topic == 0 {
				hockey = j.States[0]
			} else if topic == 3 {
				garden = j.States[0]
			}
		}
		v.Start, v.Parent, v.Note = false, j.Path, j.Notes[0]
	}
	if hockey < .5 || garden > .5 {
		t.Errorf("a useful page has probability %v, another %v", hockey, garden)
	}
}

// TestCRFNeedsWays: a model without ways says what to do, and other strategies need none.
func TestCRFNeedsWays(t *testing.T) {
	for why, want := range map[string]string{"": "train the topic again", "3 ways are needed: mark more": "mark more"} {
		b := bundle().WithWays(nil, why)
		if s, err := New(t.Context(), "crf", b); s != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without ways (%q): %v, %v", why, s, err)
		}
		for _, name := range Names() {
			if _, err := NewWith(t.Context(), name, b, themesFor(name)); name != "crf" && err != nil {
				t.Errorf("%s without ways: %v", name, err)
			}
		}
	}
	w := *bundle().Ways
	w.HeadingSets = "no colon"
	if s, err := New(t.Context(), "crf", bundle().WithWays(&w, "")); s != nil || err == nil || !strings.Contains(err.Error(), "sets of headings") {
		t.Errorf("heading sets that cannot be read: %v, %v", s, err)
	}
}

// TestLabels: what is stored of each page gives the labels of the whole path, as the field labels it.
func TestLabels(t *testing.T) {
	for what, b := range map[string]*model.Bundle{"hops": bundle(), "milestones": withNames(t)} {
		s, rng := mustCRF(t, b, "crf"), rand.New(rand.NewPCG(8, 13))
		var trail [][]float64
		var steps []crf.Step
		v := Visit{Start: true}
		for i, topic := range []int{3, 2, 1, 0} {
			v.Page = visit(words(rng, topic, 30), 0).Page
			if topic > 0 {
				v.Page.Links = []page.Link{linkOf(rng, topic-1, 1)}
			}
			j := mustRead(s, v)
			trail = append(trail, j.Signs)
			step := crf.Step{Page: s.number.Page(feature.Of(v.Page).Page(v.Page, s.sets))}
			if i > 0 {
				n, _ := readWayNote(v.Note, s.field.Labels)
				step.Link = n.features
			}
			steps = append(steps, step)
			v = Visit{Parent: j.Path}
			if topic > 0 {
				v.Note = j.Notes[0]
			}
		}
		best, _ := b.Ways.Field.Viterbi(steps)
		lattice := b.Ways.Field.Lattice(steps)
		got := Labels(b, trail)
		for i, y := range best {
			if got[i].Number != y || got[i].Label != b.Ways.Labels[y] || math.Abs(got[i].Probability-lattice.Marginal(i)[y]) > 1e-3 {
				t.Errorf("%s: page %d is %+v, want %s with %v", what, i, got[i], b.Ways.Labels[y], lattice.Marginal(i)[y])
			}
		}
		if hops := LabelHops(b, got); what == "hops" && !slices.Equal(hops, []int{3, 2, 1, 0}) || what == "milestones" && hops != nil {
			t.Errorf("%s: %v links away", what, hops)
		}
		trail[1] = nil // a page that could not be read
		if got := Labels(b, trail); len(got) != 4 || got[1].Label == "" {
			t.Errorf("%s: with a silent page %+v", what, got)
		}
		for name, bad := range map[string][][]float64{
			"nothing": nil, "silence": {nil, nil}, "another model": {make([]float64, s.field.Labels+1)}, "NaN": {slices.Repeat([]float64{math.NaN()}, s.field.Labels)},
			"infinity": {slices.Repeat([]float64{math.Inf(-1)}, s.field.Labels)},
		} {
			if got := Labels(b, bad); got != nil {
				t.Errorf("%s: %s is labelled %+v", what, name, got)
			}
		}
	}
	if got := Labels(bundle().WithWays(nil, ""), [][]float64{{0, -1, -2, -3}}); got != nil {
		t.Errorf("without ways: %+v", got)
	}
}

// BenchmarkCRF is what a parsed page costs crf: one with 100 links, and one with 10,000.
func BenchmarkCRF(b *testing.B) {
	s, rng := mustCRF(b, bundle(), "crf"), rand.New(rand.NewPCG(9, 13))
	for _, links := range []int{100, 10_000} {
		v := visit(words(rng, 1, 500), 0)
		v.Start = true
		for i := range links {
			v.Page.Links = append(v.Page.Links, linkOf(rng, i%4, i))
		}
		b.Run(fmt.Sprint(links), func(b *testing.B) {
			for b.Loop() {
				mustRead(s, v)
			}
		})
	}
}
