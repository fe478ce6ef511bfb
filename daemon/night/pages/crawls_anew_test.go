package pages

import (
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
)

// TestStartAnew: the list of crawls says what a topic's next crawl goes on with, lets it begin at the start pages instead, and
// takes that back.
func TestStartAnew(t *testing.T) {
	s := seed(t)
	anew := "/topics/" + strconv.FormatInt(s.Topic, 10) + "/anew"
	about := func() string { return webtest.Text(s.Page(t, "/crawls").Find("section[aria-labelledby=run-title]")) }
	s.Exec(t, `UPDATE topics SET queue = NULL`)
	if says := about(); strings.Contains(says, "waiting") || strings.Contains(says, "Start anew") {
		t.Errorf("a topic whose next crawl begins at the start pages says %q", says)
	}
	s.Exec(t, `UPDATE topics SET queue = ? WHERE id = ?`, s.Crawl, s.Topic)
	for _, url := range []string{"http://left.test/1", "http://left.test/2", "http://left.test/3"} {
		s.Exec(t, `INSERT INTO frontier (crawl_id, url, status, priority, seq) VALUES (?, ?, 'queued', '[]', 99)`, s.Crawl, url)
	}
	read := s.Count(t, `SELECT count(*) FROM fetches WHERE crawl_id = ? AND outcome = 'ok'`, s.Crawl)
	const goesOn = ", 3 links waiting. Run 200 pages now"
	if says := about(); !strings.Contains(says, strconv.Itoa(read)+" pages read since ") || !strings.Contains(says, goesOn) || !strings.Contains(says, "Start anew") {
		t.Errorf("a topic whose next crawl goes on says %q", says)
	}
	if to := s.MustPost(t, anew, nil); !strings.HasPrefix(to, "/crawls?") {
		t.Errorf("to start anew leads to %s", to)
	}
	if says := about(); !strings.Contains(says, "begins at the start pages, not with the 3 links that wait") || !strings.Contains(says, "Undo") {
		t.Errorf("a topic that starts anew says %q", says)
	}
	s.MustPost(t, anew+"/undo", nil)
	if says := about(); !strings.Contains(says, goesOn) {
		t.Errorf("after Undo it says %q", says)
	}
	if w := s.Post("/topics/99/anew", nil); w.Code != 404 {
		t.Errorf("no such topic: %d", w.Code)
	}
}

// TestMoreWithin: the page of a crawl that had no link left leads to what would give it more: the limits of a night that held links
// back, or start pages.
func TestMoreWithin(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	const why = "no links left within the limits of pages per host and site; 412 links of www.example.org wait for the next crawl"
	s.Exec(t, `UPDATE crawls SET status = 'ended', stop_reason = ? WHERE id = ?`, why, s.Crawl)
	lead := s.Page(t, path).Find(".lead[role=status]")
	if to, _ := lead.Find("a").Attr("href"); to != "/settings#night" || !strings.Contains(webtest.Text(lead), "412 links of www.example.org wait for the next crawl") {
		t.Errorf("it says %q and leads to %q", webtest.Text(lead), to)
	}
	s.Exec(t, `UPDATE crawls SET stop_reason = 'no links left' WHERE id = ?`, s.Crawl)
	if to, _ := s.Page(t, path).Find(".lead[role=status] a").Attr("href"); to != "/tonight" {
		t.Errorf("a crawl that read everything leads to %q", to)
	}
	s.Exec(t, `UPDATE crawls SET stop_reason = 'budget of 80 pages used' WHERE id = ?`, s.Crawl)
	if lead := s.Page(t, path).Find(".lead[role=status]"); lead.Find("a").Length() != 0 {
		t.Errorf("a crawl that used its budget says %q", webtest.Text(lead))
	}
}
