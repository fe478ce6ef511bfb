// Package storetest makes databases for tests.
package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"nightjar/daemon/store"
)

// empty is the file of a database without rows. Applying every migration takes a second under the race detector, so it is
// done once.
var empty = sync.OnceValues(func() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "storetest")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	path := filepath.Join(dir, "nightjar.db")
	s, err := store.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Path returns the path of a new database without rows, in a folder of the test's own.
func Path(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "nightjar.db")
	At(tb, path)
	return path
}

// At writes a new database without rows to a path.
func At(tb testing.TB, path string) {
	tb.Helper()
	file, err := empty()
	if err != nil {
		tb.Fatal(fmt.Errorf("make a database: %w", err))
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		tb.Fatal(err)
	}
}

// Exec changes a database behind the store's back. It does not wait for the disk.
func Exec(tb testing.TB, path, text string, args ...any) {
	tb.Helper()
	db, err := sql.Open("sqlite", store.FileURL(path)+"?_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)")
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(tb.Context(), text, args...); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
}
