package communities

import (
	"strings"
	"testing"
	"time"

	"nightjar/daemon/store"
)

// A crawl whose hosts do not answer looks like one that is at work; its progress says the difference.
func TestCrawlWaits(t *testing.T) {
	running := store.Crawl{Status: store.CrawlRunning}
	paused := store.Crawl{Status: store.CrawlRunning, Paused: "the window opens at 01:00"}
	for _, c := range []struct {
		crawl store.Crawl
		quiet time.Duration
		want  string
	}{
		{store.Crawl{Status: store.CrawlWaiting}, 0, "about to begin"},
		{running, quietCrawl - 1, ""},
		{running, quietCrawl, "hosts that do not answer"},
		{paused, time.Hour, "the window opens at 01:00"},
	} {
		got := crawlWaits(c.crawl, c.quiet)
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s for %v: %q, want %q", c.crawl.Status, c.quiet, got, c.want)
		}
	}
}
