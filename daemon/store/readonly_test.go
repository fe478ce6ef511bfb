package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
)

func TestOpenReadOnly(t *testing.T) {
	v := must(Open(t.Context(), empty(t)))(t)
	dbtest.Topics(t, v.DB)
	read := func() {
		t.Helper()
		s := must(OpenReadOnly(t.Context(), v.Path()))(t)
		defer s.Close()
		if all := mustCount(t, s, "SELECT count(*) FROM topics"); all != 2 {
			t.Errorf("%d topics", all)
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
