// Package sessionstest stores made-up sessions for tests.
package sessionstest

import (
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// Ingest stores the events of a browser, all of which must be acknowledged.
func Ingest(tb testing.TB, s *store.Store, events ...protocol.Event) {
	tb.Helper()
	admitted, refused := session.AdmitAll(events)
	in := storetest.Must(sessions.Ingest(tb.Context(), s, admitted))(tb)
	if len(refused)+len(in.Refused) > 0 || len(in.Acked) != len(events) {
		tb.Fatalf("acknowledged %d of %d, refused %+v %+v", len(in.Acked), len(events), refused, in.Refused)
	}
}
