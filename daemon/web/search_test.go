package web

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/search"
)

// indexed is a seeded dashboard whose pages are indexed.
func indexed(t *testing.T) *seeded {
	t.Helper()
	s := seed(t)
	s.index(t)
	return s
}

func (s *seeded) index(t *testing.T) {
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
	d := s.page(t, "/search?q=tidal")
	results := d.Find(".result")
	if results.Length() != resultsPerPage {
		t.Fatalf("%d results: %s", results.Length(), text(d.Find("main")))
	}
	if !strings.Contains(strings.ToLower(text(d.Find(".result mark").First())), "tidal") {
		t.Errorf("marked %q", text(d.Find(".result mark").First()))
	}
	if d.Find(".result .snippet mark").Length() == 0 {
		t.Error("no snippet has a marked word")
	}
	next := d.Find(`.pager a[rel=next]`).AttrOr("href", "")
	seen := hrefs(results)
	for _, href := range hrefs(s.page(t, next).Find(".result")) {
		if slices.Contains(seen, href) {
			t.Errorf("%s is on two pages", href)
		}
	}
	for query, kind := range map[string]string{"q=tidal&kind=visited": "visited", "q=tidal&kind=found": "find", "kind=visited": "visited"} {
		tags := s.page(t, "/search?"+query).Find(".result .meta > .tag:first-child")
		if tags.Length() == 0 {
			t.Errorf("%s: nothing found", query)
		}
		tags.Each(func(_ int, tag *goquery.Selection) {
			if text(tag) != kind {
				t.Errorf("%s: a result is a %s", query, text(tag))
			}
		})
	}
	host := text(results.First().Find(".site > bdi").First())
	s.page(t, "/search?site="+url.QueryEscape("https://www."+host+"/x")).Find(".result .site > bdi").Each(func(_ int, site *goquery.Selection) {
		if got := text(site); got != host && !strings.HasSuffix(got, "."+host) {
			t.Errorf("site %s has a result of %s", host, got)
		}
	})
}

func hrefs(results *goquery.Selection) (all []string) {
	results.Find("h3 a").Each(func(_ int, a *goquery.Selection) { all = append(all, a.AttrOr("href", "")) })
	return all
}

func TestSearchSaysWhyNothing(t *testing.T) {
	s := seed(t)
	for query, want := range map[string]string{
		"":                           "still being indexed",
		"q=tidal":                    "still being indexed",
		"q=%22%22+-x":                "no words",
		"q=zzzabsent":                "has all these words",
		"q=zzzabsent&kind=found":     "search all pages",
		"url=https://nowhere.test/x": "No. You did not visit",
		"url=javascript:alert(1)":    "not a web address",
		"like=https://nowhere.test/": "No other page",
		"since=x&until=2026-99-99":   "Search the text of every page",
	} {
		if got := text(s.page(t, "/search?"+query).Find("main")); !strings.Contains(got, want) {
			t.Errorf("%s: lacks %q: %s", query, want, got)
		}
	}
	s.index(t)
	if got := text(s.page(t, "/search").Find("main")); strings.Contains(got, "being indexed") {
		t.Error("all is indexed, but the page says that pages wait")
	}
}

func TestWasIHere(t *testing.T) {
	s := indexed(t)
	start := s.web.Script()[0].URL
	bare := strings.TrimPrefix(start, "http://")
	for _, asked := range []string{"url=" + url.QueryEscape(start), "q=" + url.QueryEscape(start), "url=" + url.QueryEscape(bare), "q=" + url.QueryEscape("www."+bare)} {
		d := s.page(t, "/search?"+asked)
		if got := text(d.Find(".here")); !strings.Contains(got, "Yes,") || !strings.Contains(got, "Crawls requested it") {
			t.Errorf("%s: %s", asked, got)
		}
		if d.Find(`.here a[href="/sessions/`+s.session+`"]`).Length() != 1 || d.Find(`.here a[href^="/crawls/"]`).Length() != 1 {
			t.Errorf("%s: the session and the crawl are not linked", asked)
		}
	}
	d := s.page(t, "/search?q=tidal&kind=found")
	for _, link := range []string{"Was I here?", "More like this"} {
		href := d.Find(".result .meta a").FilterFunction(func(_ int, a *goquery.Selection) bool { return strings.HasPrefix(text(a), link) }).First().AttrOr("href", "")
		if page := text(s.page(t, href).Find("main")); !strings.Contains(page, map[string]string{"Was I here?": "No, you did not visit", "More like this": "They share words"}[link]) {
			t.Errorf("%s: %s", link, page)
		}
	}
}

// Every page has the box; the page of the search has its own.
func TestSearchBoxIsOnEveryPage(t *testing.T) {
	s := seed(t)
	for _, path := range []string{"/", "/sessions", "/crawls", "/settings", "/search"} {
		if n := s.page(t, path).Find(`form[action="/search"] input[name=q][data-seek]`).Length(); n != 1 {
			t.Errorf("%s has %d boxes", path, n)
		}
	}
}

// Hostile texts in pages and in queries stay texts.
func TestNaughtySearch(t *testing.T) {
	s := indexed(t)
	const shown = "/search?q=tidal&kind=visited"
	plain := elements(t, shown, s.get(shown).Body.String())
	for _, evil := range naughty(t, 15) {
		s.exec(t, `UPDATE search_entries SET title = ?`, "tidal "+evil)
		w := s.get(shown)
		got := slices.DeleteFunc(elements(t, shown, w.Body.String()), func(e string) bool { return e == "mark" })
		if want := slices.DeleteFunc(slices.Clone(plain), func(e string) bool { return e == "mark" }); w.Code != http.StatusOK || !slices.Equal(got, want) {
			t.Errorf("a title of %.60q changes the page (%d)", evil, w.Code)
		}
		for _, name := range []string{"q", "url", "like", "site", "topic", "kind", "since", "until", "after"} {
			path := "/search?" + url.Values{name: {evil}}.Encode()
			w := s.get(path)
			if w.Code != http.StatusOK {
				t.Errorf("%s=%.60q: %d", name, evil, w.Code)
			}
			elements(t, path, w.Body.String())
		}
	}
}
