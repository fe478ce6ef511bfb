package surfer

import (
	"strings"
	"time"

	"nightjar/daemon/browse/protocol"
)

// pace is the range of times that a step takes.
var pace = map[protocol.Type][2]time.Duration{
	protocol.Visit: {2 * time.Second, 20 * time.Second}, protocol.Snapshot: {200 * time.Millisecond, 900 * time.Millisecond},
	protocol.Frame: {50 * time.Millisecond, 200 * time.Millisecond}, protocol.Back: {time.Second, 12 * time.Second},
	protocol.Useful: {5 * time.Second, 60 * time.Second}, protocol.Submit: {time.Second, 10 * time.Second},
}

// emit numbers and dates an event, advances the time, and passes it on.
func (s *Surfer) emit(e protocol.Event) error {
	var took time.Duration
	if p := pace[e.Type]; p[1] > 0 {
		took = p[0] + time.Duration(s.o.Rand.Int64N(int64(p[1]-p[0])))
	}
	return s.o.Emit(s.events.Stamp(e, took))
}

// cutBytes shortens a text to at most n bytes of whole characters.
func cutBytes(text string, n int) string { return strings.ToValidUTF8(text[:n], "") }
