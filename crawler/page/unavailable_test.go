package page

import (
	"testing"
	"time"
)

func TestUnavailable(t *testing.T) {
	at := time.Date(2010, 6, 5, 15, 0, 0, 0, time.UTC)
	for content, want := range map[string]time.Time{
		"unavailable_after: 05 Jun 2010 15:00:00 GMT":              at,
		"noindex, UNAVAILABLE_AFTER: 5 Jun 2010 15:00:00 UTC":      at,
		"unavailable_after: Sat, 05 Jun 2010 15:00:00 GMT":         at,
		"unavailable_after: Saturday, 05-Jun-10 15:00:00 UTC":      at,
		"unavailable_after:05-Jun-2010 15:00:00 XYZ, nofollow":     at,
		"unavailable_after: 2010-06-05T17:00:00+02:00,noarchive":   at,
		"unavailable_after: 2010-06-05":                            at.Truncate(24 * time.Hour),
		"unavailable_after: Sat, 05 Jun 2010 17:00:00 +0200, none": at,
		"unavailable_after":        {},
		"unavailable_after: soon":  {},
		"unavailable_after:":       {},
		"noindex":                  {},
		"":                         {},
		"unavailable_after: , , ,": {},
		"available_after: 05 Jun 2010 15:00:00 GMT": {},
	} {
		if got := Unavailable(content); !got.Equal(want) {
			t.Errorf("%q: %v; want %v", content, got, want)
		}
	}
	p, err := Parse("http://a.test/", "text/html", []byte(`<meta name=robots content="unavailable_after: 2011-01-01">
		<meta name=nightjar content="unavailable_after: 2010-06-05T15:00:00Z"><meta name=otherbot content="unavailable_after: 2001-01-01, none"><p>x`))
	if err != nil || !p.Until.Equal(at) || p.NoIndex || p.NoFollow {
		t.Errorf("%v, until %v: %v", p, p.Until, err)
	}
}
