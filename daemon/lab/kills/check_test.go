package kills

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/store"
)

// database is the file of the store in a data folder.
func database(data string) string { return filepath.Join(data, "nightjar.db") }

// look opens a database by SQLite alone, only to read.
func look(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(path)+"?mode=ro&_pragma=busy_timeout(20000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// lines returns the rows of a query, the columns of each joined by " | ".
func lines(t *testing.T, db *sql.DB, text string, args ...any) []string {
	t.Helper()
	rows, err := db.Query(text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		parts := make([]string, len(values))
		for i, v := range values {
			if b, ok := v.([]byte); ok {
				v = fmt.Sprintf("%x", b)
			}
			parts[i] = fmt.Sprint(v)
		}
		all = append(all, strings.Join(parts, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// count returns the number that a query reads.
func count(t *testing.T, db *sql.DB, text string, args ...any) (n int) {
	t.Helper()
	if err := db.QueryRow(text, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

// sound checks the structure of a database and all its references, and closes it.
func sound(t *testing.T, path string) {
	t.Helper()
	db := look(t, path)
	defer db.Close()
	if said := lines(t, db, "PRAGMA integrity_check"); !slices.Equal(said, []string{"ok"}) {
		t.Fatalf("%s: integrity check: %q", path, said)
	}
	if lost := lines(t, db, "PRAGMA foreign_key_check"); len(lost) > 0 {
		t.Fatalf("%s: rows that refer to nothing: %q", path, lost)
	}
}

// same compares two lists of lines.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("%s: %d lines, want %d; line %d\n got %.300s\nwant %.300s", what, len(got), len(want), i, got[i], want[i])
			return
		}
	}
	t.Errorf("%s: %d lines, want %d", what, len(got), len(want))
}

// copyFolder copies a data folder, whose program must have ended. Other tests may look at it: what SQLite keeps beside the database for
// them comes and goes.
func copyFolder(t *testing.T, from string) (to string) {
	t.Helper()
	to = filepath.Join(t.TempDir(), "data")
	err := filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rest), 0o700)
		}
		err = copyFile(path, filepath.Join(to, rest))
		if errors.Is(err, fs.ErrNotExist) && (strings.HasSuffix(path, "-shm") || strings.HasSuffix(path, "-wal")) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}
