package web

import (
	"strconv"
	"strings"
	"testing"
)

// TestStartAnew: the list of crawls says what a topic's next crawl goes on with, lets it begin at the start pages instead, and
// takes that back.
func TestStartAnew(t *testing.T) {
	s := seed(t)
	anew := "/topics/" + strconv.FormatInt(s.topic, 10) + "/anew"
	about := func() string { return text(s.page(t, "/crawls").Find("section[aria-labelledby=run-title]")) }
	s.exec(t, `UPDATE topics SET queue = NULL`)
	if says := about(); strings.Contains(says, "waiting") || strings.Contains(says, "Start anew") {
		t.Errorf("a topic whose next crawl begins at the start pages says %q", says)
	}
	s.exec(t, `UPDATE topics SET queue = ? WHERE id = ?`, s.crawl, s.topic)
	for _, url := range []string{"http://left.test/1", "http://left.test/2", "http://left.test/3"} {
		s.exec(t, `INSERT INTO frontier (crawl_id, url, status, priority, seq) VALUES (?, ?, 'queued', '[]', 99)`, s.crawl, url)
	}
	read := s.count(t, `SELECT count(*) FROM fetches WHERE crawl_id = ? AND outcome = 'ok'`, s.crawl)
	const goesOn = ", 3 links waiting. Run 200 pages now"
	if says := about(); !strings.Contains(says, strconv.Itoa(read)+" pages read since ") || !strings.Contains(says, goesOn) || !strings.Contains(says, "Start anew") {
		t.Errorf("a topic whose next crawl goes on says %q", says)
	}
	if to := s.mustPost(t, anew, nil); !strings.HasPrefix(to, "/crawls?") {
		t.Errorf("to start anew leads to %s", to)
	}
	if says := about(); !strings.Contains(says, "begins at the start pages, not with the 3 links that wait") || !strings.Contains(says, "Undo") {
		t.Errorf("a topic that starts anew says %q", says)
	}
	s.mustPost(t, anew+"/undo", nil)
	if says := about(); !strings.Contains(says, goesOn) {
		t.Errorf("after Undo it says %q", says)
	}
	if w := s.post("/topics/99/anew", nil); w.Code != 404 {
		t.Errorf("no such topic: %d", w.Code)
	}
}

// TestMoreWithin: the page of a crawl that had no link left leads to what would give it more: the limits of a night that held links
// back, or start pages.
func TestMoreWithin(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.crawl, 10)
	const why = "no links left within the limits of pages per host and site; 412 links of www.example.org wait for the next crawl"
	s.exec(t, `UPDATE crawls SET status = 'ended', stop_reason = ? WHERE id = ?`, why, s.crawl)
	lead := s.page(t, path).Find(".lead[role=status]")
	if to, _ := lead.Find("a").Attr("href"); to != "/settings#night" || !strings.Contains(text(lead), "412 links of www.example.org wait for the next crawl") {
		t.Errorf("it says %q and leads to %q", text(lead), to)
	}
	s.exec(t, `UPDATE crawls SET stop_reason = 'no links left' WHERE id = ?`, s.crawl)
	if to, _ := s.page(t, path).Find(".lead[role=status] a").Attr("href"); to != "/tonight" {
		t.Errorf("a crawl that read everything leads to %q", to)
	}
	s.exec(t, `UPDATE crawls SET stop_reason = 'budget of 80 pages used' WHERE id = ?`, s.crawl)
	if lead := s.page(t, path).Find(".lead[role=status]"); lead.Find("a").Length() != 0 {
		t.Errorf("a crawl that used its budget says %q", text(lead))
	}
}
