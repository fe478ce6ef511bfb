package crawls

import (
	"slices"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store/storetest"
)

// TestNightsAfterErasing: a site that is erased between two nights, or while a night reads the stored pages again, is not in the
// queue afterwards, though the stored pages of other sites still link to it. No other link is lost, and none is followed twice.
func TestNightsAfterErasing(t *testing.T) {
	effort.Long(t)
	const erased = "h1.test"
	of := func(links []frontier.Entry) (all []string) {
		for _, e := range links {
			if e.Host != erased {
				all = append(all, e.URL)
			}
		}
		return all
	}
	for name, steps := range map[string]struct {
		next   string // strategy of the second night
		before int    // turns before the site is erased
	}{
		"between two nights":                       {"learner", 0},
		"between two nights of two strategies":     {"test", 0},
		"while the stored pages are read again":    {"test", 2},
		"after the stored pages were read again":   {"test", 20},
		"while a learner reads stored pages again": {"learner", 1},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNights(t, "learner")
			n.crawl(n.open(), crawler.Budget{Pages: 120})
			n.c.Strategy = steps.next
			c := n.open()
			if steps.before == 1 {
				storetest.Change(t, n.s, `UPDATE crawls SET valued = 0 WHERE id = ?`, c.ID)
			}
			waiting := of(n.waiting(c.ID))
			if steps.before > 0 {
				n.reread(c, steps.before)
			}
			storetest.OK(t, eraseRows(t.Context(), n.s, erased))
			if !n.reread(c, 20) {
				t.Fatal("the pages are not read")
			}
			after := n.waiting(c.ID)
			if now := of(after); len(waiting) < 20 || !slices.Equal(now, waiting) {
				t.Errorf("waiting\n%v\nwant\n%v", now, waiting)
			}
			if len(after) != len(of(after)) {
				t.Errorf("%d links to the erased site wait", len(after)-len(of(after)))
			}
			n.crawl(c, crawler.Budget{})
			for url, times := range n.web.asked {
				if times > 1 && weburl.Host(url) != erased {
					t.Errorf("%s was requested %d times", url, times)
				}
			}
		})
	}
}
