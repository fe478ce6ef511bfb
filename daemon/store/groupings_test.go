package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/lab/effort"
)

// linkedPages stores so many pages that are linked to, and words, and returns the ids of the pages.
func linkedPages(t *testing.T, s *Store, n int, words ...string) (ids []int64) {
	t.Helper()
	for i := range n {
		var id int64
		ok(t, s.Writer.QueryRowContext(t.Context(), `INSERT INTO link_page (url, site) VALUES (?, 'a.test') RETURNING id`, fmt.Sprintf("http://a.test/%d", i)).Scan(&id))
		ids = append(ids, id)
	}
	for _, w := range words {
		must(s.Writer.ExecContext(t.Context(), `INSERT INTO word (word) VALUES (?)`, w))(t)
	}
	return ids
}

func addTopic(t *testing.T, s *Store, name string) (id int64) {
	t.Helper()
	ok(t, s.Writer.QueryRowContext(t.Context(), `INSERT INTO topics (name, created_at) VALUES (?, 1) RETURNING id`, name).Scan(&id))
	return id
}

func mustPut(t *testing.T, s *Store, g Grouping) Grouping {
	t.Helper()
	g, err := s.PutGrouping(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A grouping keeps its number and its result when it is made again, and loses the descriptions of pages that it has no more.
func TestGroupingAgain(t *testing.T) {
	effort.Long(t)
	s := open(t)
	pages := linkedPages(t, s, 2500, "flute", "guitar")
	g := mustPut(t, s, Grouping{Scope: AllPages, Options: GroupingOptions{MinDocs: 2}})
	r := GroupingResult{Result: []byte(`{"a":1}`), TermWords: []TermWord{{"t1", "flute", 3}, {"t2", "guitar", 1}, {"t1", "guitar", 2}, {"t1", "unknown", 1}}}
	for _, id := range append(pages, 99999) { // the last is gone
		r.Descriptions = append(r.Descriptions, PageDescription{id, fmt.Sprintf(`{"n":%d}`, id)})
	}
	ok(t, s.FinishGrouping(t.Context(), g, s.Erasures(), r))
	if got, err := s.Grouping(t.Context(), g.ID); err != nil || got.State != GroupingDone || got.EndedAt.IsZero() || got.Options.MinDocs != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	count := func() (n int) {
		err := s.Descriptions(t.Context(), g.ID, func(d PageDescription) error {
			if d.Body != fmt.Sprintf(`{"n":%d}`, d.Page) {
				t.Errorf("%+v", d)
			}
			n++
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		return n
	}
	if n := count(); n != 2500 {
		t.Errorf("%d descriptions", n)
	}
	words, err := s.TermWords(t.Context(), g.ID, []string{"t1", "t3"})
	if err != nil || !slices.Equal(words, []string{"flute", "guitar"}) {
		t.Errorf("%v, %v", words, err)
	}
	if term, err := s.TermOfWord(t.Context(), g.ID, "guitar"); err != nil || term != "t1" {
		t.Errorf("%q, %v", term, err)
	}
	again := mustPut(t, s, Grouping{Scope: AllPages})
	if again.ID != g.ID || again.State != GroupingWorks || !again.EndedAt.IsZero() {
		t.Errorf("%+v", again)
	}
	if text, err := s.GroupingResult(t.Context(), g.ID); err != nil || string(text) != `{"a":1}` {
		t.Errorf("%s, %v", text, err)
	}
	if err := s.FinishGrouping(t.Context(), g, s.Erasures(), r); !errors.Is(err, ErrGroupingChanged) {
		t.Errorf("the one with other options: %v", err)
	}
	r.Descriptions, r.TermWords = r.Descriptions[:7], nil
	ok(t, s.FinishGrouping(t.Context(), again, s.Erasures(), r))
	if n := count(); n != 7 {
		t.Errorf("%d descriptions", n)
	}
}

// What was read before an erasure is not stored, and neither is a grouping that was stopped or deleted.
func TestGroupingChanged(t *testing.T) {
	s := open(t)
	g := mustPut(t, s, Grouping{Scope: AllPages})
	erasures := s.Erasures()
	must(s.EraseHost(t.Context(), "a.test"))(t)
	if err := s.FinishGrouping(t.Context(), g, erasures, GroupingResult{}); !errors.Is(err, ErrErased) {
		t.Errorf("%v", err)
	}
	ok(t, s.FailGrouping(t.Context(), g, "stopped"))
	if err := s.FinishGrouping(t.Context(), g, s.Erasures(), GroupingResult{}); !errors.Is(err, ErrGroupingChanged) {
		t.Errorf("%v", err)
	}
	if err := s.BeginGrouping(t.Context(), g); !errors.Is(err, ErrGroupingChanged) {
		t.Errorf("%v", err)
	}
	ok(t, s.DeleteGrouping(t.Context(), g.ID))
	if err := s.DeleteGrouping(t.Context(), g.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// The grouping that waits longest is made next.
func TestNextGrouping(t *testing.T) {
	s := open(t)
	now := time.UnixMilli(1_000_000)
	s.Now = func() time.Time { now = now.Add(time.Second); return now }
	topic := addTopic(t, s, "Old maps")
	all := mustPut(t, s, Grouping{Scope: AllPages})
	of := mustPut(t, s, Grouping{Scope: PagesOfTopic, ScopeID: topic})
	mustPut(t, s, Grouping{Scope: AllPages}) // asked for again: it waits anew
	for _, want := range []int64{of.ID, all.ID, 0} {
		g, err := s.NextGrouping(t.Context())
		if g.ID != want || want == 0 && !errors.Is(err, db.ErrNotFound) {
			t.Errorf("got %d, want %d, %v", g.ID, want, err)
		}
		if want != 0 {
			ok(t, s.FailGrouping(t.Context(), g, "x"))
		}
	}
	if scope, _, err := s.GroupingNames(t.Context(), of); err != nil || scope != "Old maps" {
		t.Errorf("%q, %v", scope, err)
	}
}

// Groupings go with what they are of, since its number may come again.
func TestGroupingGoesWithItsScope(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	topic := addTopic(t, s, "Old maps")
	mustPut(t, s, Grouping{Scope: PagesOfTopic, ScopeID: topic})
	mustPut(t, s, Grouping{Scope: PagesOfCrawl, ScopeID: c.ID})
	mustPut(t, s, Grouping{Scope: AllPages})
	for _, text := range []string{`DELETE FROM crawls`, `DELETE FROM topics WHERE name = 'Old maps'`} {
		must(s.Writer.ExecContext(t.Context(), text))(t)
	}
	if all, err := s.Groupings(t.Context()); err != nil || len(all) != 1 || all[0].Scope != AllPages {
		t.Errorf("%+v, %v", all, err)
	}
}
