package pages

import (
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/night/scheduler"
)

// TestCrawlWaitsForHost: what a crawl waits for is said on its page, in the list of crawls, and on Tonight, and is gone when it goes on.
func TestCrawlWaitsForHost(t *testing.T) {
	s := seed(t)
	s.Exec(t, `UPDATE crawls SET status = 'running', ended_at = NULL, stop_reason = '' WHERE id = ?`, s.Crawl)
	const why, said = "waits for www.example.org until 03:12 (its robots.txt did not answer) and for 3 more hosts", "Waits for www.example.org until 03:12 (its robots.txt did not answer) and for 3 more hosts."
	pages := []string{"/crawls/" + strconv.FormatInt(s.Crawl, 10), "/crawls", "/tonight"}
	for _, waits := range []string{why, ""} {
		if err := scheduler.SetPaused(t.Context(), s.Store.DB, s.Crawl, waits); err != nil {
			t.Fatal(err)
		}
		for _, path := range pages {
			got := webtest.Text(s.Page(t, path).Find("main"))
			if strings.Contains(got, said) != (waits != "") {
				t.Errorf("%s, waiting for %q: %q", path, waits, got)
			}
		}
	}
	if got := webtest.Text(s.Page(t, "/tonight").Find("main")); strings.Contains(got, "Waiting now") {
		t.Errorf("Tonight: %q", got)
	}
}
