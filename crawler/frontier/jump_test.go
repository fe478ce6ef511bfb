package frontier

import (
	"testing"
	"time"
)

// TestClockJumps sets the clock while a host waits. The host must become ready at the time that readyAt returns by the
// new clock, neither earlier nor later.
func TestClockJumps(t *testing.T) {
	now := time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)
	left := 3 * time.Second // until the host may be contacted, whatever the clock shows
	f := New(0, func(string) time.Time { return now.Add(left) })
	f.Add(Entry{URL: "http://a.test/", Host: "a.test"})
	for _, by := range []time.Duration{0, -24 * time.Hour, 8 * time.Hour, -time.Second, 365 * 24 * time.Hour} {
		now = now.Add(by)
		if e, next, ok := f.Pop(0, now); ok || !next.Equal(now.Add(left)) {
			t.Errorf("clock set by %v: popped %q; next in %v, want in %v", by, e.URL, next.Sub(now), left)
		}
	}
	now, left = now.Add(left).Add(-24*time.Hour), 0
	if _, _, ok := f.Pop(0, now); !ok {
		t.Error("after the clock was set back, a ready host still waits")
	}
}
