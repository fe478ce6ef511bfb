package crawler_test

import (
	"slices"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
)

// TestClaims: a page that a list says has changed since it was read is looked at sooner, and no other page of the list. The look says why
// and counts for what lists of the host say: the more often that was wrong, the later it makes a page due.
func TestClaims(t *testing.T) {
	const news = "http://a.test/news"
	read := time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name           string
		changed, after time.Duration // since the page was read: when it changed, as the list says, and when the crawl begins
		right, wrong   int           // what lists of the host said before
		looks          bool
	}{
		{"nothing is known", time.Hour, 8 * time.Hour, 0, 0, true},
		{"no claim", -time.Hour, 8 * time.Hour, 0, 0, false},
		{"a claim about the future", 9 * time.Hour, 8 * time.Hour, 0, 0, false},
		{"right before", time.Hour, 8 * time.Hour, 3, 0, true},
		{"wrong before", time.Hour, 8 * time.Hour, 0, 10, false},
		{"wrong before, and later", time.Hour, 20 * time.Hour, 0, 10, true},
		{"right and wrong", time.Hour, 8 * time.Hour, 5, 10, true},
		{"just read", time.Hour, 5 * time.Hour, 3, 0, false},
		{"due by itself", -time.Hour, 48 * time.Hour, 0, 10, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newListing()
			w.pages = map[string]string{news: "news", "http://a.test/other": "other"}
			w.feeds["a.test"] = []string{"http://a.test/rss"}
			w.entries["http://a.test/rss"] = []fetch.ListedPage{{URL: news, Changed: read.Add(c.changed)}, {URL: "http://a.test/unread", Changed: read}}
			step := func(n int, url string, seen crawler.Seen) crawler.PastStep {
				return crawler.PastStep{N: n, URL: url, Seen: seen}
			}
			steps := []crawler.PastStep{step(1, news, crawler.Seen{At: read, Depth: 1, Links: 20, Text: 1}), step(2, "http://a.test/other", crawler.Seen{At: read, Depth: 1, Links: 20, Text: 2})}
			for i := range c.right + c.wrong { // looks at a page of the host that lead nowhere by now
				text := int64(3)
				if i < c.right {
					text += int64(i + 1)
				}
				s := step(3+i, "http://a.test/claimed", crawler.Seen{At: read.Add(time.Duration(i-99) * time.Hour), Depth: 1, Links: 20, Text: text, Look: &crawler.Look{Claimed: true}})
				if i == 0 {
					steps = append(steps, step(3, s.URL, crawler.Seen{At: read.Add(-999 * time.Hour), Depth: 1, Links: 20, Text: 3}))
				}
				s.N++
				steps = append(steps, s)
			}
			last := steps[len(steps)-1].N + 1
			steps = append(steps, step(last, "http://a.test/claimed", crawler.Seen{At: read, Look: &crawler.Look{Gone: true}}))
			var looks []*crawler.Fetch
			_, err := crawler.Run(t.Context(), w, counting{}, crawler.Options{
				LookAgain: true, Resume: &crawler.Resume{Steps: steps, LastN: last, Before: last, Done: []string{news, "http://a.test/other", "http://a.test/unread"}},
				Clock: clock.Func(func() time.Time { return read.Add(c.after) }),
				OnFetch: func(f *crawler.Fetch) {
					if f.Look != nil {
						looks = append(looks, f)
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(looks, func(f *crawler.Fetch) bool { return f.URL == news })
			if looked := i >= 0; looked != c.looks || !slices.Contains(w.asked, "list of a.test") {
				t.Fatalf("looked at: %v; asked for %v", looked, w.asked)
			}
			claimed := c.looks && c.changed > 0
			if c.looks && (looks[i].Look.Claimed != claimed || (looks[i].Response.Reason == crawler.ClaimedReason) != claimed) {
				t.Errorf("the look: %+v, %q", looks[i].Look, looks[i].Response.Reason)
			}
			if claimed && len(looks) != 1 {
				t.Errorf("%d pages were looked at: %v", len(looks), w.asked)
			}
		})
	}
}
