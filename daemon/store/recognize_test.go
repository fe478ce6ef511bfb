package store

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"nightjar/daemon/db"
)

// sums has a hash of each file of a folder.
func sums(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	entries := must(os.ReadDir(dir))(t)
	all := map[string][32]byte{}
	for _, e := range entries {
		text := must(os.ReadFile(filepath.Join(dir, e.Name())))(t)
		all[e.Name()] = sha256.Sum256(text)
	}
	return all
}

// TestForeignDatabase: a database of another program is refused and stays as it is, byte for byte, and nothing is made beside
// it, also when that program was killed and left a write-ahead log.
func TestForeignDatabase(t *testing.T) {
	for name, statements := range map[string][]string{
		"other tables":         {"CREATE TABLE bookmarks (url)"},
		"a version":            {"CREATE TABLE bookmarks (url)", "PRAGMA user_version = 7"},
		"some like ours":       {"CREATE TABLE events (at)", "CREATE TABLE settings (key)", "PRAGMA user_version = 3"},
		"an application":       {"PRAGMA application_id = 252006674", "CREATE TABLE t (x)"},
		"write-ahead":          {"PRAGMA journal_mode = WAL", "CREATE TABLE bookmarks (url)"},
		"a newer one's number": {"CREATE TABLE bookmarks (url)", "PRAGMA user_version = 70"},
	} {
		t.Run(name, func(t *testing.T) {
			made := filepath.Join(t.TempDir(), "made.db")
			plain := must(sql.Open("sqlite", db.FileURL(made)))(t)
			plain.SetMaxOpenConns(1)
			for _, text := range statements {
				must(plain.Exec(text))(t)
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "nightjar.db")
			for _, end := range []string{"", "-wal"} { // as a killed process leaves them
				text, err := os.ReadFile(made + end)
				if errors.Is(err, os.ErrNotExist) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				ok(t, os.WriteFile(path+end, text, 0o600))
			}
			ok(t, plain.Close())
			before := sums(t, dir)
			if _, err := Open(t.Context(), path); !errors.Is(err, db.ErrNotNightjar) {
				t.Errorf("opened: %v", err)
			}
			after := sums(t, dir)
			if len(after) != len(before) {
				t.Errorf("files before %d, after %d", len(before), len(after))
			}
			for file, sum := range before {
				if after[file] != sum {
					t.Errorf("%s was changed", file)
				}
			}
		})
	}
}
