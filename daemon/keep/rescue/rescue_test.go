package rescue

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestRescue saves the rows of a sound database, all of them, and of one with pages of zeros, most of them: what was saved is
// sound, and no row is one that the damaged database did not have.
func TestRescue(t *testing.T) {
	effort.Long(t)
	whole, _, _ := fullDatabase(t)
	dir := t.TempDir()
	ids := func(path string) []string {
		s := storetest.Must(store.Open(t.Context(), path))(t)
		defer s.Close()
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		all := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, "SELECT id FROM events ORDER BY id"))(t)
		return all
	}
	sound := filepath.Join(dir, "sound.db")
	storetest.OK(t, os.WriteFile(sound, whole, 0o600))
	lost, err := Save(t.Context(), sound, filepath.Join(dir, "all.db"))
	if err != nil || len(lost) > 0 {
		t.Fatalf("of a sound database: %+v, %v", lost, err)
	}
	all := ids(sound)
	if got := ids(filepath.Join(dir, "all.db")); !slices.Equal(got, all) || len(all) < 150 {
		t.Errorf("%d of %d events", len(got), len(all))
	}
	leaves, unreadable, worst := 0, 0, len(all)
	for i, page := range pageKinds(whole)["leaf"] {
		if page == 1 || i%16 != 2 {
			continue
		}
		leaves++
		bad := slices.Clone(whole)
		clear(bad[(page-1)*4096 : page*4096])
		path, to := filepath.Join(dir, "bad.db"), filepath.Join(dir, "saved.db")
		storetest.OK(t, os.WriteFile(path, bad, 0o600))
		lost, err := Save(t.Context(), path, to)
		if db.Damaged(err) { // the page has the tables' names: without them, nothing can be read
			unreadable++
			continue
		}
		if err != nil {
			t.Errorf("page %d: %v", page, err)
			continue
		}
		got := ids(to)
		worst = min(worst, len(got))
		for _, id := range got {
			if _, there := slices.BinarySearch(all, id); !there {
				t.Errorf("page %d: the event %q was made up", page, id)
			}
		}
		if len(got) < len(all) && len(lost) == 0 {
			t.Errorf("page %d: %d of %d events, and nobody is told", page, len(got), len(all))
		}
		storetest.OK(t, os.Remove(to))
	}
	t.Logf("%d damaged leaves; at least %d of %d events were saved", leaves, worst, len(all))
	if leaves < 4 || unreadable > leaves/2 || worst < len(all)*8/10 {
		t.Errorf("%d damaged leaves; only %d of %d events were saved", leaves, worst, len(all))
	}
}
