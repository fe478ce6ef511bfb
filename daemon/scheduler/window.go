package scheduler

import (
	"time"

	"nightjar/daemon/store"
)

// night is one opening of the window.
type night struct {
	date   string // local date of the opening, as 2026-11-21
	opens  time.Time
	closes time.Time
}

// nightAt returns the opening that now lies in, and whether there is one. Times of day are of now's location. Where a
// clock change skips or repeats a time of day, time.Date's choice holds.
func nightAt(w store.Window, now time.Time) (night, bool) {
	if !w.Enabled {
		return night{}, false
	}
	for _, day := range []int{0, -1} {
		n, ok := opening(w, now, day)
		if ok && !now.Before(n.opens) && now.Before(n.closes) {
			return n, true
		}
	}
	return night{}, false
}

// nextOpening is when the window opens next after now, the zero time when nights are off.
func nextOpening(w store.Window, now time.Time) time.Time {
	for day := 0; day <= 2 && w.Enabled; day++ {
		if n, ok := opening(w, now, day); ok && n.opens.After(now) {
			return n.opens
		}
	}
	return time.Time{}
}

// opening is the window's opening on the day that lies so many days after now's.
func opening(w store.Window, now time.Time, days int) (night, bool) {
	start, err1 := time.Parse("15:04", w.Start)
	end, err2 := time.Parse("15:04", w.End)
	if err1 != nil || err2 != nil {
		return night{}, false
	}
	y, m, d := now.Date()
	at := func(days int, clock time.Time) time.Time {
		return time.Date(y, m, d+days, clock.Hour(), clock.Minute(), 0, 0, now.Location())
	}
	n := night{opens: at(days, start), closes: at(days, end)}
	if !n.closes.After(n.opens) {
		n.closes = at(days+1, end)
	}
	n.date = n.opens.Format(time.DateOnly)
	return n, true
}
