package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/night/crawls"
)

// missedPages are pages of the seed's crawl that a test puts below the threshold of a find.
const missedPages = findsPerPage + 5

// withMaybe ends the seed's crawl again, after some pages that it read got a text and a small chance of being useful.
func (s *fixture) withMaybe(t *testing.T) {
	t.Helper()
	s.Exec(t, `INSERT INTO contents (hash, gzip) VALUES (x'07', ?)`, protocol.Pack([]byte("<title>Tides</title><p>The barrage turns the tide into power.")))
	s.Exec(t, `UPDATE fetches SET useful = 0 WHERE relevant = 0`)
	s.Exec(t, `UPDATE fetches SET content_hash = x'07', useful = 0.4 - n / 10000.0 WHERE id IN (SELECT id FROM fetches f WHERE relevant = 0 AND outcome = 'ok'
		AND NOT EXISTS (SELECT 1 FROM pages WHERE url = f.final_url) LIMIT ?)`, missedPages)
	s.Exec(t, `UPDATE crawls SET status = 'running' WHERE id = ?`, s.Crawl)
	if err := crawls.End(t.Context(), s.Store.DB, s.Crawl, "done"); err != nil {
		t.Fatal(err)
	}
}

// tabCount is the number on a tab of Finds.
func tabCount(d *goquery.Document, state string) string {
	return webtest.Text(d.Find(`#finds-tabs a[href*="state=` + state + `"] .count`))
}

// TestMaybe: what was rated too low for a find is listed as finds are, best first, in parts, and a mark makes a find of it.
func TestMaybe(t *testing.T) {
	s := seed(t)
	if got := webtest.Text(s.Page(t, "/?state=maybe").Find(".empty")); !strings.HasPrefix(got, "No page is listed.") {
		t.Errorf("the empty list says %q", got)
	}
	s.withMaybe(t)
	d := s.Page(t, "/?state=maybe")
	cards := d.Find("article.find")
	if cards.Length() != findsPerPage || tabCount(d, "maybe") != strconv.Itoa(missedPages) {
		t.Fatalf("%d cards, %s on the tab", cards.Length(), tabCount(d, "maybe"))
	}
	if d.Find(".likely").Length() > 0 {
		t.Errorf("the list says how many of its pages are finds: %s", webtest.Text(d.Find(".likely")))
	}
	card := cards.First()
	if got := webtest.Text(card.Find(".snippet")); !strings.Contains(got, "The barrage turns the tide") {
		t.Errorf("its passage is %q", got)
	}
	rest := s.Page(t, d.Find("a[rel=next]").AttrOr("href", ""))
	if n := rest.Find("article.find").Length(); n != missedPages-findsPerPage {
		t.Errorf("%d cards on the second page", n)
	}
	id := card.AttrOr("data-find", "")
	if about := s.Page(t, "/finds/"+id); about.Find("ol.way li").Length() == 0 {
		t.Error("the page of a page under Maybe does not say how it was reached")
	}
	useful := tabCount(d, "useful")
	w := s.PostPart("/finds/"+id+"/mark", url.Values{"mark": {"useful"}, "back": {"state=maybe"}})
	a := webtest.Tree(t, w)
	if w.Code != http.StatusOK || a.Find("#actions-"+id+"[data-state=useful]").Length() != 1 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if tabCount(a, "maybe") != strconv.Itoa(missedPages-1) || tabCount(a, "useful") == useful {
		t.Errorf("the tabs say %s", webtest.Text(a.Find("#finds-tabs")))
	}
	if len(s.Marked) != 1 || s.Marked[0][0] != s.Topic {
		t.Errorf("compared %v", s.Marked)
	}
	if got := s.Page(t, "/?state=useful").Find("#find-" + id).Length(); got != 1 {
		t.Error("it is not among the useful finds")
	}
	s.PostPart("/finds/undo", url.Values{"action": {a.Find("#echo input[name=action]").AttrOr("value", "")}, "back": {"state=maybe"}})
	if d = s.Page(t, "/?state=maybe"); d.Find("#find-"+id).Length() != 1 || tabCount(d, "useful") != useful {
		t.Errorf("after Undo the tabs say %s", webtest.Text(d.Find("#finds-tabs")))
	}
}
