package crawler

import (
	"time"

	"nightjar/crawler/clock"
)

// longestLook is the most running time added between two looks at the clock; a clock that moves more has jumped.
const longestLook = time.Minute

// meter measures what a crawl uses and compares it with the budgets of the crawl and of the turn.
type meter struct {
	clock  clock.Clock
	budget Budget
	totals Totals

	turn   Budget        // of this Run
	before Totals        // at its start
	flying int           // fetches in flight at its start
	idle   time.Duration // of this Run, spent waiting for the network
	active time.Time     // when this Run or its last fetch started
	looked time.Time     // when the clock was last read, wall time
}

// begin starts a turn; flying fetches are in flight from earlier ones.
func (m *meter) begin(turn Budget, flying int) {
	m.turn, m.before, m.flying, m.idle, m.looked = turn, m.totals, flying, 0, m.now()
	m.active = m.looked
}

// now returns the wall time: the monotonic clock stops while the machine sleeps.
func (m *meter) now() time.Time { return m.clock.Now().Round(0) }

// jump says how the clock moved since the last look.
type jump int

const (
	evenly  jump = iota
	setBack      // it shows less than before
	woke         // the machine slept, or the clock was set forward
)

// look adds the time since the last look to the running time or, while the crawl waits for the network, to the idle time,
// which counts for the turn but not for the crawl. A clock that was set back adds nothing. One that jumped forward, for
// example because the machine slept, adds a minute.
func (m *meter) look(waits bool) (j jump) {
	now := m.now()
	passed := now.Sub(m.looked)
	m.looked = now
	switch {
	case passed < 0:
		j, m.active = setBack, now
	case passed > longestLook:
		j = woke
	}
	passed = min(max(0, passed), longestLook)
	if waits {
		m.idle += passed
	} else {
		m.totals.Spent += passed
	}
	return j
}

// used names the limit of the crawl's budget that is reached, "" when none is. Fetches in flight count as pages.
func (m *meter) used(flying int) string {
	return m.budget.Over(m.totals, flying)
}

// over reports whether the turn is over: it has used its pages (including fetches in flight that it started), its bytes or
// its time, or it could start no fetch for Budget.Idle.
func (m *meter) over(flying int) bool {
	t, b := m.totals, m.before
	s := Totals{Fetched: t.Fetched - b.Fetched, Bytes: t.Bytes - b.Bytes, Spent: t.Spent - b.Spent + m.idle}
	return m.turn.Over(s, flying-m.flying) != "" || m.turn.Idle > 0 && m.looked.Sub(m.active) >= m.turn.Idle
}
