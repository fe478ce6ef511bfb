package strategy

import (
	"testing"

	"nightjar/crawler/page"
	"nightjar/model/contextgraph"
)

// TestBacklinksRise: a page of the session that links to a relevant page comes into the queue of its own layer, whatever
// page of the crawl led to it, before and after; without the option, it does not.
func TestBacklinksRise(t *testing.T) {
	b := bundle()
	var target, parent int
	for _, e := range b.Edges {
		if b.Pages[e[1]].Target {
			parent, target = e[0], e[1]
		}
	}
	for _, name := range []string{withBacklinks, "context-graph"} {
		s := mustLearner(t, name, b)
		own := s.(*contextGraph).priority(b.Lessons.Pages[parent])
		if own[0] != 4 {
			t.Fatalf("a parent of a target has priority %v", own)
		}
		far := func() Judgement {
			return mustRead(s, Visit{Page: &page.Page{URL: "https://b.test/", Text: "garden", Links: []page.Link{{URL: b.Pages[parent].URL}, {URL: "https://b.test/2"}}}})
		}
		before := far()
		j := mustRead(s, Visit{Page: &page.Page{URL: b.Pages[target].URL, Text: "hockey puck goalie stick rink skate league playoff"}})
		if !j.Relevant {
			t.Fatal("a page of nothing but hockey is not relevant")
		}
		after, rises := far(), name == withBacklinks
		if j.Reorder != rises {
			t.Errorf("%s: a relevant page reorders: %v", name, j.Reorder)
		}
		for what, p := range map[string]Priority{"queued before": s.Priority(b.Pages[parent].URL, before.Notes[0]), "queued after": after.Priorities[0]} {
			if rose := p.Compare(own) == 0; rose != rises {
				t.Errorf("%s: %s, the parent has priority %v, its own is %v", name, what, p, own)
			}
		}
		if before.Priorities[0].Compare(own) >= 0 || after.Priorities[1].Compare(before.Priorities[1]) != 0 {
			t.Errorf("%s: others changed: %v and %v", name, before.Priorities, after.Priorities)
		}
	}
}

// TestPosteriorDecides: with [HMM]'s threshold a page that no layer is made for stays in the winning one.
func TestPosteriorDecides(t *testing.T) {
	usual, half := mustNew(t, "context-graph").(*contextGraph), mustNew(t, withPosterior).(*contextGraph)
	words := bundle().Words("hockey university campus puck goalie")
	a, b := usual.model.Classify(contextgraph.Document(words)), half.model.Classify(contextgraph.Document(words))
	if a.Posterior != b.Posterior || a.Layer != contextgraph.Other || b.Layer == contextgraph.Other || b.Posterior < .5 {
		t.Errorf("of class %+v, by the posterior %+v", a, b)
	}
}
