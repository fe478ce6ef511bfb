package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
)

// TestFollowVisited: where start pages are chosen, the pages say how many links on visited pages a crawl would begin with, and where;
// the person leaves them out, and a running crawl obeys at once. A form that did not ask changes nothing.
func TestFollowVisited(t *testing.T) {
	s := seed(t)
	id := strconv.FormatInt(s.Topic, 10)
	starts, err := startpages.Ticked(t.Context(), s.Store.DB, s.Topic)
	if err != nil || len(starts) == 0 {
		t.Fatal(starts, err)
	}
	site := strings.Split(starts[0], "/")[2]
	var page string
	if err := s.DB.QueryRow(`SELECT p.url FROM pages p JOIN visits v ON v.page_id = p.id WHERE p.url LIKE ? AND p.content_hash IS NOT NULL`, "http://"+site+"/%").Scan(&page); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `DELETE FROM link_page`)
	s.Exec(t, `INSERT INTO link_page (id, url, site) VALUES (1, ?1, ?2), (2, 'http://elsewhere.test/', 'elsewhere.test')`, page, site)
	for i := range 7 {
		s.Exec(t, `INSERT INTO link_page (id, url, site) VALUES (?1, 'http://' || ?2 || '/unread/' || ?1, ?2)`, 10+i, site)
		s.Exec(t, `INSERT INTO link (src, dst, pos) VALUES (1, ?1, ?1)`, 10+i)
	}
	s.Exec(t, `INSERT INTO link (src, dst, pos) VALUES (1, 2, 3), (1, 1, 4), (1, 10, 5)`) // elsewhere, itself, twice
	holds := func(want bool) {
		t.Helper()
		for _, path := range []string{"/tonight", "/sessions"} {
			box := s.Page(t, path).Find("[name=visited-" + id + "]")
			says := webtest.Text(box.Parent())
			if _, checked := box.Attr("checked"); checked != want || !strings.Contains(says, "7 links on ") || !strings.Contains(says, "of "+site+".") {
				t.Errorf("%s: checked %v, want %v; %s", path, checked, want, says)
			}
		}
	}
	holds(true)
	form := url.Values{"start-" + id: starts, "topic": {id}, "night_start": {"02:00"}, "night_end": {"04:00"}, "pages": {"55"}, "night": {"keep"}}
	for i, at := range []struct {
		path  string
		asked bool
		on    bool
		want  bool
	}{
		{"/tonight", false, false, true}, {"/tonight", true, false, false}, {"/tonight", true, true, true},
		{"/topics/" + id + "/starts", true, false, false}, {"/topics/" + id + "/starts", false, true, false}, {"/topics/" + id + "/starts", true, true, true},
	} {
		form.Del("visited-asked")
		form.Del("visited-" + id)
		if at.asked {
			form.Set("visited-asked", id)
		}
		if at.on {
			form.Set("visited-"+id, "on")
		}
		s.MustPost(t, at.path, form)
		if now, err := crawls.FollowsVisited(t.Context(), s.Store.DB, s.Topic); err != nil || now != at.want {
			t.Errorf("form %d: %v, want %v; %v", i, now, at.want, err)
		}
		holds(at.want)
	}
	if !slices.Equal(s.Renewed, []int64{s.Topic, s.Topic, s.Topic, s.Topic}) {
		t.Errorf("crawls of %v go on anew", s.Renewed)
	}
	s.Exec(t, `UPDATE starts SET url = 'http://never.visited.test/' || length(url)`)
	if n := s.Page(t, "/tonight").Find("[name=visited-" + id + "]").Length(); n != 0 {
		t.Error("it asks about visited pages of sites without a start page")
	}
}
