package leftovers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"nightjar/crawler/render"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fill makes files, with the folders that they are in.
func fill(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		must(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("canary"), 0o600)))
	}
}

// list has all files of a folder.
func list(t *testing.T, dir string) (all []string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			all = append(all, filepath.ToSlash(name))
		}
		return err
	}))
	slices.Sort(all)
	return all
}

func TestRemove(t *testing.T) {
	dir := t.TempDir()
	kept := []string{"archive/nightjar-1.warc.gz", "backups/nightjar-2026-11-22.nightjar.zip", "extension/manifest.json", "lock",
		"navigation-words.txt", "nightjar.db", "nightjar.db-wal", "nightjar.db.before-0007", "restore/nightjar.db", "restore/plan.json", "wordnet/edition-1/data.noun"}
	fill(t, dir, kept...)
	fill(t, dir, "backup-12/nightjar.db", "backup-12/nightjar.db-journal", "upload-3", "doctor-4", "nightjar-open-6.html", "etilqs_5", "restore.part/nightjar.db",
		"restore.checked/nightjar.db", "nightjar.db.before-0008.part", "daemon.json.new", "extension.sum.new", "extension/src/a.js.new",
		"backups/nightjar-2026-11-23.nightjar.zip.part", "restore.part/archive/x")
	outside := filepath.Join(t.TempDir(), "outside")
	fill(t, outside, "kept")
	must(t, os.Symlink(outside, filepath.Join(dir, "backup-link")))
	must(t, Remove(dir))
	if got := list(t, dir); !slices.Equal(got, kept) {
		t.Errorf("left %q", got)
	}
	if len(list(t, outside)) != 1 {
		t.Error("a link was followed")
	}
	must(t, RemoveAll(dir))
	if got := strings.Join(list(t, dir), " "); strings.Contains(got, "restore") {
		t.Errorf("a backup waits to be put in place after everything was erased: %s", got)
	}
	must(t, Remove(filepath.Join(dir, "missing")))
}

func TestRemoveElsewhere(t *testing.T) {
	if Profile != render.ProfilePrefix {
		t.Errorf("profiles are called %s", render.ProfilePrefix)
	}
	dir := t.TempDir()
	ended := 1 << 22 // above the largest number of a process on Linux
	kept := []string{"nightjar-demo-live/lock", "nightjar-demo-new/other", "nightjar-rendering/x", fmt.Sprintf("%s%d-1/Cache", Profile, os.Getpid()), "other"}
	fill(t, dir, kept...)
	fill(t, dir, "nightjar-demo-dead/lock", "nightjar-demo-dead/nightjar.db", fmt.Sprintf("%s%d-2/Cache", Profile, ended))
	lock := flock.New(filepath.Join(dir, "nightjar-demo-live", "lock"))
	if held, err := lock.TryLock(); !held || err != nil {
		t.Fatal(held, err)
	}
	must(t, RemoveElsewhere(dir))
	slices.Sort(kept)
	if got := list(t, dir); !slices.Equal(got, kept) {
		t.Errorf("left %q, want %q", got, kept)
	}
	must(t, lock.Unlock())
	must(t, RemoveElsewhere(filepath.Join(dir, "missing")))
}
