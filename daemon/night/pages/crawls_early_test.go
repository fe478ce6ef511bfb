package pages

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/night/crawls"
)

// TestEndedEarly: the pages of a crawl that ended early, of all crawls and of the night say why and who got the rest, the
// crawl's page draws what was promised, and the crawl can go on.
func TestEndedEarly(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	if d := s.Page(t, path); d.Find("#promised").Length() != 0 || strings.Contains(webtest.Text(d.Find("main")), "Go on anyway") {
		t.Error("a crawl that promised nothing says what it promised")
	}
	const why = "the next 100 pages promise about 0.4 useful ones, fewer than 1; about 3 are left"
	s.Exec(t, `UPDATE crawls SET status = 'ended', early = 1, night = '2026-11-21', ended_at = 5000, stop_reason = ?, paused = '',
		options = json_set(options, '$.stop_below', 1) WHERE id = ?`, why, s.Crawl)
	s.Exec(t, `UPDATE fetches SET promised = 9.0 / n WHERE crawl_id = ?`, s.Crawl)
	s.Exec(t, `INSERT OR IGNORE INTO frontier (crawl_id, url, status, priority, seq) VALUES (?, 'http://left.test/', 'queued', '[]', 99)`, s.Crawl)
	s.Exec(t, `INSERT INTO topics (id, name, created_at) VALUES (77, 'Curling <b>', 1)`)
	s.Exec(t, `INSERT INTO crawls (id, topic_id, model_id, night, strategy, options, status, created_at)
		VALUES (777, 77, (SELECT max(id) FROM models), '2026-11-21', 'random', '{}', 'ended', 1)`)
	for n := range 3 {
		s.Exec(t, `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at) VALUES (777, ?, 'u', 'u', 'h', 'ok', ?)`, n+1, 4999+n)
	}
	d := s.Page(t, path)
	for what, want := range map[string]string{
		".page-head":    "Go on anyway",
		".lead":         "The next 100 pages promise about 0.4 useful ones, fewer than 1; about 3 are left. The rest of the night’s budget went to Curling <b> (2 pages).",
		"main":          "What the next pages promised",
		"[role=status]": "ended early",
	} {
		if got := webtest.Text(d.Find(what)); !strings.Contains(got, want) {
			t.Errorf("%s: %q does not say %q", what, got, want)
		}
	}
	if svg := d.Find("svg.plot title"); svg.Length() != 4 || !strings.Contains(webtest.Text(d.Find("main")), "Here the crawl ended, since that is less than wanted.") {
		t.Errorf("%d pictures", svg.Length())
	}
	if got := webtest.Text(s.Page(t, "/crawls").Find("tbody")); !strings.Contains(got, "ended early") {
		t.Errorf("all crawls: %q", got)
	}
	if got := webtest.Text(s.Page(t, "/tonight").Find("main")); !strings.Contains(got, "Ended early last night") || !strings.Contains(got, "went to Curling <b> (2 pages)") {
		t.Errorf("Tonight: %q", got)
	}
	if to := s.MustPost(t, path+"/go-on", nil); to != path && !strings.HasPrefix(to, path+"?") || !slices.Equal(s.WentOn, []int64{s.Crawl}) {
		t.Errorf("went on with %v, to %s", s.WentOn, to)
	}
	s.GoOnError = crawls.ErrCannotGoOn
	if w := s.Post(path+"/go-on", nil); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "its links are gone") {
		t.Errorf("without links: %d", w.Code)
	}
}

// TestClosedByRobots: the page of a crawl that robots.txt closed says so, names the host, and says what can be done.
func TestClosedByRobots(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	const todo = "ask the site's owner"
	if got := webtest.Text(s.Page(t, path).Find("main")); strings.Contains(got, todo) {
		t.Error("a crawl that read everything says what to do about robots.txt")
	}
	s.Exec(t, `UPDATE fetches SET outcome = 'robots', http_status = 0, reason = 'the robots.txt of quay.test forbids the page' WHERE crawl_id = ? AND n = 1`, s.Crawl)
	s.Exec(t, `UPDATE crawls SET status = 'ended', stop_reason = 'no links left, except 1 page that robots.txt forbids' WHERE id = ?`, s.Crawl)
	d := s.Page(t, path)
	for what, want := range map[string][]string{
		".lead":     {"No links left, except 1 page that robots.txt forbids."},
		".table th": {"Forbidden by robots.txt", "the robots.txt of quay.test forbids the page", todo},
	} {
		for _, w := range want {
			if got := webtest.Text(d.Find(what)); !strings.Contains(got, w) {
				t.Errorf("%s: %q does not say %q", what, got, w)
			}
		}
	}
}

// TestMissingPages: the figures of a crawl say how many of its fetches found no page, or one that is blank without JavaScript.
func TestMissingPages(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	if got := webtest.Text(s.Page(t, path).Find(".facts")); strings.Contains(got, "missing") {
		t.Errorf("a crawl that read everything has missing pages: %q", got)
	}
	s.Exec(t, `UPDATE fetches SET outcome = 'status', http_status = 404 WHERE crawl_id = ? AND n = 1`, s.Crawl)
	s.Exec(t, `UPDATE fetches SET outcome = 'status', http_status = 503 WHERE crawl_id = ? AND n = 2`, s.Crawl)
	if got := webtest.Text(s.Page(t, path).Find(".facts")); !strings.Contains(got, "1 missing page among them") {
		t.Errorf("%q does not count the missing page", got)
	}
	s.Exec(t, `UPDATE fetches SET outcome = 'ok', reason = ? WHERE crawl_id = ? AND n = 1`, fetch.BlankReason, s.Crawl)
	page := s.Page(t, path)
	if got := webtest.Text(page.Find(".facts")); !strings.Contains(got, "1 blank without JavaScript, run it") || page.Find(`.facts a[href="/settings#manners"]`).Length() != 1 {
		t.Errorf("%q does not count the blank page", got)
	}
	if got := webtest.Text(page.Find("#outcomes").Parent()); !strings.Contains(got, "Blank without JavaScript") {
		t.Errorf("%q does not list the blank page", got)
	}
}
