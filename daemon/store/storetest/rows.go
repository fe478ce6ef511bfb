package storetest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/store"
)

// Change executes a statement that the store does not have.
func Change(tb testing.TB, s *store.Store, text string, args ...any) {
	tb.Helper()
	dbtest.Exec(tb, s.DB, text, args...)
}

// Count returns the number that a statement reads.
func Count(tb testing.TB, s *store.Store, text string) (n int) {
	tb.Helper()
	OK(tb, s.Readers.QueryRowContext(tb.Context(), text).Scan(&n))
	return n
}

// Grep fails the test if a word stands in any file of a store's folder.
func Grep(tb testing.TB, s *store.Store, word string) {
	tb.Helper()
	dir := filepath.Dir(s.Path())
	for _, f := range Must(os.ReadDir(dir))(tb) {
		if n := bytes.Count(Must(os.ReadFile(filepath.Join(dir, f.Name())))(tb), []byte(word)); n > 0 {
			tb.Errorf("%q stands %d times in %s", word, n, f.Name())
		}
	}
}

// Fetched stores a fetch that got a page, with its HTML unless that is "", and returns its id. n is its number in the crawl, url the
// address before redirects, and final the one after them.
func Fetched(tb testing.TB, s *store.Store, crawl int64, n int, url, final, html string) (id int64) {
	tb.Helper()
	var hash []byte
	if html != "" {
		hash = dbtest.Content(tb, s.DB, html)
	}
	OK(tb, s.Writer.QueryRowContext(tb.Context(), `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, content_hash)
		VALUES (?, ?, ?, ?, 'h', 'ok', 1, ?) RETURNING id`, crawl, n, url, final, hash).Scan(&id))
	return id
}
