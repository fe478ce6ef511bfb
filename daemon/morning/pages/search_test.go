package pages

import (
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/search"
)

// indexed is a seeded dashboard whose pages are indexed.
func indexed(t *testing.T) *fixture {
	t.Helper()
	s := seed(t)
	s.index(t)
	return s
}

func (s *fixture) index(t *testing.T) {
	t.Helper()
	x := search.NewIndexer(s.Store, slog.New(slog.DiscardHandler))
	for n := 1; n > 0; {
		var err error
		if n, err = x.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSearchPage(t *testing.T) {
	s := indexed(t)
	d := s.Page(t, "/search?q=tidal")
	results := d.Find(".result")
	if results.Length() != resultsPerPage {
		t.Fatalf("%d results: %s", results.Length(), webtest.Text(d.Find("main")))
	}
	if !strings.Contains(strings.ToLower(webtest.Text(d.Find(".result mark").First())), "tidal") {
		t.Errorf("marked %q", webtest.Text(d.Find(".result mark").First()))
	}
	if d.Find(".result .snippet mark").Length() == 0 {
		t.Error("no snippet has a marked word")
	}
	next := d.Find(`.pager a[rel=next]`).AttrOr("href", "")
	seen := hrefs(results)
	for _, href := range hrefs(s.Page(t, next).Find(".result")) {
		if slices.Contains(seen, href) {
			t.Errorf("%s is on two pages", href)
		}
	}
	for query, kind := range map[string]string{"q=tidal&kind=visited": "visited", "q=tidal&kind=found": "find", "kind=visited": "visited"} {
		tags := s.Page(t, "/search?"+query).Find(".result .meta > .tag:first-child")
		if tags.Length() == 0 {
			t.Errorf("%s: nothing found", query)
		}
		tags.Each(func(_ int, tag *goquery.Selection) {
			if webtest.Text(tag) != kind {
				t.Errorf("%s: a result is a %s", query, webtest.Text(tag))
			}
		})
	}
	host := webtest.Text(results.First().Find(".site > bdi").First())
	s.Page(t, "/search?site="+url.QueryEscape("https://www."+host+"/x")).Find(".result .site > bdi").Each(func(_ int, site *goquery.Selection) {
		if got := webtest.Text(site); got != host && !strings.HasSuffix(got, "."+host) {
			t.Errorf("site %s has a result of %s", host, got)
		}
	})
}

// TestDidYouMean: a typing error leads to a link that searches the word that was meant, with the other fields as they are.
func TestDidYouMean(t *testing.T) {
	s := indexed(t)
	link := s.Page(t, "/search?q=tiadl&kind=visited").Find("#search-better a")
	if webtest.Text(link) != "tidal" {
		t.Fatalf("meant %q", webtest.Text(link))
	}
	d := s.Page(t, link.AttrOr("href", ""))
	if d.Find(".result").Length() == 0 || d.Find("#search-better").Length() != 0 || d.Find("select[name=kind] option[selected]").AttrOr("value", "") != "visited" {
		t.Errorf("%s: %s", link.AttrOr("href", ""), webtest.Text(d.Find("main")))
	}
	for _, query := range []string{"tidal", "zzzabsent", "tida", "site:nowhere.test", "-tiadl", ""} {
		if better := s.Page(t, "/search?q="+url.QueryEscape(query)).Find("#search-better"); better.Length() > 0 && query != "tida" {
			t.Errorf("%s: %s", query, webtest.Text(better))
		}
	}
}

// TestSiteInQuery: site: narrows to a site as its field does, and is no address to look up.
func TestSiteInQuery(t *testing.T) {
	s := indexed(t)
	host := webtest.Text(s.Page(t, "/search?q=tidal").Find(".result .site > bdi").First())
	d := s.Page(t, "/search?q="+url.QueryEscape("site:"+host))
	if d.Find(".here").Length() > 0 || d.Find(".result").Length() == 0 || !slices.Equal(hrefs(d.Find(".result")), hrefs(s.Page(t, "/search?site="+host).Find(".result"))) {
		t.Errorf("%s: %s", host, webtest.Text(d.Find("main")))
	}
	s.Page(t, "/search?q="+url.QueryEscape("tidal -site:"+host)).Find(".result .site > bdi").Each(func(_ int, site *goquery.Selection) {
		if got := webtest.Text(site); got == host || strings.HasSuffix(got, "."+host) {
			t.Errorf("without %s there is a result of %s", host, got)
		}
	})
	if help := webtest.Text(s.Page(t, "/search").Find(".search-help")); !strings.Contains(help, "site:example.org") {
		t.Errorf("help: %s", help)
	}
}

func hrefs(results *goquery.Selection) (all []string) {
	results.Find("h3 a").Each(func(_ int, a *goquery.Selection) { all = append(all, a.AttrOr("href", "")) })
	return all
}

func TestWasIHere(t *testing.T) {
	s := indexed(t)
	start := s.Web.Script()[0].URL
	bare := strings.TrimPrefix(start, "http://")
	for _, asked := range []string{"url=" + url.QueryEscape(start), "q=" + url.QueryEscape(start), "url=" + url.QueryEscape(bare), "q=" + url.QueryEscape("www."+bare)} {
		d := s.Page(t, "/search?"+asked)
		if got := webtest.Text(d.Find(".here")); !strings.Contains(got, "Yes,") || !strings.Contains(got, "Crawls requested it") {
			t.Errorf("%s: %s", asked, got)
		}
		if d.Find(`.here a[href="/sessions/`+s.Session+`"]`).Length() != 1 || d.Find(`.here a[href^="/crawls/"]`).Length() != 1 {
			t.Errorf("%s: the session and the crawl are not linked", asked)
		}
	}
	d := s.Page(t, "/search?q=tidal&kind=found")
	for _, link := range []string{"Was I here?", "More like this"} {
		href := d.Find(".result .meta a").FilterFunction(func(_ int, a *goquery.Selection) bool { return strings.HasPrefix(webtest.Text(a), link) }).First().AttrOr("href", "")
		if page := webtest.Text(s.Page(t, href).Find("main")); !strings.Contains(page, map[string]string{"Was I here?": "No, you did not visit", "More like this": "They share words"}[link]) {
			t.Errorf("%s: %s", link, page)
		}
	}
}

// The page of the search has a box of its own, and no other.
func TestSearchBox(t *testing.T) {
	if n := seed(t).Page(t, "/search").Find(`form[action="/search"] input[name=q][data-seek]`).Length(); n != 1 {
		t.Errorf("%d boxes", n)
	}
}
