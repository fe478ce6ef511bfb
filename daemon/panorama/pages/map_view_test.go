package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/maps"
)

// TestMapPage: the picture and the table say the same, and lead to the communities.
func TestMapPage(t *testing.T) {
	s := seed(t).withMaps(t)
	d := s.Page(t, mapAt(s.done))
	var circles, rows []string
	d.Find("svg.map > a").Each(func(_ int, e *goquery.Selection) { circles = append(circles, e.AttrOr("href", "")) })
	d.Find(".map-list th[scope=row] a").Each(func(_ int, e *goquery.Selection) { rows = append(rows, e.AttrOr("href", "")) })
	if len(circles) != 2 || !slices.Equal(circles, rows) {
		t.Errorf("circles lead to %q, rows to %q", circles, rows)
	}
	for _, path := range circles {
		d := s.Page(t, path)
		if d.Find("article.find").Length() != 8 || d.Find("article.find .actions button").Length() != 16 {
			t.Errorf("%s: %d pages", path, d.Find("article.find").Length())
		}
	}
	if got := webtest.Text(d.Find("main")); !strings.Contains(got, "Few pages were kept.") || !strings.Contains(got, "2 communities among 90 pages") {
		t.Errorf("says %q", got)
	}
	for _, path := range []string{mapAt(s.making["crawl failed"]) + "/1", mapAt(s.making["crawl failed"]) + "/report"} {
		if w := s.Get(path); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for _, path := range []string{mapAt(s.done) + "/9", mapAt(s.done) + "/x", mapAt(s.done) + "/pages/999999", "/communities/999"} {
		if w := s.Get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// TestMapNewAndGone: a map that was made again says what is new and what is gone.
func TestMapNewAndGone(t *testing.T) {
	s := seed(t).withMaps(t)
	s.maps.view.Earlier = &maps.Map{ID: 77, EndedAt: s.Clock}
	s.maps.view.Gone, s.maps.view.GoneAll = []communities.Page{{URL: "https://gone.example/", Title: "Gone <page>"}}, 3
	d := s.Page(t, mapAt(s.done))
	if got := webtest.Text(d.Find("section[aria-labelledby=map-gone]")); !strings.Contains(got, "3 pages of the previous map") || !strings.Contains(got, "Gone <page>") {
		t.Errorf("says %q", got)
	}
	if d.Find(".map-list thead th").Length() != 6 || d.Find("a[href='/communities/77']").Length() != 1 {
		t.Error("the new pages are not counted")
	}
	if n := s.Page(t, mapAt(s.done)+"/1").Find("article.find .tag.good").Length(); n != 2 { // in two lists
		t.Errorf("%d pages are marked as new", n)
	}
}

// TestMapMarks marks a page by script and without one, and takes it back.
func TestMapMarks(t *testing.T) {
	s := seed(t).withMaps(t)
	page := fmt.Sprint(s.fetch)
	to := s.MustPost(t, mapAt(s.done)+"/mark", url.Values{"page": {page}, "mark": {"useful"}})
	if want := mapAt(s.done) + "/1#example-" + page; to != want {
		t.Errorf("leads to %s, want %s", to, want)
	}
	if len(s.Marked) != 1 || s.Marked[0][0] != s.Topic {
		t.Errorf("compared: %v", s.Marked)
	}
	d := s.Page(t, mapAt(s.done)+"/1")
	if got := webtest.Text(d.Find("#actions-example-" + page)); !strings.HasPrefix(got, "Marked Useful Undo") {
		t.Errorf("says %q", got)
	}
	w := s.PostPart(mapAt(s.done)+"/mark", url.Values{"page": {page}, "mark": {"none"}})
	part := webtest.Tree(t, w)
	if w.Code != http.StatusOK || part.Find(".actions").Length() != 3 || part.Find("#actions-example-"+page+" button[value=useful]").Length() != 1 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, form := range []url.Values{{"page": {page}, "mark": {"off-topic"}}, {"page": {"999999"}, "mark": {"useful"}}} {
		if w := s.Post(mapAt(s.done)+"/mark", form); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%v: %d", form, w.Code)
		}
	}
	if to := s.MustPost(t, mapAt(s.done)+"/2/like", nil); !strings.HasPrefix(to, "/tonight") || !slices.Contains(s.maps.said, fmt.Sprintf("like %d 2", s.done)) {
		t.Errorf("more like this leads to %s", to)
	}
}

// TestMapTrail: how a page was reached, on a page of its own and as a part.
func TestMapTrail(t *testing.T) {
	s := seed(t).withMaps(t)
	path := fmt.Sprintf("%s/pages/%d", mapAt(s.done), s.fetch)
	steps, err := finds.Trail(t.Context(), s.Store.DB, s.fetch)
	if err != nil || len(steps) < 2 {
		t.Fatalf("%d steps, %v", len(steps), err)
	}
	if n := s.Page(t, path).Find(".find-about .way > li").Length(); n != len(steps) {
		t.Errorf("%d steps, want %d", n, len(steps))
	}
	if w := s.Ask(http.MethodGet, path, nil, "X-Fragment", "1"); strings.Contains(w.Body.String(), "<html") || webtest.Tree(t, w).Find(".find-about").Length() != 1 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestMapReport: the report is a file that the browser keeps, and does not open here.
func TestMapReport(t *testing.T) {
	s := seed(t).withMaps(t)
	w := s.Get(mapAt(s.done) + "/report")
	if got := w.Header().Get("Content-Disposition"); w.Code != http.StatusOK || got != `attachment; filename="communities-tidal-power--crawl-2026-11-21.html"` {
		t.Errorf("%d, %q", w.Code, got)
	}
	d := webtest.Tree(t, w)
	if d.Find("script, link, iframe").Length() > 0 || d.Find("svg.map").Length() != 1 || d.Find("meta[http-equiv='Content-Security-Policy']").Length() != 1 {
		t.Error("the report has a script, or lacks its map or its policy")
	}
}
