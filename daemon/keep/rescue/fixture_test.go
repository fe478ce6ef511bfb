package rescue

import (
	"os"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func maker(seed uint64) *sessiontest.Maker {
	return sessiontest.NewMaker(seed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
}

// mustIngest stores events, all of which must be acked.
func mustIngest(tb testing.TB, s *store.Store, events ...protocol.Event) {
	tb.Helper()
	admitted, refused := session.AdmitAll(events)
	in, err := s.Ingest(tb.Context(), admitted)
	if err != nil || len(refused) > 0 || len(in.Acked) != len(events) {
		tb.Fatalf("acked %d of %d, refused %+v, %v", len(in.Acked), len(events), refused, err)
	}
}

func mustRead(tb testing.TB, path string) []byte {
	tb.Helper()
	return storetest.Must(os.ReadFile(path))(tb)
}
