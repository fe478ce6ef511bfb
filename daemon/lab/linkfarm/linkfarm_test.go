package linkfarm_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nightjar/daemon/db"
	"nightjar/daemon/lab/linkfarm"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/links"
)

// made returns what a store holds after Make, by what the store reads.
func made(t *testing.T, seed uint64) (pages []links.Page, words map[int64][]links.Keyword) {
	t.Helper()
	ctx := t.Context()
	s, err := store.Open(ctx, filepath.Join(t.TempDir(), "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := linkfarm.Make(ctx, s, 300, 4000, seed)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
	if n, links, _, err := links.Counts(ctx, s.DB, 1<<40); err != nil || n != 300 || links != 4000 || f.Pages != n || f.Links != links {
		t.Errorf("%d pages, %d links, %v", n, links, err)
	}
	if n, err := links.Waiting(ctx, s.DB, 10); err != nil || n != 0 {
		t.Errorf("%d wait, %v", n, err)
	}
	if pages, _, err = links.Pages(ctx, s.DB, links.PagesOfTopic, f.Topic, 2, false); err != nil || len(pages) < 50 || len(pages) > 250 || pages[0].Title == "" {
		t.Fatalf("%d pages of the topic, %v", len(pages), err)
	}
	one, err := links.PageByURL(ctx, s.DB, linkfarm.URL(0))
	if err != nil || one.Sources < 100 {
		t.Errorf("the most linked page: %+v, %v", one, err)
	}
	if words, err = links.Keywords(ctx, s.DB, []int64{one.ID}, false); err != nil || len(words[one.ID]) < 50 {
		t.Errorf("its words: %v, %v", words, err)
	}
	if err := db.CheckSchema(ctx, s.Readers); err != nil {
		t.Errorf("the schema changed: %v", err)
	}
	return pages, words
}

// TestMake: the store can read what was made, its schema is as before, and the same seed makes the same.
func TestMake(t *testing.T) {
	pages, words := made(t, 1)
	again, said := made(t, 1)
	if diff := cmp.Diff(pages, again) + cmp.Diff(words, said); diff != "" {
		t.Error(diff)
	}
	if other, _ := made(t, 2); cmp.Equal(pages, other) {
		t.Error("another seed makes the same")
	}
}
