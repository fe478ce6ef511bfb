package settings

import (
	"testing"
	"time"
)

func TestWindowAt(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) time.Time {
		when, err := time.ParseInLocation("2006-01-02 15:04:05", s, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	early := Window{Enabled: true, Start: "01:00", End: "06:00"}
	across := Window{Enabled: true, Start: "22:30", End: "05:15"}
	for _, tt := range []struct {
		name   string
		w      Window
		now    string
		date   string // "" for closed
		closes string
		opens  string // the next opening
	}{
		{"before", early, "2026-06-10 00:59:59", "", "", "2026-06-10 01:00:00"},
		{"first moment", early, "2026-06-10 01:00:00", "2026-06-10", "2026-06-10 06:00:00", "2026-06-11 01:00:00"},
		{"last moment", early, "2026-06-10 05:59:59", "2026-06-10", "2026-06-10 06:00:00", "2026-06-11 01:00:00"},
		{"end", early, "2026-06-10 06:00:00", "", "", "2026-06-11 01:00:00"},
		{"before midnight", across, "2026-06-10 23:00:00", "2026-06-10", "2026-06-11 05:15:00", "2026-06-11 22:30:00"},
		{"after midnight", across, "2026-06-11 04:00:00", "2026-06-10", "2026-06-11 05:15:00", "2026-06-11 22:30:00"},
		{"new year", across, "2027-01-01 00:30:00", "2026-12-31", "2027-01-01 05:15:00", "2027-01-01 22:30:00"},
		{"by day", across, "2026-06-11 12:00:00", "", "", "2026-06-11 22:30:00"},
		// 2026-03-29: from 02:00 the clock goes to 03:00; 2026-10-25: from 03:00 back to 02:00.
		{"short night", early, "2026-03-29 05:59:59", "2026-03-29", "2026-03-29 06:00:00", "2026-03-30 01:00:00"},
		{"long night", early, "2026-10-25 02:30:00", "2026-10-25", "2026-10-25 06:00:00", "2026-10-26 01:00:00"},
		{"off", Window{Start: "01:00", End: "06:00"}, "2026-06-10 03:00:00", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, open := tt.w.At(at(tt.now))
			if open != (tt.date != "") || n.Date != tt.date {
				t.Fatalf("open %v, night %q; want %q", open, n.Date, tt.date)
			}
			if open && !n.Closes.Equal(at(tt.closes)) {
				t.Errorf("closes %v, want %s", n.Closes, tt.closes)
			}
			if next := tt.w.Next(at(tt.now)); tt.opens == "" && !next.IsZero() || tt.opens != "" && !next.Equal(at(tt.opens)) {
				t.Errorf("next opening %v, want %s", next, tt.opens)
			}
		})
	}
}
