package search

import (
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func newMaker(seed uint64) *sessiontest.Maker {
	return sessiontest.NewMaker(seed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
}

// mustIngest stores events, none of which may be refused.
func mustIngest(tb testing.TB, s *store.Store, events ...protocol.Event) {
	tb.Helper()
	admitted, refused := session.AdmitAll(events)
	in, err := s.Ingest(tb.Context(), admitted)
	if err != nil || len(refused)+len(in.Refused) > 0 || len(in.Acked) != len(events) {
		tb.Fatalf("acked %d of %d, refused %+v %+v, %v", len(in.Acked), len(events), refused, in.Refused, err)
	}
}

func mustExec(tb testing.TB, s *store.Store, text string, args ...any) {
	tb.Helper()
	storetest.Must(s.Writer.ExecContext(tb.Context(), text, args...))(tb)
}
