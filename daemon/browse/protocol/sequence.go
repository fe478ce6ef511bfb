package protocol

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// Sequence sets the fields that every event of a simulated session has: identifiers, numbers and times, as the
// extension would set them. The same rng, start and calls give the same events.
type Sequence struct {
	Client  string    // UUID of the browser
	Session string    // UUIDv7
	Seq     int64     // of the last event
	Now     time.Time // of the last event, in UTC and whole milliseconds

	rng *rand.Rand
}

// NewSequence starts a session without events, and draws its identifier.
func NewSequence(client string, start time.Time, rng *rand.Rand) *Sequence {
	s := &Sequence{Client: client, Now: start.UTC().Truncate(time.Millisecond), rng: rng}
	s.Session = s.UUID()
	return s
}

// Stamp advances the time and sets the fields of the session's next event, in the browser's first tab.
func (s *Sequence) Stamp(e Event, took time.Duration) Event {
	s.Now = s.Now.Add(took.Truncate(time.Millisecond))
	s.Seq++
	e.V, e.ID, e.Client, e.Seq = Version, s.UUID(), s.Client, s.Seq
	e.Session, e.Tab, e.At = s.Session, 1, s.Now
	return e
}

// UUID draws a UUID of version 7 for the session's present time (RFC 9562 §5.7).
func (s *Sequence) UUID() string {
	id := drawUUID(s.rng)
	at := uint64(s.Now.UnixMilli())<<16 | 7<<12
	binary.BigEndian.PutUint64(id[:8], at|binary.BigEndian.Uint64(id[:8])&0x0fff)
	return id.String()
}

// RandomUUID draws a UUID of version 4, as the extension does for each installation (RFC 9562 §5.4).
func RandomUUID(rng *rand.Rand) string {
	return drawUUID(rng).String()
}

// drawUUID draws a UUID of version 4. UUIDs of version 7 are made from it, since uuid.NewV7FromReader reads the
// machine's clock.
func drawUUID(rng *rand.Rand) uuid.UUID {
	var drawn [16]byte
	binary.BigEndian.PutUint64(drawn[:8], rng.Uint64())
	binary.BigEndian.PutUint64(drawn[8:], rng.Uint64())
	return uuid.Must(uuid.NewRandomFromReader(bytes.NewReader(drawn[:])))
}

// NewSession returns the UUID of a session that no browser recorded, such as a part of another one, and a client for its
// events, so that their numbers are those of no browser.
func NewSession() (session, client string) {
	return NewID(), uuid.NewString()
}

// NewID returns a UUID of version 7 for an event that the daemon makes.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }
