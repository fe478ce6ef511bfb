package settings

import (
	"testing"
	"time"
)

// changes are days on which clocks were changed: by an hour, half an hour, two hours, at midnight, and by a whole day
// (Samoa had no 2011-12-30).
var changes = []struct{ zone, day string }{
	{"Europe/Berlin", "2026-03-29"}, {"Europe/Berlin", "2026-10-25"},
	{"America/New_York", "2026-03-08"}, {"America/New_York", "2026-11-01"},
	{"Australia/Lord_Howe", "2026-10-04"}, {"Australia/Lord_Howe", "2026-04-05"},
	{"Antarctica/Troll", "2026-03-29"}, {"Antarctica/Troll", "2026-10-25"},
	{"America/Sao_Paulo", "2018-11-04"}, {"America/Sao_Paulo", "2018-02-18"},
	{"Africa/Cairo", "2026-04-24"}, {"Pacific/Apia", "2011-12-31"},
	{"Asia/Kolkata", "2026-06-01"}, {"UTC", "2026-06-01"}, {"Europe/Dublin", "2026-03-29"},
}

// windows lie before, in, across and after the change and across midnight; they last from minutes to nearly a day.
var windows = [][2]string{
	{"01:00", "06:00"}, {"02:30", "05:00"}, {"02:00", "03:00"}, {"02:15", "02:45"}, {"01:30", "02:30"}, {"00:30", "01:30"},
	{"00:00", "00:30"}, {"23:30", "00:30"}, {"22:30", "05:15"}, {"02:45", "02:15"}, {"00:00", "23:59"}, {"12:00", "11:59"},
}

// TestWindowAroundChanges steps through the days around each change. A night is one unbroken period that opens and closes
// when the clocks show its times, or at the jump if they never do. Outside of it the window is closed.
func TestWindowAroundChanges(t *testing.T) {
	t.Parallel()
	for _, c := range changes {
		place, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		day, err := time.ParseInLocation(time.DateOnly, c.day, place)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range windows {
			window := Window{Enabled: true, Start: w[0], End: w[1], Zone: c.zone}
			walk(t, window, day.Add(-12*time.Hour), day.Add(40*time.Hour))
		}
	}
}

// walk checks a window every five minutes.
func walk(t *testing.T, w Window, from, to time.Time) {
	t.Helper()
	had := map[string]bool{}
	last, place := Night{}, w.Location(nil)
	for now := from; now.Before(to); now = now.Add(5 * time.Minute) {
		n, open := found(w, now)
		switch {
		case open && had[n.Date] && last.Date != n.Date:
			t.Errorf("%+v: the night of %s opens twice, again at %v", w, n.Date, now)
		case open && last.Date != n.Date && n.Closes.Sub(n.Opens) > 26*time.Hour:
			t.Errorf("%+v: the night of %s is %v long", w, n.Date, n.Closes.Sub(n.Opens))
		case open && last.Date != n.Date && !last.Closes.IsZero() && n.Opens.Before(last.Closes):
			t.Errorf("%+v: the nights of %s and %s overlap", w, last.Date, n.Date)
		}
		shown := now.In(place).Format("15:04")
		inside := shown >= w.Start && shown < w.End || w.End <= w.Start && (shown >= w.Start || shown < w.End)
		if open != inside && !repeated(now.In(place)) {
			t.Errorf("%+v: open %v at %v", w, open, now.In(place))
		}
		if open {
			had[n.Date], last = true, n
		} else {
			last = Night{}
		}
	}
}

// found is Window.At without the check that the clock is set.
func found(w Window, now time.Time) (Night, bool) {
	for _, day := range []int{0, -1} {
		if n, ok := w.opening(now, day); ok && n.Contains(now) {
			return n, true
		}
	}
	return Night{}, false
}

// repeated reports whether the clocks of the place show a time for the second time, at which a window may be open or closed.
func repeated(now time.Time) bool {
	begin, _ := now.ZoneBounds()
	if begin.IsZero() {
		return false
	}
	_, offset := now.Zone()
	_, before := begin.Add(-time.Second).Zone()
	return before > offset && now.Sub(begin) < time.Duration(before-offset)*time.Second
}

// TestNightLengths: a window of five hours lasts four hours in spring and six in autumn, or half an hour more or less where
// clocks change by that.
func TestNightLengths(t *testing.T) {
	for _, tt := range []struct {
		zone, date, start, end string
		want                   time.Duration
	}{
		{"Europe/Berlin", "2026-06-10", "01:00", "06:00", 5 * time.Hour},
		{"Europe/Berlin", "2026-03-29", "01:00", "06:00", 4 * time.Hour},
		{"Europe/Berlin", "2026-10-25", "01:00", "06:00", 6 * time.Hour},
		{"Europe/Berlin", "2026-03-28", "23:00", "06:00", 6 * time.Hour},
		{"Europe/Berlin", "2026-10-24", "23:00", "06:00", 8 * time.Hour},
		{"Europe/Berlin", "2026-03-29", "02:30", "05:00", 2 * time.Hour},    // opens at the jump, 03:00
		{"Europe/Berlin", "2026-03-29", "02:15", "02:45", 0},                // jumped over whole
		{"Europe/Berlin", "2026-10-25", "02:15", "02:45", 30 * time.Minute}, // the first of both
		{"Europe/Berlin", "2026-10-25", "01:00", "02:30", 90 * time.Minute}, // ends at the first 02:30
		{"America/New_York", "2026-03-08", "01:00", "06:00", 4 * time.Hour},
		{"America/New_York", "2026-11-01", "01:00", "06:00", 6 * time.Hour}, // 01:00 comes twice: from the first
		{"Australia/Lord_Howe", "2026-10-04", "01:00", "06:00", 4*time.Hour + 30*time.Minute},
		{"Australia/Lord_Howe", "2026-04-05", "01:00", "06:00", 5*time.Hour + 30*time.Minute},
		{"Antarctica/Troll", "2026-03-29", "00:30", "06:00", 3*time.Hour + 30*time.Minute},
		{"America/Sao_Paulo", "2018-11-04", "00:00", "05:00", 4 * time.Hour}, // midnight is jumped over
		{"Pacific/Apia", "2011-12-29", "22:00", "05:00", 2 * time.Hour},      // 05:00 of the day that was not: the jump
		{"UTC", "2026-03-29", "01:00", "06:00", 5 * time.Hour},
	} {
		n, ok := (Window{Enabled: true, Start: tt.start, End: tt.end, Zone: tt.zone}).On(tt.date, time.Now())
		if got := n.Closes.Sub(n.Opens); !ok || got != tt.want || n.Date != tt.date {
			t.Errorf("%s, night of %s, %s-%s: %s, %v long, want %v", tt.zone, tt.date, tt.start, tt.end, n.Date, got, tt.want)
		}
	}
}

// TestZone: a window in another zone opens by the clocks there.
func TestZone(t *testing.T) {
	w := Window{Enabled: true, Start: "01:00", End: "06:00", Zone: "Asia/Tokyo"}
	now := time.Date(2026, 11, 20, 16, 0, 0, 0, time.UTC) // 01:00 of the 21st in Tokyo
	n, open := w.At(now)
	if !open || n.Date != "2026-11-21" || !n.Closes.Equal(now.Add(5*time.Hour)) {
		t.Errorf("open %v, %+v", open, n)
	}
	if _, open := w.At(now.Add(-time.Second)); open {
		t.Error("open a second before")
	}
}

// TestClockNotSet: in 1970 nothing opens.
func TestClockNotSet(t *testing.T) {
	w := Window{Enabled: true, Start: "01:00", End: "06:00", Zone: "UTC"}
	for _, now := range []time.Time{time.Unix(2*3600, 0), time.Time{}.Add(2 * time.Hour), time.Date(2000, 1, 1, 2, 0, 0, 0, time.UTC)} {
		if n, open := w.At(now); open {
			t.Errorf("at %v the night of %s is open", now, n.Date)
		}
	}
}
