package operators

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"strings"
	"testing"
)

// linkRows stores links 1 to 2, 2 to 3 and so on, with words.
func linkRows(t *testing.T, s *store.Store, pages int) {
	t.Helper()
	for i := 1; i <= pages; i++ {
		for _, text := range []string{
			fmt.Sprintf(`INSERT INTO link_page (id, url, site) VALUES (%d, 'https://a.test/%d', 'a.test')`, i, i),
			fmt.Sprintf(`INSERT INTO word (id, word) VALUES (%d, 'word%d')`, i, i),
		} {
			storetest.Must(s.Writer.Exec(text))(t)
		}
		if i == 1 {
			continue
		}
		for _, text := range []string{
			fmt.Sprintf(`INSERT INTO link (id, src, dst, pos) VALUES (%d, %d, %d, 0)`, i, i-1, i),
			fmt.Sprintf(`INSERT INTO link_word (link, word, n) VALUES (%d, %d, 1), (%d, 1, 2)`, i, i, i),
		} {
			storetest.Must(s.Writer.Exec(text))(t)
		}
	}
}

// TestOperatorsScanOnlyForAll: no operator reads a whole table or index, except where a set of all pages asks for it.
func TestOperatorsScanOnlyForAll(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	linkRows(t, s, 12)
	some, more, every := PageSet{IDs: []int64{1, 2}}, PageSet{IDs: []int64{2, 3, 4}}, PageSet{All: true}
	many := PageSet{IDs: make([]int64, 300)}
	words, manyIDs := []int64{1, 2}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	storetest.OK(t, ReadLinks(t.Context(), s.DB, func(g *LinkGraph) error {
		clear(all) // what BEGIN and the rows said
		ctx := t.Context()
		var errs []error
		note := func(_ any, err error) { errs = append(errs, err) }
		for _, back := range []bool{false, true} {
			for _, w := range [][]int64{nil, words, manyIDs} {
				note(g.Step(ctx, some.IDs, back, w))
			}
		}
		for by := CountNothing; by <= CountSources; by++ {
			for _, pair := range [][2]PageSet{{some, more}, {more, some}, {some, every}, {every, more}, {many, many}} {
				note(g.Keywords(ctx, pair[0], pair[1], by))
			}
		}
		for i := range 4 {
			q := LinkedQuery{Hubs: i&1 > 0, Other: i&2 > 0, In: some}
			note(g.Linked(ctx, q))
			q.Words = words
			note(g.Linked(ctx, q))
			q.In = many
			note(g.Linked(ctx, q))
			q.In = every
			note(g.Linked(ctx, q))
		}
		note(g.PagesWithPrefix(ctx, "https://a.test/"))
		note(g.Words(ctx, []string{"word1"}))
		note(g.Name(ctx, some.IDs))
		note(g.PageByURL(ctx, "https://a.test/1"))
		return errors.Join(errs...)
	}))
	if len(all) < 40 {
		t.Errorf("only %d statements were seen", len(all))
	}
	plans.NoFullScans(t, s.Readers, all)
}

// A set of all pages reads one index, and no rows of link.
func TestOperatorsOnAllReadAnIndex(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	linkRows(t, s, 3)
	every := PageSet{All: true}
	err := ReadLinks(t.Context(), s.DB, func(g *LinkGraph) error {
		clear(all)
		_, first := g.Linked(t.Context(), LinkedQuery{In: every})
		_, second := g.Linked(t.Context(), LinkedQuery{In: every, Hubs: true})
		_, third := g.Keywords(t.Context(), every, every, CountOccurrences)
		return errors.Join(first, second, third)
	})
	if err != nil || len(all) != 3 {
		t.Fatal(len(all), err)
	}
	for text, args := range maps.Clone(all) {
		scans := plans.FullScans(t, s.Readers, text, args...)
		if strings.Contains(text, "link_word") && strings.Contains(text, "link l") {
			t.Errorf("links are read for %s", text)
		}
		if len(scans) != 1 || !strings.Contains(scans[0], "COVERING INDEX link_") {
			t.Errorf("%q in %s", scans, text)
		}
	}
}

func TestStepsInParts(t *testing.T) {
	s := storetest.Open(t)
	linkRows(t, s, 5)
	from := make([]int64, 0, stepAtOnce+3)
	for i := range stepAtOnce + 1 {
		from = append(from, int64(100+i)) // of no page
	}
	from = append(from, 1, 3)
	storetest.OK(t, ReadLinks(t.Context(), s.DB, func(g *LinkGraph) error {
		got, err := g.Step(t.Context(), from, false, nil)
		if len(got) != 2 || got[0]+got[1] != 6 {
			t.Errorf("%v", got)
		}
		return err
	}))
}

func TestReadLinksSeesOneState(t *testing.T) {
	s := storetest.Open(t)
	linkRows(t, s, 3)
	storetest.OK(t, ReadLinks(t.Context(), s.DB, func(g *LinkGraph) error {
		_, before, err := g.AllPages(t.Context(), 0)
		if err != nil {
			return err
		}
		if _, err := s.Writer.Exec(`INSERT INTO link_page (id, url, site) VALUES (9, 'https://new.test/', 'new.test')`); err != nil {
			return err
		}
		_, after, err := g.AllPages(t.Context(), 0)
		if before != 3 || after != 3 {
			t.Errorf("%d pages, then %d", before, after)
		}
		return err
	}))
}

func TestSavedSetsAreLimited(t *testing.T) {
	s := storetest.Open(t)
	ctx := t.Context()
	storetest.Must(s.Writer.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO saved_sets (name, expression, created_at) SELECT 'set' || i, '[]', 1 FROM n`, MaxSavedSets))(t)
	if err := SaveSet(ctx, s.DB, "another", "[]"); !errors.Is(err, ErrManySets) {
		t.Error(err)
	}
	if err := SaveSet(ctx, s.DB, "SET7", "{}"); err != nil {
		t.Error(err)
	}
	if err := ForgetSet(ctx, s.DB, "set8"); err != nil {
		t.Error(err)
	}
	if err := SaveSet(ctx, s.DB, "another", "[]"); err != nil {
		t.Error(err)
	}
}

func TestPrefixesOfAddresses(t *testing.T) {
	s := storetest.Open(t)
	for i, url := range []string{"https://a.test/", "https://a.test/ä", "https://a.test/\U0010FFFF", "https://a.test0", "https://a.testz/", "https://b.test/"} {
		storetest.Must(s.Writer.Exec(`INSERT INTO link_page (id, url, site) VALUES (?, ?, 's')`, i+1, url))(t)
	}
	storetest.OK(t, ReadLinks(context.Background(), s.DB, func(g *LinkGraph) error {
		for prefix, want := range map[string]int{"https://a.test/": 3, "https://a.test": 5, "https://a.test/\u00e4": 1, "h": 6, "x": 0, "https://a.test/%": 0} {
			if got, err := g.PagesWithPrefix(t.Context(), prefix); err != nil || len(got) != want {
				t.Errorf("%q: %v, %v; want %d", prefix, got, err, want)
			}
		}
		if _, err := g.PagesWithPrefix(t.Context(), ""); err == nil {
			t.Error("an empty prefix means all pages")
		}
		return nil
	}))
}
