package crawler

import (
	"testing"
	"time"

	"nightjar/crawler/clock"
)

// newMeter makes a meter on a clock that the test moves.
func newMeter(now *time.Time, b, turn Budget) *meter {
	m := &meter{clock: clock.Func(func() time.Time { return *now }), budget: b}
	m.begin(turn, 0)
	return m
}

// TestMeterLook: a clock that was set back adds nothing to the running time, one that jumped forward adds a minute, and
// waiting for the network uses time of the turn only.
func TestMeterLook(t *testing.T) {
	for _, tt := range []struct {
		name        string
		move        time.Duration
		waits       bool
		jump        jump
		spent, idle time.Duration
	}{
		{"a second", time.Second, false, evenly, time.Second, 0},
		{"asleep", time.Hour, false, woke, time.Minute, 0},
		{"set back", -time.Hour, false, setBack, 0, 0},
		{"offline", 10 * time.Second, true, evenly, 0, 10 * time.Second},
		{"asleep offline", time.Hour, true, woke, 0, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now := time.Unix(1_800_000_000, 0)
			m := newMeter(&now, Budget{}, Budget{})
			now = now.Add(tt.move)
			if j := m.look(tt.waits); j != tt.jump || m.totals.Spent != tt.spent || m.idle != tt.idle || !m.looked.Equal(now) {
				t.Errorf("jump %d, spent %v, idle %v; want %d, %v, %v", j, m.totals.Spent, m.idle, tt.jump, tt.spent, tt.idle)
			}
		})
	}
}

// TestMeterOver: a page counts for the turn that started its fetch.
func TestMeterOver(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	m := newMeter(&now, Budget{Pages: 10}, Budget{Pages: 3, Idle: 2 * time.Second})
	m.totals.Fetched = 1
	if m.over(1) || !m.over(2) {
		t.Error("a turn of 3 pages ends when 1 is read and 2 are in flight")
	}
	m.begin(m.turn, 2)
	m.totals.Fetched = 3 // both ended
	if m.over(2) || !m.over(3) {
		t.Error("the next turn has pages of its own")
	}
	if m.used(6) != "" || m.used(7) == "" {
		t.Error("3 pages and 7 in flight are the crawl's budget")
	}
	now = now.Add(1900 * time.Millisecond)
	m.look(false)
	if m.over(2) {
		t.Error("over too soon")
	}
	now = now.Add(100 * time.Millisecond)
	m.look(false)
	if !m.over(2) {
		t.Error("not over when nothing began for two seconds")
	}
	m.active = now
	now = now.Add(-time.Hour)
	m.look(false)
	if m.over(2) {
		t.Error("over because the clock was set back")
	}
}
