package explore

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// linkedPages stores so many pages that are linked to, and words, and returns the ids of the pages.
func linkedPages(t *testing.T, s *store.Store, n int, words ...string) (ids []int64) {
	t.Helper()
	for i := range n {
		var id int64
		storetest.OK(t, s.Writer.QueryRowContext(t.Context(), `INSERT INTO link_page (url, site) VALUES (?, 'a.test') RETURNING id`, fmt.Sprintf("http://a.test/%d", i)).Scan(&id))
		ids = append(ids, id)
	}
	for _, w := range words {
		storetest.Must(s.Writer.ExecContext(t.Context(), `INSERT INTO word (word) VALUES (?)`, w))(t)
	}
	return ids
}

func addTopic(t *testing.T, s *store.Store, name string) (id int64) {
	t.Helper()
	storetest.OK(t, s.Writer.QueryRowContext(t.Context(), `INSERT INTO topics (name, created_at) VALUES (?, 1) RETURNING id`, name).Scan(&id))
	return id
}

func mustPut(t *testing.T, s *store.Store, g Grouping) Grouping {
	t.Helper()
	g, err := PutGrouping(t.Context(), s.DB, g)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A grouping keeps its number and its result when it is made again, and loses the descriptions of pages that it has no more.
func TestGroupingAgain(t *testing.T) {
	effort.Long(t)
	s := storetest.Open(t)
	pages := linkedPages(t, s, 2500, "flute", "guitar")
	g := mustPut(t, s, Grouping{Scope: links.AllPages, Options: GroupingOptions{MinDocs: 2}})
	r := GroupingResult{Result: []byte(`{"a":1}`), TermWords: []TermWord{{"t1", "flute", 3}, {"t2", "guitar", 1}, {"t1", "guitar", 2}, {"t1", "unknown", 1}}}
	for _, id := range append(pages, 99999) { // the last is gone
		r.Descriptions = append(r.Descriptions, PageDescription{id, fmt.Sprintf(`{"n":%d}`, id)})
	}
	storetest.OK(t, FinishGrouping(t.Context(), s.DB, g, s.Erasures(), r))
	if got, err := GroupingByID(t.Context(), s.DB, g.ID); err != nil || got.State != GroupingDone || got.EndedAt.IsZero() || got.Options.MinDocs != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	count := func() (n int) {
		err := EachDescription(t.Context(), s.DB, g.ID, func(d PageDescription) error {
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
	words, err := WordsOfTerms(t.Context(), s.DB, g.ID, []string{"t1", "t3"})
	if err != nil || !slices.Equal(words, []string{"flute", "guitar"}) {
		t.Errorf("%v, %v", words, err)
	}
	if term, err := TermOfWord(t.Context(), s.DB, g.ID, "guitar"); err != nil || term != "t1" {
		t.Errorf("%q, %v", term, err)
	}
	again := mustPut(t, s, Grouping{Scope: links.AllPages})
	if again.ID != g.ID || again.State != GroupingWorks || !again.EndedAt.IsZero() {
		t.Errorf("%+v", again)
	}
	if text, err := StoredResult(t.Context(), s.DB, g.ID); err != nil || string(text) != `{"a":1}` {
		t.Errorf("%s, %v", text, err)
	}
	if err := FinishGrouping(t.Context(), s.DB, g, s.Erasures(), r); !errors.Is(err, ErrGroupingChanged) {
		t.Errorf("the one with other options: %v", err)
	}
	r.Descriptions, r.TermWords = r.Descriptions[:7], nil
	storetest.OK(t, FinishGrouping(t.Context(), s.DB, again, s.Erasures(), r))
	if n := count(); n != 7 {
		t.Errorf("%d descriptions", n)
	}
}

// What was read before an erasure is not stored, and neither is a grouping that was stopped or deleted.
func TestGroupingChanged(t *testing.T) {
	s := storetest.Open(t)
	g := mustPut(t, s, Grouping{Scope: links.AllPages})
	erasures := s.Erasures()
	storetest.Must(erasing.Host(t.Context(), s, wings.Erasing, "a.test"))(t)
	if err := FinishGrouping(t.Context(), s.DB, g, erasures, GroupingResult{}); !errors.Is(err, db.ErrErased) {
		t.Errorf("%v", err)
	}
	storetest.OK(t, FailGrouping(t.Context(), s.DB, g, "stopped"))
	if err := FinishGrouping(t.Context(), s.DB, g, s.Erasures(), GroupingResult{}); !errors.Is(err, ErrGroupingChanged) {
		t.Errorf("%v", err)
	}
	if err := BeginGrouping(t.Context(), s.DB, g); !errors.Is(err, ErrGroupingChanged) {
		t.Errorf("%v", err)
	}
	storetest.OK(t, DeleteGrouping(t.Context(), s.DB, g.ID))
	if err := DeleteGrouping(t.Context(), s.DB, g.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// The grouping that waits longest is made next.
func TestNextGrouping(t *testing.T) {
	s := storetest.Open(t)
	now := time.UnixMilli(1_000_000)
	s.Now = func() time.Time { now = now.Add(time.Second); return now }
	topic := addTopic(t, s, "Old maps")
	all := mustPut(t, s, Grouping{Scope: links.AllPages})
	of := mustPut(t, s, Grouping{Scope: links.PagesOfTopic, ScopeID: topic})
	mustPut(t, s, Grouping{Scope: links.AllPages}) // asked for again: it waits anew
	for _, want := range []int64{of.ID, all.ID, 0} {
		g, err := NextGrouping(t.Context(), s.DB)
		if g.ID != want || want == 0 && !errors.Is(err, db.ErrNotFound) {
			t.Errorf("got %d, want %d, %v", g.ID, want, err)
		}
		if want != 0 {
			storetest.OK(t, FailGrouping(t.Context(), s.DB, g, "x"))
		}
	}
	if scope, _, err := GroupingNames(t.Context(), s.DB, of); err != nil || scope != "Old maps" {
		t.Errorf("%q, %v", scope, err)
	}
}

// Groupings go with what they are of, since its number may come again.
func TestGroupingGoesWithItsScope(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	topic := addTopic(t, s, "Old maps")
	mustPut(t, s, Grouping{Scope: links.PagesOfTopic, ScopeID: topic})
	mustPut(t, s, Grouping{Scope: links.PagesOfCrawl, ScopeID: c.ID})
	mustPut(t, s, Grouping{Scope: links.AllPages})
	for _, text := range []string{`DELETE FROM crawls`, `DELETE FROM topics WHERE name = 'Old maps'`} {
		storetest.Must(s.Writer.ExecContext(t.Context(), text))(t)
	}
	if all, err := Groupings(t.Context(), s.DB); err != nil || len(all) != 1 || all[0].Scope != links.AllPages {
		t.Errorf("%+v, %v", all, err)
	}
}
