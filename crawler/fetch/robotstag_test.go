package fetch

import (
	"net/http"
	"testing"
	"time"
)

func TestRobotsTags(t *testing.T) {
	at := time.Date(2010, 6, 25, 15, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		header            []string
		noIndex, noFollow bool
		until             time.Time
	}{
		{header: nil},
		{header: []string{"noindex"}, noIndex: true},
		{header: []string{"NONE"}, noIndex: true, noFollow: true},
		{header: []string{"noarchive", "nofollow"}, noFollow: true},
		{header: []string{"nightjar: noindex"}, noIndex: true},
		{header: []string{"Nightjar:none"}, noIndex: true, noFollow: true},
		{header: []string{"otherbot: noindex, nofollow"}},
		{header: []string{"otherbot: noindex, nightjar: nofollow"}, noFollow: true},
		{header: []string{"nightjar: noindex, otherbot: nofollow"}, noIndex: true},
		{header: []string{"*: noindex"}, noIndex: true},
		{header: []string{"robots: nofollow"}, noFollow: true},
		{header: []string{"max-snippet:20, noindex"}, noIndex: true},
		{header: []string{"max-image-preview: large", "nofollow"}, noFollow: true},
		{header: []string{"unavailable_after: 25 Jun 2010 15:00:00 GMT, noindex"}, noIndex: true, until: at},
		{header: []string{"unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT"}, until: at},
		{header: []string{"unavailable_after: 2010-06-25T15:00:00Z", "unavailable_after: 2011-01-01"}, until: at},
		{header: []string{"nightjar: unavailable_after: 25 Jun 2010 15:00:00 GMT"}, until: at},
		{header: []string{"otherbot: unavailable_after: 25 Jun 2010 15:00:00 GMT, noindex"}},
		{header: []string{":", ",", ": noindex"}, noIndex: true},
	} {
		var res Response
		res.robotsTags(http.Header{"X-Robots-Tag": c.header}, "Nightjar")
		if res.NoIndex != c.noIndex || res.NoFollow != c.noFollow || !res.Until.Equal(c.until) {
			t.Errorf("%q: noindex %v, nofollow %v, until %v", c.header, res.NoIndex, res.NoFollow, res.Until)
		}
	}
	res := Response{Exchanges: []Exchange{{At: at.Add(time.Hour)}, {At: at}}}
	if !res.Expired(at) || res.Expired(at.Add(1)) || res.Expired(time.Time{}) || (&Response{}).Expired(at) {
		t.Error("Expired is wrong")
	}
}
