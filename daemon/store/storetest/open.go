package storetest

import (
	"database/sql"
	"path/filepath"
	"testing"

	"nightjar/daemon/store"
)

// Must returns what a call returned, and fails the test if it returned an error.
func Must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		OK(tb, err)
		return v
	}
}

// OK fails the test for an error.
func OK(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Open opens a new database without rows, and closes it after the test.
func Open(tb testing.TB) *store.Store {
	tb.Helper()
	return OpenWith(tb, store.Options{})
}

// OpenWith is Open with options.
func OpenWith(tb testing.TB, o store.Options) *store.Store {
	tb.Helper()
	s := Must(store.OpenWith(tb.Context(), Path(tb), o))(tb)
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// Full returns the error of a database without room.
func Full(tb testing.TB) error {
	tb.Helper()
	full := Must(sql.Open("sqlite", store.FileURL(filepath.Join(tb.TempDir(), "full.db"))+"?_pragma=max_page_count(2)"))(tb)
	defer full.Close()
	Must(full.Exec("CREATE TABLE t (x)"))(tb)
	_, err := full.Exec("INSERT INTO t VALUES (zeroblob(1000000))")
	if !store.IsFull(err) {
		tb.Fatalf("a full database says %v", err)
	}
	return err
}
