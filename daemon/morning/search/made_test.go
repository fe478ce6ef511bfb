package search

import (
	"testing"

	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func mustExec(tb testing.TB, s *store.Store, text string, args ...any) {
	tb.Helper()
	storetest.Must(s.Writer.ExecContext(tb.Context(), text, args...))(tb)
}
