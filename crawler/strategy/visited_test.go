package strategy

import (
	"fmt"
	"testing"
)

// TestVisitedTeachesNothing: pages that the person visited get priorities and notes for their links, and the strategies that learn from
// what a crawl meets learn nothing from them, also when a queued link led there.
func TestVisitedTeachesNothing(t *testing.T) {
	for _, name := range []string{"link-value", "ache", "best-classifier"} {
		s := mustNew(t, name)
		l := s.(Learner)
		first := visit("recipe oven sugar", 1)
		first.Visited, first.Start = true, true
		j := mustRead(s, first)
		for i := range 60 {
			v := visit(fmt.Sprint("university campus oven ", i), 3)
			v.Visited, v.Parent, v.Note = true, j.Path, nil
			v.URL, v.Page.URL = fmt.Sprintf("https://a.test/visited/%d", i), fmt.Sprintf("https://a.test/visited/%d", i)
			got := mustRead(s, v)
			if got.Reorder || len(got.Priorities) != len(v.Page.Links) || len(got.Notes) != len(v.Page.Links) {
				t.Fatalf("%s, page %d: reorder %v, %d priorities, %d notes", name, i, got.Reorder, len(got.Priorities), len(got.Notes))
			}
		}
		if asks := l.Ask(100); len(asks) > 0 {
			t.Errorf("%s asks about %q", name, asks)
		}
		page := visit("recipe oven sugar and a lecture", 2)
		if got, want := mustRead(s, page).Useful, mustRead(mustNew(t, name), page).Useful; got != want {
			t.Errorf("%s judges a page by %v, and by %v without the visited pages", name, got, want)
		}
	}
}

// TestVisitedIsUnseen: links of a page of the session are valued as those of a page that the judge has not learned from.
func TestVisitedIsUnseen(t *testing.T) {
	b := bundleFor("link-value")
	s := mustNew(t, "link-value").(*linkValue)
	different := 0
	for i, p := range b.Pages {
		unseen := s.ways.unseen(p.URL, 99)
		if unseen == 99 {
			t.Errorf("nothing is known of %s", p.URL)
		}
		if w := b.Lessons.Pages[i]; unseen != s.judge.LogOdds(s.judge.Row(w)) {
			different++
		}
	}
	if different == 0 {
		t.Error("no page of the session is judged otherwise by a judge that did not learn from it")
	}
	if got := s.ways.unseen("https://never.test/", 99); got != 99 {
		t.Errorf("a page of no session has %v", got)
	}
	if got := new(sessionWays).unseen("https://never.test/", 99); got != 99 {
		t.Errorf("without a session, a page has %v", got)
	}
}
