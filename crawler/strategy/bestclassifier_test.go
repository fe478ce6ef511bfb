package strategy

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"nightjar/crawler/page"
)

// TestBestClassifierFollowsTheJudge: until it is retrained the links of pages come in the order of the model's own judge.
func TestBestClassifierFollowsTheJudge(t *testing.T) {
	s, rng := mustNew(t, "best-classifier"), rand.New(rand.NewPCG(61, 8))
	type read struct {
		useful   float64
		priority Priority
	}
	var all []read
	for i := range 100 {
		v := visit(words(rng, rng.IntN(4), 3)+" "+words(rng, rng.IntN(4), 3), 1)
		v.Page.URL = fmt.Sprintf("https://a.test/%d", i)
		j := mustRead(s, v)
		if j.Reorder {
			t.Fatalf("page %d made it reorder", i)
		}
		all = append(all, read{bundle().Observe(v.Page.Text).Useful, j.Priorities[0]})
	}
	for _, a := range all {
		for _, b := range all {
			if a.useful > b.useful+1e-6 && a.priority.Compare(b.priority) < 0 {
				t.Fatalf("useful with %v, priority %v; with %v, %v", a.useful, a.priority, b.useful, b.priority)
			}
		}
	}
}

// TestBestClassifierLearnsWhatIsUsual: words that the crawl is full of tell less of a page after the judge was retrained, and
// links in the queue lose by it.
func TestBestClassifierLearnsWhatIsUsual(t *testing.T) {
	s, rng := mustLearner(t, "best-classifier", bundle()), rand.New(rand.NewPCG(62, 8))
	var first Judgement
	for i := range 150 {
		p := &page.Page{URL: fmt.Sprintf("https://a.test/%d", i), Text: "referee " + words(rng, 3, 12), Links: []page.Link{{URL: "https://a.test/x"}}}
		j := mustRead(s, Visit{Page: p, URL: p.URL})
		if j.Reorder != (i == 149) {
			t.Fatalf("page %d: reorder %v", i, j.Reorder)
		}
		if i == 0 {
			first = j
		}
	}
	if was, is := first.Priorities[0], s.Priority("https://a.test/x", first.Notes[0]); is.Compare(was) >= 0 {
		t.Errorf("a link of a page like all others had priority %v and has %v", was, is)
	}
}
