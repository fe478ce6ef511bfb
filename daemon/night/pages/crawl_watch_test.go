package pages

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// TestWatchCrawl: the page of a running crawl has its finds in the order in which they came, to be marked there, and what comes next,
// with the texts of strangers as text.
func TestWatchCrawl(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	s.Next = []scheduler.NextLink{{URL: "http://a.test/1", Anchor: "<b>one</b>"}, {URL: "javascript:alert(1)"}, {URL: "http://a.test/2", Was: 9}, {URL: "http://a.test/3", Was: 4}}
	d := s.Page(t, path)
	if d.Find("#crawl-next[hidden]").Length() != 1 || d.Find("#crawl-next li").Length() != 0 {
		t.Error("an ended crawl has links that come next")
	}
	s.Exec(t, `UPDATE crawls SET status = 'running', ended_at = NULL, stop_reason = '' WHERE id = ?`, s.Crawl)
	s.Taught = true
	d = s.Page(t, path)
	next := d.Find("#crawl-next ol")
	if says := webtest.Text(next); !strings.Contains(says, "<b>one</b> new here") || !strings.Contains(says, "http://a.test/2 was 9") || next.Find("b").Length() != 0 || next.Find("a").Length() != 3 {
		t.Errorf("next: %q", says)
	}
	if moved := webtest.Text(next.Find("li").Last()); moved != "http://a.test/3http://a.test/3" {
		t.Errorf("a link that stayed says %q", moved)
	}
	rows := d.Find("#crawl-finds > li")
	ids, err := finds.List(t.Context(), s.Store.DB, finds.Filter{Crawl: s.Crawl})
	if err != nil || rows.Length() != len(ids) || len(ids) < 3 {
		t.Fatalf("%d rows, %d finds, %v", rows.Length(), len(ids), err)
	}
	for i, f := range ids {
		if id, _ := rows.Eq(i).Attr("id"); id != "row-"+frame.IdText(f.ID) || i > 0 && f.ID < ids[i-1].ID {
			t.Errorf("row %d is %s", i, id)
		}
	}
	form := rows.First().Find("form[data-swap]")
	s.MustPost(t, form.AttrOr("action", ""), url.Values{"mark": {store.MarkUseful}, "back": {form.Find("input[name=back]").AttrOr("value", "")}})
	if state := s.Page(t, path).Find("#crawl-finds > li .actions").First().AttrOr("data-state", ""); state != store.MarkUseful {
		t.Errorf("the marked find is %q", state)
	}
}

// TestTimeLeft: the pace of the last pages tells how long the others take. A pause does not count as pace, a slow page does;
// pages that were read without fetching count for nothing.
func TestTimeLeft(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	last := func(pause time.Duration) (all []progress.FetchLine) {
		for i := range 30 {
			at := now.Add(-pause - time.Duration(i+1)*3*time.Second)
			all = append(all, progress.FetchLine{At: at}, progress.FetchLine{At: at, Free: true})
		}
		return all
	}
	for _, tt := range []struct {
		pages int
		pause time.Duration
		want  string
	}{{100, 0, "about 5 minutes left"}, {10, 0, "less than a minute left"}, {400, 0, "about 20 minutes left"}, {100, time.Hour, "about 10 minutes left"}, {0, 0, ""}} {
		if got := timeLeft(tt.pages, last(tt.pause), now); got != tt.want {
			t.Errorf("%d pages after a pause of %v: %q, want %q", tt.pages, tt.pause, got, tt.want)
		}
	}
}

// TestTrailOf: a page that was read without fetching is drawn only if it led to another.
func TestTrailOf(t *testing.T) {
	p := trailOf([]progress.FetchLine{
		{N: 4, Parent: 2, Depth: 1, Outcome: "ok", Title: "d", Relevant: true}, {N: 3, Outcome: "ok", Title: "c"},
		{N: 2, Outcome: "ok", Title: "b", Free: true}, {N: 1, Outcome: "ok", Title: "a", Free: true},
	})
	var drawn []string
	for _, n := range p.Nodes {
		drawn = append(drawn, n.Title)
	}
	if got := strings.Join(drawn, " "); got != "b c d" || len(p.Edges) != 1 || trailOf(nil) != nil {
		t.Errorf("drew %q with %d edges", got, len(p.Edges))
	}
}
