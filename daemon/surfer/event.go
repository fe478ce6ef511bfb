package surfer

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"nightjar/daemon/protocol"
)

// pace is how long a step takes.
var pace = map[protocol.Type][2]time.Duration{
	protocol.Visit: {2 * time.Second, 20 * time.Second}, protocol.Snapshot: {200 * time.Millisecond, 900 * time.Millisecond},
	protocol.Frame: {50 * time.Millisecond, 200 * time.Millisecond}, protocol.Back: {time.Second, 12 * time.Second},
	protocol.Useful: {5 * time.Second, 60 * time.Second}, protocol.Submit: {time.Second, 10 * time.Second},
}

// emit numbers an event, lets the time pass that it took, and hands it on.
func (s *Surfer) emit(e protocol.Event) error {
	if p := pace[e.Type]; p[1] > 0 {
		s.now = s.now.Add((p[0] + time.Duration(s.o.Rand.Int64N(int64(p[1]-p[0])))).Truncate(time.Millisecond))
	}
	s.seq++
	e.V, e.ID, e.Client, e.Seq = protocol.Version, s.uuid(), s.o.Client, s.seq
	e.Session, e.Tab, e.At = s.session, 1, s.now
	return s.o.Emit(e)
}

// uuid draws a UUID of version 7 for the present of the session (RFC 9562 §5.7).
func (s *Surfer) uuid() string {
	high := uint64(s.now.UnixMilli())<<16 | s.o.Rand.Uint64()&0x0fff
	return format(7, high, s.o.Rand.Uint64())
}

// format writes a UUID of a version and of the variant of RFC 9562.
func format(version byte, high, low uint64) string {
	high = high&^0xf000 | uint64(version)<<12
	low = low&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&(1<<48-1))
}

// cut shortens a text to n characters.
func cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n])
}

// cutBytes shortens a text to at most n bytes of whole characters.
func cutBytes(text string, n int) string { return strings.ToValidUTF8(text[:n], "") }
