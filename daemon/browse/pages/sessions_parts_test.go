package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
)

// Many sessions and topics are shown in parts, and each is on one of them.
func TestSessionsInParts(t *testing.T) {
	f := newFixture(t)
	const sessions, topics = 95, 12
	for i := range topics {
		f.Exec(t, `INSERT INTO topics (id, name, created_at) VALUES (?, ?, 0)`, i+1, fmt.Sprintf("Topic %02d", i))
	}
	for i := range sessions {
		f.Exec(t, `INSERT INTO sessions (uuid, topic_id, client, status, started_at, pages, useful) VALUES (?, ?, 'c', 'submitted', 1, 4, 1)`,
			fmt.Sprintf("00000000-0000-7000-8000-%012d", i), i%topics+1)
	}
	seen := map[string]int{}
	follow := func(path, rest string, note func(d *goquery.Selection)) {
		for range 20 {
			d := f.Page(t, path)
			note(d.Find("main"))
			next, ok := d.Find(rest).Attr("href")
			if !ok {
				return
			}
			if path, _, _ = strings.Cut(next, "#"); path == "/sessions?topics=0" {
				return
			}
		}
		t.Errorf("%s has no end", rest)
	}
	follow("/sessions", `.pager a[rel=next]`, func(d *goquery.Selection) {
		d.Find("tbody th a").Each(func(_ int, a *goquery.Selection) { seen[a.AttrOr("href", "")]++ })
	})
	follow("/sessions", `nav[aria-label="More topics"] a`, func(d *goquery.Selection) {
		d.Find("section.card h3").Each(func(_ int, h *goquery.Selection) { seen[h.AttrOr("id", "")]++ })
	})
	if len(seen) != sessions+topics {
		t.Errorf("%d sessions and topics were seen, want %d", len(seen), sessions+topics)
	}
	for what, n := range seen {
		if n != 1 {
			t.Errorf("%s is shown %d times", what, n)
		}
	}
	for _, odd := range []string{"before=x", "before=-1", "topics=-1", "topics=99999", "before=1"} {
		f.Page(t, "/sessions?"+odd)
	}
}

// TestOfOneTopic: from the page of a topic, its sessions and crawls are listed, and no others.
func TestOfOneTopic(t *testing.T) {
	s := seed(t)
	s.Exec(t, `INSERT INTO topics (name, created_at) VALUES ('Another', 0)`)
	other := s.Count(t, `SELECT max(id) FROM topics`)
	links := s.Page(t, s.ModelPath()).Find(".of-topic a")
	for _, path := range []string{"/sessions", "/crawls"} {
		at := fmt.Sprintf("%s?topic=%d", path, s.Topic)
		if links.FilterFunction(func(_ int, a *goquery.Selection) bool { return a.AttrOr("href", "") == at }).Length() != 1 {
			t.Errorf("the topic does not lead to %s", at)
		}
		rows := s.Page(t, path).Find("main tbody tr").Length()
		if n := s.Page(t, at).Find("main tbody tr").Length(); n != rows || rows == 0 {
			t.Errorf("%s: %d of %d lines", at, n, rows)
		}
		d := s.Page(t, fmt.Sprintf("%s?topic=%d", path, other))
		if d.Find("main tbody tr").Length() != 0 || !strings.Contains(webtest.Text(d.Find(".lead")), "Another") {
			t.Errorf("of another topic: %s", webtest.Text(d.Find("main")))
		}
	}
}
