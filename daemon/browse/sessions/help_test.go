package sessions

import (
	"fmt"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func must[T any](v T, err error) func(testing.TB) T { return storetest.Must(v, err) }

func ok(tb testing.TB, err error) {
	tb.Helper()
	storetest.OK(tb, err)
}

func open(tb testing.TB) *store.Store {
	tb.Helper()
	return storetest.Open(tb)
}

func mustCount(tb testing.TB, s *store.Store, text string) int {
	tb.Helper()
	return storetest.Count(tb, s, text)
}

func record(tb testing.TB) (*store.Store, map[string][]any) {
	return plans.Record(tb, &db.Driver, open)
}

func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("%d:\n got %s\nwant %s", i, got[i], want[i])
		}
	}
	return "one is the beginning of the other"
}
