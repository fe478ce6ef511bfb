package page

import (
	"regexp"
	"strings"
	"time"
)

// unavailableAfter finds the date of that directive of a robots meta element or X-Robots-Tag. The date ends with the
// text or where the next directive begins; commas may be part of it.
var unavailableAfter = regexp.MustCompile(`(?i)\bunavailable_after\s*:\s*(.*)`)

// Forms of dates: those of RFC 822, RFC 850 and ISO 8601, which Google says that it reads, and what pages write for them.
var unavailableForms = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02",
	"02 Jan 2006 15:04:05 MST", "02 Jan 2006 15:04:05 -0700", "02 Jan 06 15:04 MST", "02 Jan 2006 15:04:05", "02 Jan 2006",
	"02-Jan-2006 15:04:05 MST", "02-Jan-06 15:04:05 MST", "02-Jan-2006 15:04:05", "02-Jan-2006",
}

// Unavailable is the time after which a page asks not to be shown any more, by unavailable_after among the words of a
// robots meta element or X-Robots-Tag header; zero without one that can be read. Zones that are not known count as UTC.
func Unavailable(content string) time.Time {
	m := unavailableAfter.FindStringSubmatch(content)
	if m == nil {
		return time.Time{}
	}
	parts := strings.Split(m[1], ",")
	for _, date := range []string{parts[0], strings.Join(parts[1:min(2, len(parts))], "")} {
		date = strings.TrimSpace(date)
		if len(date) > 2 && date[1] == ' ' || len(date) > 2 && date[1] == '-' { // a day of one digit
			date = "0" + date
		}
		for _, form := range unavailableForms {
			if t, err := time.Parse(form, date); err == nil {
				return t.UTC()
			}
		}
	}
	return time.Time{}
}

// earlier is the earlier of two times, of which zero is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
