package protocol

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
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
	id := drawUUID(s.rng)
	at := uint64(s.Now.UnixMilli())<<16 | 7<<12
	binary.BigEndian.PutUint64(id[:8], at|binary.BigEndian.Uint64(id[:8])&0x0fff)
	return id.String()
}

// RandomUUID draws a UUID of version 4, as browsers have them (RFC 9562 §5.4).
func RandomUUID(rng *rand.Rand) string {
	return drawUUID(rng).String()
}

// drawUUID draws a UUID of version 4. The library's uuid.NewV7FromReader reads the machine's clock, so a version 7 is
// made from one of version 4.
func drawUUID(rng *rand.Rand) uuid.UUID {
	var drawn [16]byte
	binary.BigEndian.PutUint64(drawn[:8], rng.Uint64())
	binary.BigEndian.PutUint64(drawn[8:], rng.Uint64())
	return uuid.Must(uuid.NewRandomFromReader(bytes.NewReader(drawn[:])))
}
