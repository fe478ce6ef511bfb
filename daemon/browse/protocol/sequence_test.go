package protocol

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
)

// TestSequence checks that the UUIDs have the right version, variant and time, and that a seed always gives the same
// ones: the bytes of made-up sessions depend on that.
func TestSequence(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	client := RandomUUID(rng)
	if u, err := uuid.Parse(client); err != nil || u.Version() != 4 || u.Variant() != uuid.RFC4122 {
		t.Errorf("client %s: %v", client, err)
	}
	start := time.Date(2026, 11, 21, 10, 0, 0, 123456789, time.FixedZone("", 3600))
	s := NewSequence(client, start, rng)
	for name, ids := range map[string][2]string{
		"client":  {client, "c4f5a586-56ee-4510-9dce-c3ad077dec6c"},
		"session": {s.Session, "01a1fd55-7afb-7088-8bed-c0dcb63ac19a"},
		"next":    {s.UUID(), "01a1fd55-7afb-7950-8a8c-6d7f8d485abc"},
	} {
		if ids[0] != ids[1] {
			t.Errorf("%s is %s; want %s", name, ids[0], ids[1])
		}
	}
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
			t.Errorf("event %d: the time in its identifier is %v, want %v", n, got, e.At)
		}
	}
}
