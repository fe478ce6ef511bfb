package communities

import (
	"strings"
	"testing"
	"time"

	"nightjar/daemon/night/crawls"
)

// A crawl whose hosts do not answer looks like one that is at work; its progress says the difference.
func TestCrawlWaits(t *testing.T) {
	running := crawls.Crawl{Status: crawls.Running}
	paused := crawls.Crawl{Status: crawls.Running, Paused: "the window opens at 01:00"}
	for _, c := range []struct {
		crawl crawls.Crawl
		quiet time.Duration
		want  string
	}{
		{crawls.Crawl{Status: crawls.Waiting}, 0, "about to begin"},
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
