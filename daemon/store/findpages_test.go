package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
)

func TestFindsBefore(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "a", "b", "c")
	v.crawl(2, 2, "", 20, "d", "e")
	var got []string
	f := FindPage{FindFilter: FindFilter{Limit: 2}}
	for {
		page := must(v.FindsBefore(t.Context(), f))(t)
		for _, one := range page {
			got = append(got, one.Title)
		}
		if len(page) < 2 {
			break
		}
		f.Before = page[1].ID
	}
	if want := []string{"e", "d", "c", "b", "a"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	chosen, err := v.FindsBefore(t.Context(), FindPage{FindFilter: FindFilter{Topic: 1}, IDs: []int64{1, 4, 77}})
	if err != nil || len(chosen) != 1 || chosen[0].Title != "a" {
		t.Errorf("chosen %+v, %v", chosen, err)
	}
	if none, err := v.FindsBefore(t.Context(), FindPage{IDs: []int64{}}); err != nil || len(none) != 0 {
		t.Errorf("no ids: %+v, %v", none, err)
	}
	counts, last, err := v.NewFindsAfter(t.Context(), 1)
	if err != nil || last != 5 || !slices.Equal(counts, []TopicCount{{"Baking", 2}, {"Hockey", 2}}) {
		t.Errorf("%v, %d, %v", counts, last, err)
	}
}

func TestCrawlsBefore(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10)
	v.crawl(2, 2, "", 20)
	for before, want := range map[int64][]int64{0: {2, 1}, 2: {1}, 1: nil} {
		all, err := v.CrawlsBefore(t.Context(), 0, before, 5)
		var got []int64
		for _, c := range all {
			got = append(got, c.ID)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("before %d: %v, %v; want %v", before, got, err, want)
		}
	}
}

func TestOpenReadOnly(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "a")
	read := func() {
		t.Helper()
		s := must(OpenReadOnly(t.Context(), v.Path()))(t)
		defer s.Close()
		if all, err := s.FindsBefore(t.Context(), FindPage{}); err != nil || len(all) != 1 {
			t.Errorf("%+v, %v", all, err)
		}
		if err := s.SetSetting(t.Context(), "x", 1); err == nil {
			t.Error("it was written to")
		}
	}
	read() // while it is open
	ok(t, v.Close())
	read()
	s := must(Open(t.Context(), v.Path()))(t)
	defer s.Close()
	for version, want := range map[string]error{"1": db.ErrOlder, "999": db.ErrNewer} {
		must(s.Writer.Exec("PRAGMA user_version = " + version))(t)
		if _, err := OpenReadOnly(t.Context(), v.Path()); !errors.Is(err, want) {
			t.Errorf("version %s: %v, want %v", version, err, want)
		}
	}
	if _, err := OpenReadOnly(t.Context(), filepath.Join(t.TempDir(), "none.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no database: %v", err)
	}
}

// TestFindPagePlans: no statement about pages of finds reads a growing table whole.
func TestFindPagePlans(t *testing.T) {
	v := newViewed(t)
	plans.NoFullScans(t, v.Readers, map[string][]any{
		findRows + ` AND f.id < ?` + findsByID:                                 {5, 5},
		findRows + ` AND f.id IN (SELECT value FROM json_each(?))` + findsByID: {"[1]", 5},
		newFinds: {1, 5},
	})
}
