package protocol

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
)

// The library reads back what a sequence draws: version, variant, and the time of the session.
func TestSequence(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	client := RandomUUID(rng)
	if u, err := uuid.Parse(client); err != nil || u.Version() != 4 || u.Variant() != uuid.RFC4122 {
		t.Errorf("client %s: %v", client, err)
	}
	start := time.Date(2026, 11, 21, 10, 0, 0, 123456789, time.FixedZone("", 3600))
	s := NewSequence(client, start, rng)
	seen := map[string]bool{s.Session: true}
	for n := int64(1); n <= 200; n++ {
		e := s.Stamp(Event{Type: Submit}, 1500*time.Microsecond)
		if err := Validate(e); err != nil {
			t.Fatal(err)
		}
		if want := start.UTC().Truncate(time.Millisecond).Add(time.Duration(n) * time.Millisecond); e.Seq != n || !e.At.Equal(want) {
			t.Fatalf("event %d: seq %d at %v, want %v", n, e.Seq, e.At, want)
		}
		u, err := uuid.Parse(e.ID)
		if err != nil || u.Version() != 7 || u.Variant() != uuid.RFC4122 || seen[e.ID] {
			t.Fatalf("event %d: id %s: %v", n, e.ID, err)
		}
		seen[e.ID] = true
		sec, nsec := u.Time().UnixTime()
		if got := time.Unix(sec, nsec); !got.Equal(e.At) {
			t.Errorf("event %d: its identifier is of %v, not %v", n, got, e.At)
		}
	}
}
