package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func TestDataDirIsHeldByOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "data")
	first, err := openDataDir(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.writeRunInfo(runInfo{Listen: "127.0.0.1:1", PID: 7}); err != nil {
		t.Fatal(err)
	}
	_, err = openDataDir(path)
	if !errors.Is(err, errInUse) || !strings.Contains(command.Hint(err), "127.0.0.1:1") {
		t.Fatalf("second: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := openDataDir(path)
	if err != nil {
		t.Fatalf("after close: %v", err)
	}
	second.Close()
}

func TestDataDirIsPrivate(t *testing.T) {
	path := t.TempDir()
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	d, err := openDataDir(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v; want 0700", info.Mode(), err)
	}
}

func TestDataDirThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "below")} {
		if _, err := openDataDir(path); command.Hint(err) == "" {
			t.Errorf("%s: got %v, want an error with a hint", path, err)
		}
	}
}

// TestWingsScrub: what wings delete after an erasure is deleted in every database that this package opens to write.
func TestWingsScrub(t *testing.T) {
	dir := t.TempDir()
	storetest.At(t, database(dir))
	st := storetest.Must(openStore(t.Context(), dir, store.Options{}))(t)
	defer st.Close()
	storetest.Change(t, st, `INSERT INTO link_queue (url, lost) VALUES ('http://gone.test/', 1)`)
	storetest.OK(t, st.ScrubSoon(t.Context()))
	if n := storetest.Must(db.Single[int](t.Context(), st.Readers, `SELECT count(*) FROM link_queue`))(t); n != 0 {
		t.Errorf("%d erased pages still have links", n)
	}
}
