package crawler

import (
	"time"

	"nightjar/crawler/clock"
)

// longestLook is the running time added between two looks at the clock; a clock that moves more has jumped.
const longestLook = time.Minute

// meter measures what a crawl uses, and holds it against the budgets of crawl and turn.
type meter struct {
	clock  clock.Clock
	budget Budget
	totals Totals

	turn   Budget        // of this Run
	before Totals        // at its beginning
	flying int           // fetches that were in flight then
	idle   time.Duration // of this Run, spent waiting for the network
	active time.Time     // when a fetch last began in this Run, or the Run did
	looked time.Time     // when the clock was last read, wall time
}

// begin begins a turn with so many fetches in flight.
func (m *meter) begin(turn Budget, flying int) {
	m.turn, m.before, m.flying, m.idle, m.looked = turn, m.totals, flying, 0, m.now()
	m.active = m.looked
}

// now is the wall time: the machine's monotonic clock stands still while it sleeps.
func (m *meter) now() time.Time { return m.clock.Now().Round(0) }

// jump says how the clock moved since the last look.
type jump int

const (
	evenly  jump = iota
	setBack      // it shows less than before
	woke         // the machine slept, or the clock was set forward
)

// look adds the time since the last look to the running time, or to that spent waiting for the network, which uses time of
// the turn and not of the crawl. A clock that was set back adds nothing, and one that jumped, as after the machine slept,
// at most a minute.
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
	t := m.totals
	return m.budget.over(spent{t.Fetched, t.Bytes, t.Spent}, flying)
}

// over reports whether the turn is over: it has had its pages, of which those in flight count that were begun in it, its
// bytes or its time, or it has begun nothing for a while.
func (m *meter) over(flying int) bool {
	t, b := m.totals, m.before
	s := spent{t.Fetched - b.Fetched, t.Bytes - b.Bytes, t.Spent - b.Spent + m.idle}
	return m.turn.over(s, flying-m.flying) != "" || m.turn.Idle > 0 && m.looked.Sub(m.active) >= m.turn.Idle
}
