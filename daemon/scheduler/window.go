package scheduler

import (
	"time"

	"nightjar/daemon/store"
)

// night is one opening of the window.
type night struct {
	date   string // of the opening in the window's zone, as 2026-11-21
	opens  time.Time
	closes time.Time
}

// clockSet reports whether the machine's clock can be believed: one that was never set, as without its battery, begins
// in 1970 or near it.
func clockSet(now time.Time) bool { return now.Year() >= 2020 }

// nightAt returns the opening that now lies in, and whether there is one.
func nightAt(w store.Window, now time.Time) (night, bool) {
	if !w.Enabled || !clockSet(now) {
		return night{}, false
	}
	for _, day := range []int{0, -1} {
		if n, ok := opening(w, now, day); ok && n.around(now) {
			return n, true
		}
	}
	return night{}, false
}

// nextOpening is when the window opens next after now, the zero time when nights are off.
func nextOpening(w store.Window, now time.Time) time.Time {
	for day := 0; day <= 2 && w.Enabled; day++ {
		if n, ok := opening(w, now, day); ok && n.opens.After(now) && n.opens.Before(n.closes) {
			return n.opens
		}
	}
	return time.Time{}
}

// nightOf is the opening of a date as night.date has it, seen from now's place where the window has none of its own.
func nightOf(w store.Window, date string, now time.Time) (night, bool) {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return night{}, false
	}
	return openingOf(w, day, w.Location(now.Location()))
}

func (n night) around(now time.Time) bool { return !now.Before(n.opens) && now.Before(n.closes) }

// opening is the window's opening on the day that lies so many days after now's, as days are counted in its zone.
func opening(w store.Window, now time.Time, days int) (night, bool) {
	place := w.Location(now.Location())
	y, m, d := now.In(place).Date()
	return openingOf(w, time.Date(y, m, d+days, 0, 0, 0, 0, time.UTC), place)
}

// openingOf is the window's opening on a day, given as its midnight in UTC. Whether it ends on the next day is decided by
// what is written, not by moments: on the day on which clocks go forward both may be one moment, and the window does not
// open.
func openingOf(w store.Window, day time.Time, place *time.Location) (night, bool) {
	start, err1 := time.Parse("15:04", w.Start)
	end, err2 := time.Parse("15:04", w.End)
	if err1 != nil || err2 != nil {
		return night{}, false
	}
	at := func(day time.Time, clock time.Time) time.Time {
		return wall(day.Add(time.Duration(clock.Hour())*time.Hour+time.Duration(clock.Minute())*time.Minute), place)
	}
	n := night{date: day.Format(time.DateOnly), opens: at(day, start)}
	if !end.After(start) {
		day = day.AddDate(0, 0, 1)
	}
	n.closes = at(day, end)
	return n, true
}

// wall is the moment at which clocks at a place show what shown shows. Of two such moments, in the night in which clocks
// go back, it is the first; where clocks jump over the time, it is the moment of the jump.
func wall(shown time.Time, place *time.Location) time.Time {
	y, m, d := shown.Date()
	t := time.Date(y, m, d, shown.Hour(), shown.Minute(), 0, 0, place) // one of both in one of both zones
	begin, end := t.ZoneBounds()
	shows := func(t time.Time) time.Time {
		_, offset := t.Zone()
		return t.UTC().Add(time.Duration(offset) * time.Second)
	}
	switch {
	case shows(t).After(shown):
		return begin
	case shows(t).Before(shown):
		return end
	case begin.IsZero():
		return t
	}
	_, offset := t.Zone()
	_, before := begin.Add(-time.Second).Zone()
	if first := t.Add(time.Duration(offset-before) * time.Second); first.Before(begin) && shows(first).Equal(shown) {
		return first
	}
	return t
}
