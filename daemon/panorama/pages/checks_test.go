//go:build !race

package pages

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/web/frame"
)

// own are the beginnings of the routes of this wing.
var own = []string{"/communities", "/bookmarks"}

// wing is the dashboard with a path or more for each pattern of this wing that answers with a page.
func (s *mapped) wing(t testing.TB) *webtest.Wing {
	t.Helper()
	s.withBookmarks(t, "kept")
	done := mapAt(s.done)
	return &webtest.Wing{Site: s.Site, Begins: own, Paths: map[string][]string{
		"/bookmarks": {"/bookmarks", "/bookmarks?folder="}, "/communities": {"/communities"},
		"/communities/{map}": {done, mapAt(s.making["titles waiting"]), mapAt(s.making["pages waiting"]),
			mapAt(s.making["pages working"]), mapAt(s.making["training failed"]), mapAt(s.making["crawl working"]), mapAt(s.making["crawl waiting"])},
		"/communities/{map}/delete": {done + "/delete"}, "/communities/{map}/{community}": {done + "/1"},
		"/communities/{map}/pages/{fetch}": {fmt.Sprintf("%s/pages/%d", done, s.fetch)},
		"/communities/{map}/report":        nil, // a file
	}, Unseen: map[string][]string{
		"/bookmarks": {"links"}, "/bookmarks/stop": nil, done + "/enough": nil, done + "/go": nil, done + "/topic": nil,
	}}
}

// spoil writes a text into every place that a stranger can fill.
func (s *mapped) spoil(t testing.TB, evil string) {
	t.Helper()
	inURL := strings.ReplaceAll(frame.Printable(evil), "#", "%23") // what cannot be parsed as an address is not linked
	for table, columns := range map[string][]string{"pages": {"title"}, "fetches": {"title", "anchor", "reason"}, "crawls": {"stop_reason"}, "topics": {"name"}} {
		for _, c := range columns {
			s.Exec(t, `UPDATE `+table+` SET `+c+` = ?1 || rowid`, evil)
		}
	}
	s.Exec(t, `UPDATE fetches SET url = 'http://h.example/?' || ?1 || rowid, final_url = 'http://h.example/?' || ?1 || rowid`, inURL)
	s.Exec(t, `UPDATE fetches SET why = json_array(json_object('name', ?1, 'value', 1.5), json_object('name', 'x' || ?1, 'value', -.5))`, evil)
	s.Exec(t, `UPDATE fetches SET chosen = '{"how":"best","waiting":9,"compared":8}' WHERE parent_id IS NOT NULL`)
	s.Exec(t, `UPDATE maps SET title = ?1, problem = CASE state WHEN 'done' THEN '' ELSE 'x' || ?1 END`, evil)
	s.Training[s.Topic] = trainer.Status{Problem: "x" + evil}
	s.maps.spoil(evil, inURL)
	s.withBookmarks(t, evil)
}

func TestHostileForms(t *testing.T) {
	webtest.HostileForms(t, func(t testing.TB) *webtest.Wing { return seed(t).withMaps(t).wing(t) })
}

func TestNothingIsMarkup(t *testing.T) {
	s := seed(t).withMaps(t)
	webtest.NothingIsMarkup(t, s.wing(t), func(text string) { s.spoil(t, text) })
}

func TestPagesScanNoTable(t *testing.T) {
	n := webtest.ScansNoTable(t, func(t testing.TB) *webtest.Wing { return seed(t).withMaps(t).wing(t) }, map[string]string{
		"FROM finds f CROSS JOIN topics t": "the newest finds: in order of an index, up to a limit",
	})
	if n < 40 {
		t.Errorf("only %d statements were run", n)
	}
}

func TestFormsOnFullDisk(t *testing.T) {
	webtest.FullDisk(t, func(t testing.TB) (*webtest.Wing, func(*trouble.Board), map[string]url.Values) {
		s := seed(t).withMaps(t)
		return s.wing(t), func(b *trouble.Board) { s.server.Troubles = b }, nil
	}, []string{"maps", "documents"}, nil)
}

func TestWrongForms(t *testing.T) {
	s := seed(t).withMaps(t)
	waits := mapAt(s.making["titles waiting"])
	w := s.wing(t)
	s.bookmarks.Keep(nil) // so that the page has the form for a file
	webtest.WrongForms(t, w, "name=1", map[string]webtest.WrongForm{
		"/bookmarks":                 webtest.Wrong("/bookmarks", "/bookmarks", url.Values{"links": {"no <b> address"}}, "links", "no address of a web page"),
		"/communities":               webtest.Wrong("/communities", "/communities", url.Values{"from": {"document"}, "titles": {"One"}, "search": {"searxng"}, "instance": {"gopher:\"x"}, "pages": {"900"}, "clusters": {"4"}, "when": {"night"}}, "instance", ""),
		"/communities/{map}/titles":  webtest.Wrong(waits+"/titles", waits, url.Values{"main": {"Tides <b>"}, "titles": {"One"}, "search": {"searxng"}, "instance": {"ftp://\"x"}, "do": {"go"}}, "instance", ""),
		"/communities/{map}/options": webtest.Wrong(waits+"/options", waits, url.Values{"pages": {"many"}, "clusters": {"4"}, "labels": {"words"}, "when": {"night"}}, "pages", "whole number"),
	})
}

func TestEveryRouteIsGuarded(t *testing.T) {
	webtest.Guarded(t, &webtest.Wing{Site: newFixture(t).Site, Begins: own})
}

func TestGetChangesNothing(t *testing.T) {
	webtest.GetsChangeNothing(t, &webtest.Wing{Site: seed(t).Site, Begins: own}, strings.NewReplacer())
}

func TestPagesAreMadeWell(t *testing.T) {
	s := seed(t).withMaps(t)
	webtest.OneHeading(t, newFixture(t).Site, "/communities", "/bookmarks")
	webtest.Navigation(t, s.Site, map[string][2]string{"/communities": {"Topics", "Communities"}})
	webtest.TablesTakeFocus(t, s.server.Templates)
	webtest.PicturesSpeak(t, s.Site, map[string]int{"/communities": 0, mapAt(s.done): 1, mapAt(s.making["crawl working"]): 2, mapAt(s.done) + "/1": 0})
}
