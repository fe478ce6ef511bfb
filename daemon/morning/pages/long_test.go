//go:build !race

package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/lab/webtest"
)

// Tests of one goroutine that would take long under the race detector, which has nothing to see in them.

func TestNothingIsMarkup(t *testing.T) {
	s := indexed(t)
	webtest.NothingIsMarkup(t, s.wing(), func(text string) {
		s.Exec(t, `UPDATE search_entries SET title = ?1`, text)
		s.Exec(t, `UPDATE topics SET name = ?1`, text)
	})
}

func TestPagesOnFullDisk(t *testing.T) {
	webtest.FullDisk(t, func(t testing.TB) (*webtest.Wing, func(*trouble.Board), map[string]url.Values) {
		s := seed(t)
		return s.wing(), func(b *trouble.Board) { s.Server.Troubles = b }, nil
	}, nil, nil)
}

func TestPagesScanNoTable(t *testing.T) {
	n := webtest.ScansNoTable(t, func(t testing.TB) *webtest.Wing { return seed(t).wing() }, map[string]string{
		"SELECT count(*) FROM (SELECT 1 FROM search_queue LIMIT": "up to a limit",
	})
	if n < 10 {
		t.Errorf("only %d statements were run", n)
	}
}

// Hostile texts in pages and in queries stay texts.
func TestNaughtySearch(t *testing.T) {
	s := indexed(t)
	const shown = "/search?q=tidal&kind=visited"
	plain := webtest.Elements(t, shown, s.Get(shown).Body.String())
	for _, evil := range hostile.Joined(t, 15) {
		s.Exec(t, `UPDATE search_entries SET title = ?`, "tidal "+evil)
		w := s.Get(shown)
		got := slices.DeleteFunc(webtest.Elements(t, shown, w.Body.String()), func(e string) bool { return e == "mark" })
		if want := slices.DeleteFunc(slices.Clone(plain), func(e string) bool { return e == "mark" }); w.Code != http.StatusOK || !slices.Equal(got, want) {
			t.Errorf("a title of %.60q changes the page (%d)", evil, w.Code)
		}
		for _, name := range []string{"q", "url", "like", "site", "topic", "kind", "since", "until", "after"} {
			path := "/search?" + url.Values{name: {evil}}.Encode()
			w := s.Get(path)
			if w.Code != http.StatusOK {
				t.Errorf("%s=%.60q: %d", name, evil, w.Code)
			}
			webtest.Elements(t, path, w.Body.String())
		}
	}
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
		if got := webtest.Text(s.Page(t, "/search?"+query).Find("main")); !strings.Contains(got, want) {
			t.Errorf("%s: lacks %q: %s", query, want, got)
		}
	}
	s.index(t)
	if got := webtest.Text(s.Page(t, "/search?q=site:nowhere.test").Find("main")); !strings.Contains(got, "search all pages") && !strings.Contains(got, "Try fewer words") {
		t.Errorf("a site without pages: %s", got)
	}
	if got := webtest.Text(s.Page(t, "/search").Find("main")); strings.Contains(got, "being indexed") {
		t.Error("all is indexed, but the page says that pages wait")
	}
}
