package settings

import (
	"sync"
	"time"
	_ "time/tzdata" // for machines without a time zone database
)

// Window is the time of day during which nightly crawls run. An End before Start is on the next day.
type Window struct {
	Enabled bool   `json:"enabled"`
	Start   string `json:"start"` // HH:MM
	End     string `json:"end"`   // HH:MM
	Zone    string `json:"zone"`  // IANA name of the time zone; "" means the machine's
}

// Location returns the time zone of the window: the machine's if the window has none or an unknown one.
func (w Window) Location(machine *time.Location) *time.Location {
	if w.Zone == "" {
		return machine
	}
	if place, ok := zones.Load(w.Zone); ok {
		return place.(*time.Location)
	}
	place, err := time.LoadLocation(w.Zone)
	if err != nil {
		return machine
	}
	zones.Store(w.Zone, place)
	return place
}

// zones caches time zones, which the scheduler looks up again and again.
var zones sync.Map // name to *time.Location

// Night is one opening of the window, from Opens up to but not including Closes.
type Night struct {
	Date   string // of the opening in the window's zone, such as 2026-11-21
	Opens  time.Time
	Closes time.Time
}

// Contains reports whether now is in the night.
func (n Night) Contains(now time.Time) bool { return !now.Before(n.Opens) && now.Before(n.Closes) }

// ClockSet reports whether the machine's clock is plausible. A clock that was never set, for example because it has no
// battery, starts near 1970.
func ClockSet(now time.Time) bool { return now.Year() >= 2020 }

// At returns the night that is open at now, and whether there is one.
func (w Window) At(now time.Time) (Night, bool) {
	if !w.Enabled || !ClockSet(now) {
		return Night{}, false
	}
	for _, day := range []int{0, -1} {
		if n, ok := w.opening(now, day); ok && n.Contains(now) {
			return n, true
		}
	}
	return Night{}, false
}

// Last returns the night that closed last before now, and whether there is one within the last two days.
func (w Window) Last(now time.Time) (Night, bool) {
	for day := 0; day >= -2 && w.Enabled && ClockSet(now); day-- {
		if n, ok := w.opening(now, day); ok && n.Opens.Before(n.Closes) && !now.Before(n.Closes) {
			return n, true
		}
	}
	return Night{}, false
}

// Next returns when the window next opens after now; the zero time when nightly crawls are off.
func (w Window) Next(now time.Time) time.Time {
	for day := 0; day <= 2 && w.Enabled; day++ {
		if n, ok := w.opening(now, day); ok && n.Opens.After(now) && n.Opens.Before(n.Closes) {
			return n.Opens
		}
	}
	return time.Time{}
}

// On returns the night of a date in the form of Night.Date. A window without a time zone uses that of now. On returns false
// when the date or the window is invalid.
func (w Window) On(date string, now time.Time) (Night, bool) {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return Night{}, false
	}
	return w.openingOn(day, w.Location(now.Location()))
}

// opening returns the night that opens a number of days after the day of now, counted in the window's zone.
func (w Window) opening(now time.Time, days int) (Night, bool) {
	place := w.Location(now.Location())
	y, m, d := now.In(place).Date()
	return w.openingOn(time.Date(y, m, d+days, 0, 0, 0, 0, time.UTC), place)
}

// openingOn returns the night that opens on a day, given as midnight in UTC. Whether the night ends on the next day depends
// on the times as written, not on the moments they denote: when clocks go forward, both can denote the same moment, and
// then the window does not open.
func (w Window) openingOn(day time.Time, place *time.Location) (Night, bool) {
	start, err1 := time.Parse("15:04", w.Start)
	end, err2 := time.Parse("15:04", w.End)
	if err1 != nil || err2 != nil {
		return Night{}, false
	}
	at := func(day time.Time, clock time.Time) time.Time {
		return wall(day.Add(time.Duration(clock.Hour())*time.Hour+time.Duration(clock.Minute())*time.Minute), place)
	}
	n := Night{Date: day.Format(time.DateOnly), Opens: at(day, start)}
	if !end.After(start) {
		day = day.AddDate(0, 0, 1)
	}
	n.Closes = at(day, end)
	return n, true
}

// wall returns the moment at which clocks at a place show the date and time of shown. If they show it twice, because they
// go back, it returns the first; if they skip it, the moment at which they go forward.
func wall(shown time.Time, place *time.Location) time.Time {
	y, m, d := shown.Date()
	t := time.Date(y, m, d, shown.Hour(), shown.Minute(), 0, 0, place) // near a change, the offset may be either one
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
