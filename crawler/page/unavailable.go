package page

import (
	"regexp"
	"strings"
	"time"
)

// unavailableAfter finds the date of an unavailable_after directive in a robots meta element or X-Robots-Tag header. The
// date ends at the end of the text or before the next directive; it may contain commas.
var unavailableAfter = regexp.MustCompile(`(?i)\bunavailable_after\s*:\s*(.*)`)

// Forms of dates: those of RFC 822, RFC 850 and ISO 8601, which Google says that it reads, and what pages write for them.
var unavailableForms = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02",
	"02 Jan 2006 15:04:05 MST", "02 Jan 2006 15:04:05 -0700", "02 Jan 06 15:04 MST", "02 Jan 2006 15:04:05", "02 Jan 2006",
	"02-Jan-2006 15:04:05 MST", "02-Jan-06 15:04:05 MST", "02-Jan-2006 15:04:05", "02-Jan-2006",
}

// Unavailable returns the unavailable_after time among the directives of a robots meta element or X-Robots-Tag header, zero
// if it is absent or malformed. Unknown time zones count as UTC.
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

// earlier returns the earlier of two times; zero means no time.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
