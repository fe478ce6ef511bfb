package web

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
)

// TestRefreshSendsTheAskedParts: of every page, the parts that keep themselves up to date and no others.
func TestRefreshSendsTheAskedParts(t *testing.T) {
	s := seed(t)
	for _, path := range []string{"/", "/sessions", "/sessions/" + s.Session, "/model/" + strconv.FormatInt(s.Topic, 10), "/crawls", "/crawls/" + strconv.FormatInt(s.Crawl, 10), "/settings"} {
		whole := s.Get(path)
		page := webtest.Tree(t, whole)
		page.Find("[data-live]").Each(func(_ int, part *goquery.Selection) {
			id := part.AttrOr("id", "")
			w := s.Ask(http.MethodGet, path, nil, "X-Refresh", id+" nobody")
			d := webtest.Tree(t, w)
			want, _ := goquery.OuterHtml(part)
			got, _ := goquery.OuterHtml(d.Find("#" + id))
			if got != want || d.Find("body > *").Length() != 1 {
				t.Errorf("%s: #%s is\n%.300s\nwant\n%.300s", path, id, got, want)
			}
		})
	}
}
