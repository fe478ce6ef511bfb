package protocol

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Sequence gives the events of one session what every event has: identifiers, numbers and times, as the extension would
// count them, for browsers that are simulated. The same source, start and calls give the same events.
type Sequence struct {
	Client  string    // UUID of the browser
	Session string    // UUIDv7
	Seq     int64     // the last number given
	Now     time.Time // of the last event, in UTC and whole milliseconds

	rng *rand.Rand
}

// NewSequence begins a session at start, and draws its identifier. No number has been given.
func NewSequence(client string, start time.Time, rng *rand.Rand) *Sequence {
	s := &Sequence{Client: client, Now: start.UTC().Truncate(time.Millisecond), rng: rng}
	s.Session = s.UUID()
	return s
}

// Stamp lets time pass and numbers an event of the browser's first tab.
func (s *Sequence) Stamp(e Event, took time.Duration) Event {
	s.Now = s.Now.Add(took.Truncate(time.Millisecond))
	s.Seq++
	e.V, e.ID, e.Client, e.Seq = Version, s.UUID(), s.Client, s.Seq
	e.Session, e.Tab, e.At = s.Session, 1, s.Now
	return e
}

// UUID draws a UUID of version 7 for the present of the session (RFC 9562 §5.7).
func (s *Sequence) UUID() string {
	high := uint64(s.Now.UnixMilli())<<16 | s.rng.Uint64()&0x0fff
	return formatUUID(7, high, s.rng.Uint64())
}

// RandomUUID draws a UUID of version 4, as browsers have them (RFC 9562 §5.4).
func RandomUUID(rng *rand.Rand) string {
	return formatUUID(4, rng.Uint64(), rng.Uint64())
}

// formatUUID writes a UUID of a version and of the variant of RFC 9562.
func formatUUID(version byte, high, low uint64) string {
	high = high&^0xf000 | uint64(version)<<12
	low = low&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&(1<<48-1))
}
