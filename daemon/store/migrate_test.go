package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"nightjar/daemon/db"
	"nightjar/migrations"
)

var update = flag.Bool("update", false, "write golden files")

// emptyFile is the file of a database without rows. Applying every migration takes a second under the race detector, so it
// is done once; package storetest does the same for other packages.
var emptyFile = sync.OnceValues(func() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "nightjar.db")
	s, err := Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// empty returns the path of a new database without rows, in a folder of the test's own.
func empty(tb testing.TB) string {
	tb.Helper()
	file := must(emptyFile())(tb)
	path := filepath.Join(tb.TempDir(), "nightjar.db")
	ok(tb, os.WriteFile(path, file, 0o600))
	return path
}

// open opens a store in a new folder.
func open(tb testing.TB) *Store {
	tb.Helper()
	s := must(Open(tb.Context(), empty(tb)))(tb)
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

func TestMigrationNumbers(t *testing.T) {
	files, err := fs.Glob(migrations.Files, "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no migrations: %v", err)
	}
	form := regexp.MustCompile(`^(\d{4})_[a-z0-9_]+\.sql$`)
	for i, name := range files {
		m := form.FindStringSubmatch(name)
		if m == nil {
			t.Fatalf("%s is not of the form 0001_name.sql", name)
		}
		if n, _ := strconv.Atoi(m[1]); n != i+1 {
			t.Errorf("%s stands at place %d: numbers must follow one another from 0001", name, i+1)
		}
	}
}

func TestNewerDatabaseIsNotTouched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	s := must(Open(t.Context(), path))(t)
	s.mustTopic(t, "Hockey")
	must(s.Writer.Exec("PRAGMA user_version = 9999"))(t)
	ok(t, s.Close())
	before := hashes(t, filepath.Dir(path))
	for range 2 {
		if _, err := Open(t.Context(), path); !errors.Is(err, db.ErrNewer) {
			t.Fatalf("got %v, want ErrNewer", err)
		}
	}
	if after := hashes(t, filepath.Dir(path)); after != before {
		t.Errorf("the refused database was changed:\n%s\nwas\n%s", after, before)
	}
}

// The same while the newer version is only in the write-ahead log, as a killed program leaves it.
func TestNewerDatabaseInTheLog(t *testing.T) {
	dir := t.TempDir()
	s := must(Open(t.Context(), filepath.Join(dir, "nightjar.db")))(t)
	defer s.Close()
	must(s.Writer.Exec("PRAGMA user_version = 9999"))(t)
	// A copy of the files is what a killed program leaves.
	killed := t.TempDir()
	for _, name := range []string{"nightjar.db", "nightjar.db-wal"} {
		data := must(os.ReadFile(filepath.Join(dir, name)))(t)
		ok(t, os.WriteFile(filepath.Join(killed, name), data, 0o600))
	}
	before := hashes(t, killed)
	if _, err := Open(t.Context(), filepath.Join(killed, "nightjar.db")); !errors.Is(err, db.ErrNewer) {
		t.Fatalf("got %v, want ErrNewer", err)
	}
	if after := hashes(t, killed); after != before {
		t.Errorf("the refused database was changed:\n%s\nwas\n%s", after, before)
	}
}

// hashes are the SHA-256 of a folder's files, but for the index of the write-ahead log, which holds nothing that is not
// made anew from the log.
func hashes(tb testing.TB, dir string) string {
	tb.Helper()
	files := must(os.ReadDir(dir))(tb)
	var out strings.Builder
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "-shm") {
			continue
		}
		data := must(os.ReadFile(filepath.Join(dir, f.Name())))(tb)
		fmt.Fprintf(&out, "%s %d %x\n", f.Name(), len(data), sha256.Sum256(data))
	}
	return out.String()
}

func TestFilesAreTheOwnersOnly(t *testing.T) {
	s := open(t)
	s.mustTopic(t, "Hockey")
	files, err := os.ReadDir(filepath.Dir(s.Path()))
	if err != nil || len(files) < 2 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", f.Name(), info.Mode(), err)
		}
	}
}

// A step that fails leaves the database at the version before it, and what came before stays.
func TestFailingStep(t *testing.T) {
	plain, err := sql.Open("sqlite", db.DSN(filepath.Join(t.TempDir(), "x.db"), "rwc", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	steps := fstest.MapFS{
		"0001_a.sql": {Data: []byte("CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)")},
		"0002_b.sql": {Data: []byte("CREATE TABLE b (x INTEGER) STRICT; DELETE FROM a; INSERT INTO nowhere VALUES (1)")},
	}
	if err := db.Migrate(t.Context(), plain, steps); err == nil || !strings.Contains(err.Error(), "0002_b.sql") {
		t.Fatalf("got %v, want an error that names the step", err)
	}
	var version, rows, b int
	err = plain.QueryRow("SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM a), (SELECT count(*) FROM sqlite_schema WHERE name = 'b')").Scan(&version, &rows, &b)
	if err != nil || version != 1 || rows != 1 || b != 0 {
		t.Errorf("version %d, %d rows, table b %d, %v; want 1, 1, 0", version, rows, b, err)
	}
	steps["0002_b.sql"].Data = []byte("CREATE TABLE b (x INTEGER) STRICT")
	if err := db.Migrate(t.Context(), plain, steps); err != nil {
		t.Fatal(err)
	}
	if _, err := plain.Exec("INSERT INTO b SELECT x FROM a"); err != nil {
		t.Error(err)
	}
}

func TestPragmasHoldOnEveryConnection(t *testing.T) {
	s := open(t)
	for name, plain := range map[string]*sql.DB{"writer": s.Writer, "reader": s.Readers} {
		n := 1
		if plain == s.Readers {
			n = 4
		}
		for range n {
			conn := must(plain.Conn(t.Context()))(t)
			defer conn.Close()
			for pragma, want := range map[string]string{"foreign_keys": "1", "journal_mode": "wal", "synchronous": "2", "busy_timeout": "10000", "secure_delete": "1"} {
				var got string
				if err := conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
					t.Errorf("%s: %s is %s, %v; want %s", name, pragma, got, err, want)
				}
			}
		}
	}
}

func TestReadersCannotWrite(t *testing.T) {
	s := open(t)
	if _, err := s.Readers.Exec("INSERT INTO topics (name, created_at) VALUES ('x', 0)"); err == nil {
		t.Error("a reader wrote")
	}
}
