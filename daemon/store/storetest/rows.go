package storetest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"testing"

	"nightjar/daemon/store"
)

// Change executes a statement that the store does not have.
func Change(tb testing.TB, s *store.Store, text string, args ...any) {
	tb.Helper()
	if _, err := s.Writer.ExecContext(tb.Context(), text, args...); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
}

// Fetched stores a fetch that got a page, with its HTML unless that is "", and returns its id. n is its number in the crawl, url the
// address before redirects, and final the one after them.
func Fetched(tb testing.TB, s *store.Store, crawl int64, n int, url, final, html string) (id int64) {
	tb.Helper()
	var hash []byte
	if html != "" {
		sum := sha256.Sum256([]byte(html))
		hash = sum[:]
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		Must(z.Write([]byte(html)))(tb)
		OK(tb, z.Close())
		Change(tb, s, `INSERT OR IGNORE INTO contents (hash, gzip) VALUES (?, ?)`, hash, packed.Bytes())
	}
	OK(tb, s.Writer.QueryRowContext(tb.Context(), `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, content_hash)
		VALUES (?, ?, ?, ?, 'h', 'ok', 1, ?) RETURNING id`, crawl, n, url, final, hash).Scan(&id))
	return id
}
