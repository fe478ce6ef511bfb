package store

import (
	"fmt"
	"os"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
)

// must returns what a call returned, and fails the test if it returned an error.
func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		ok(tb, err)
		return v
	}
}

// ok fails the test for an error.
func ok(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func mustRead(tb testing.TB, path string) []byte {
	tb.Helper()
	text := must(os.ReadFile(path))(tb)
	return text
}

func mustCount(tb testing.TB, s *Store, text string) (n int) {
	tb.Helper()
	ok(tb, s.Readers.QueryRow(text).Scan(&n))
	return n
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("%d:\n got %s\nwant %s", i, got[i], want[i])
		}
	}
	return "one is the beginning of the other"
}

func record(tb testing.TB) (*Store, map[string][]any) { return plans.Record(tb, &db.Driver, open) }

// mustTopic stores a topic.
func (s *Store) mustTopic(tb testing.TB, name string) {
	tb.Helper()
	s.mustExec(tb, `INSERT INTO topics (name, created_at) VALUES (?, 1)`, name)
}
