package strategy

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/model/naivebayes"
)

// TestNaiveBayesPriorities: the links of a page get its priority, which is the evidence for each term.
func TestNaiveBayesPriorities(t *testing.T) {
	texts := []string{"hockey puck rink", "hockey puck seminar campus", "seminar campus", "garden soil garden soil hockey", "zebra"}
	for _, name := range []string{"naive-bayes", "naive-bayes-paper"} {
		s, b := mustNew(t, name), bundleFor(name)
		for _, one := range texts {
			for _, other := range texts {
				p, q := mustRead(s, visit(one, 2)).Priorities[1], mustRead(s, visit(other, 1)).Priorities[0]
				x, y := b.ReadBayes(one), b.ReadBayes(other)
				worth := map[string][2]float64{
					"naive-bayes":       {x.LogOdds / float64(max(1, x.Terms)), y.LogOdds / float64(max(1, y.Terms))},
					"naive-bayes-paper": {x.Probability(), y.Probability()},
				}[name]
				resolution := map[string]float64{"naive-bayes": 1e-6}[name]
				if d := worth[0] - worth[1]; math.Abs(d) > resolution && (p.Compare(q) > 0) != (d > 0) || d == 0 && p.Compare(q) != 0 {
					t.Errorf("%s: %q has %v of %v, %q has %v of %v", name, one, p, worth[0], other, q, worth[1])
				}
			}
		}
	}
}

// TestProbabilityKeys: the keys of probabilities are in their order; those of a certain page are zeros.
func TestProbabilityKeys(t *testing.T) {
	odds := []float64{-1e4, -750, -700, -30, -27, -1, -1e-9, 0, 1e-9, 1, 26, 30, 36, 38, 1e4}
	for i, x := range odds {
		for _, y := range odds[:i] {
			hi, lo := naivebayes.Reading{LogOdds: x}, naivebayes.Reading{LogOdds: y}
			if got, want := exact(hi).Compare(exact(lo)), compare(hi.Probability(), lo.Probability()); got != want {
				t.Errorf("exact: log odds of %v and %v compare %d, want %d", x, y, got, want)
			}
		}
		r := naivebayes.Reading{LogOdds: x}
		if p := exact(r).Compare(Priority{}); p > 0 || x == 1e4 && p != 0 {
			t.Errorf("log odds %v: %v against certainty", x, exact(r))
		}
	}
	if perTerm(naivebayes.Reading{LogOdds: 1e300}).Compare(perTerm(naivebayes.Reading{LogOdds: 1})) <= 0 {
		t.Error("odds beyond the range have no order")
	}
}

func compare(a, b float64) int {
	switch {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

// TestPaperReadsTheHead: words after the first 10 KB count only when the strategy is not the paper's.
func TestPaperReadsTheHead(t *testing.T) {
	head := strings.Repeat("zebra ", naivebayes.PaperBytes/6)
	for name, same := range map[string]bool{"naive-bayes": false, "naive-bayes-paper": true} {
		s := mustNew(t, name)
		with, without := mustRead(s, visit(head+" zebra hockey puck", 1)), mustRead(s, visit(head+" zebra", 1))
		if (with.Priorities[0].Compare(without.Priorities[0]) == 0) != same || (with.Useful == without.Useful) != same {
			t.Errorf("%s: %v and %v", name, with, without)
		}
	}
}

// TestNeeds: a model without what a strategy needs is refused, and why is said; every other model is not.
func TestNeeds(t *testing.T) {
	for _, k := range slices.Concat(kinds, variants) {
		if lacks := Lacks(k.Name, bundleFor(k.Name)); (lacks != "") != (k.Needs == Ontology) || Needs(k.Name) != k.Needs {
			t.Errorf("%s: %q, needs %v", k.Name, lacks, Needs(k.Name))
		}
		bare := bundle().WithWays(nil, "").WithBayes(nil, "")
		s, err := New(t.Context(), k.Name, bare)
		if (err == nil) != (k.Needs == Nothing) || (Lacks(k.Name, bare) == "") != (err == nil) || (s == nil) == (err == nil) {
			t.Errorf("%s with a bare model: %v, %v", k.Name, s, err)
		}
	}
	for name, say := range map[string]string{"naive-bayes": "naive-bayes-paper", "naive-bayes-paper": "crawl with naive-bayes"} {
		other := paperBundle()
		if name == "naive-bayes-paper" {
			other = bundle()
		}
		if s, err := New(t.Context(), name, other); s != nil || err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s with the other classifier: %v, %v", name, s, err)
		}
		if _, err := New(t.Context(), name, bundle().WithBayes(nil, "there are 3 negative pages")); err == nil || !strings.Contains(err.Error(), "there are 3 negative pages") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if Needs("auto") != Nothing || Needs("nonsense") != Nothing || Best == "naive-bayes" {
		t.Error("auto or an unknown name needs something")
	}
}

// TestBayesNote: what was written is read, and nothing else.
func TestBayesNote(t *testing.T) {
	n := bayesNote{worth: -2.75}
	for i := range namedTerms {
		n.parts = append(n.parts, naivebayes.Part{Term: i * 200, Value: float64(i) - .5})
	}
	b := n.bytes()
	if got, ok := readBayesNote(b, 1401); !ok || !reflect.DeepEqual(got, n) {
		t.Errorf("%+v, %v", got, ok)
	}
	if _, ok := readBayesNote(b, 1400); ok {
		t.Error("a term that the classifier does not have is read")
	}
	whole := 0
	for i := range b { // a note may end after each part
		if _, ok := readBayesNote(b[:i], 1401); ok {
			whole++
		}
	}
	if whole != namedTerms {
		t.Errorf("%d cut notes are read, want those after the worth and after each part but the last", whole)
	}
	huge := bayesNote{worth: math.Inf(1), parts: []naivebayes.Part{{Value: math.Inf(-1)}}}
	if got, ok := readBayesNote(huge.bytes(), 1); !ok || got.worth != mostWorth {
		t.Errorf("%+v, %v", got, ok)
	}
	for name, bad := range map[string][]byte{
		"a part too many": append(slices.Clone(b), 0, 0, 0, 0, 0), "another version": append([]byte{wayVersion}, b[1:]...),
		"a worth of NaN": append([]byte{bayesVersion, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, b[9:]...), "a part of NaN": append(slices.Clone(b[:9]), 0, 0, 0, 0xc0, 0x7f),
		"a number without end": append(slices.Clone(b[:9]), slices.Repeat([]byte{0xff}, 12)...),
	} {
		if got, ok := readBayesNote(bad, 1401); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestNaiveBayesTellsWords: reasons spell words as the session does.
func TestNaiveBayesTellsWords(t *testing.T) {
	s := mustNew(t, "naive-bayes").(Explainer)
	var links []Waiting
	for i, text := range []string{"university hockey", "university garden", "university recipe"} {
		v := Visit{Page: &page.Page{URL: fmt.Sprint("https://w.test/", i), Text: text, Links: []page.Link{{URL: "https://x.test/"}}}}
		links = append(links, Waiting{URL: "https://x.test/", Note: mustRead(s, v).Notes[0]})
	}
	e, ok := s.Explain(links[0], links[1:])
	if !ok || e.Others != 2 || len(e.Reasons) == 0 || e.Reasons[0].Name != "the page it is on says “hockey”" || e.Reasons[0].Value <= 0 {
		t.Fatalf("%+v, %v", e, ok)
	}
	e, _ = s.Explain(links[1], links[:1])
	if !slices.ContainsFunc(e.Reasons, func(r Reason) bool { return r.Name == "the page it is on says “university”" || r.Value < 0 }) {
		t.Errorf("%+v", e)
	}
}
