//go:build !race

package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/web/frame"
)

// wing is the dashboard with a path or more for each pattern of this wing that answers with a page.
func (s *fixture) wing(t testing.TB) *webtest.Wing {
	t.Helper()
	tree, g := ontologyAt(s.withOntology(t)), s.withGroupings(t)
	here := groupingAt(g.terms)
	return &webtest.Wing{Site: s.Site, Begins: []string{"/explore"}, Paths: map[string][]string{
		"/explore": {"/explore"}, "/explore/{grouping}": {here, here + "?q=guitar", here + "?term=s&level=0", here + "?cluster=apart",
			groupingAt(g.words), groupingAt(g.working), groupingAt(g.failed), groupingAt(g.empty)},
		"/explore/{grouping}/links": {here + "/links?cluster=0"}, "/explore/{grouping}/delete": {here + "/delete"},
		"/explore/page": {"/explore/page", "/explore/page?url=https://nowhere.example/"}, "/explore/pages/{id}": {"/explore/pages/1", "/explore/pages/1?grouping=0"},
		"/explore/compare": {"/explore/compare?a=&b=https://music.example/1", "/explore/compare?a=(&b="},
		"/explore/operators": {"/explore/operators", "/explore/operators?q=" + url.QueryEscape("weightedTargetKeywords([], [])"),
			"/explore/operators?q=crawl([https://music.example/1],-1)", "/explore/operators?q=crawl("},
		"/explore/ontologies": {"/explore/ontologies"}, "/explore/ontologies/{ontology}": {tree, tree + "?term=wind&open=music&open=tools", tree + "?q=x"},
		"/explore/ontologies/{ontology}/delete": {tree + "/delete"},
		"/explore/wordnet":                      {"/explore/wordnet"}, "/explore/wordnet/get": {"/explore/wordnet/get"}, "/explore/wordnet/remove": {"/explore/wordnet/remove"},
		"/explore/ontologies/{ontology}/export": nil, "/explore/{grouping}/export": nil, "/explore/operators/export": nil, // files
	}, Unseen: map[string][]string{
		"/explore/wordnet/stop": nil, tree + "/undo": {"term", "view"}, tree + "/redo": {"term", "view"}, tree + "/edit": {"do", "term", "view", "parent"},
		"/explore/sets/forget": {"name"},
	}}
}

// spoil writes a text into every place that a stranger can fill.
func (s *fixture) spoil(t testing.TB, evil string) {
	t.Helper()
	inURL := strings.ReplaceAll(frame.Printable(evil), "#", "%23") // what cannot be parsed as an address is not linked
	s.Exec(t, `UPDATE topics SET name = ?1 || rowid`, evil)
	s.Exec(t, `UPDATE pages SET title = ?1 || rowid`, evil)
	s.spoilOntologies(t, evil)
	*s.wordnet = fullWordNet(evil)
	s.explores.spoil(evil, inURL)
	s.spoilLinks(t, evil, inURL)
}

// spoilLinks puts a text into everything that is stored of links.
func (s *fixture) spoilLinks(t testing.TB, evil, inURL string) {
	t.Helper()
	s.Exec(t, `UPDATE groupings SET problem = CASE state WHEN 'failed' THEN 'x' || ?1 ELSE '' END, stale = CASE state WHEN 'done' THEN 'x' || ?1 ELSE '' END`, evil)
	s.Exec(t, `UPDATE word SET word = 'x' || ?1 || id`, evil)
	s.Exec(t, `UPDATE link_page SET url = 'http://h.example/?' || ?1 || id WHERE id > 1`, inURL)
	s.Exec(t, `DELETE FROM saved_sets`)
	s.Exec(t, `INSERT INTO saved_sets (name, expression, created_at) VALUES ('x' || ?1, '[]' || ?1, 1)`, evil)
	s.Exec(t, `DELETE FROM operations`)
	s.Exec(t, `INSERT INTO operations (at, text) VALUES (1, 'x' || ?1)`, evil)
}

func TestHostileForms(t *testing.T) {
	webtest.HostileForms(t, func(t testing.TB) *webtest.Wing { return seed(t).wing(t) })
}

func TestNothingIsMarkup(t *testing.T) {
	s := seed(t)
	webtest.NothingIsMarkup(t, s.wing(t), func(text string) { s.spoil(t, text) })
}

func TestPagesScanNoTable(t *testing.T) {
	n := webtest.ScansNoTable(t, func(t testing.TB) *webtest.Wing { return seed(t).wing(t) }, map[string]string{
		"SELECT count(*) FROM (SELECT 1 FROM link_queue LIMIT": "up to a limit",
		"(SELECT count(*) FROM (SELECT 1 FROM link LIMIT":      "up to a limit",
		"FROM link l CROSS JOIN link_word w":                   "an operator on all pages, which a person asked for",
	})
	if n < 50 {
		t.Errorf("only %d statements were run", n)
	}
}

func TestFormsOnFullDisk(t *testing.T) {
	webtest.FullDisk(t, func(t testing.TB) (*webtest.Wing, func(*trouble.Board), map[string]url.Values) {
		s := seed(t)
		return s.wing(t), func(b *trouble.Board) { s.server.Troubles = b }, nil
	}, []string{"groupings"}, nil)
}

func TestWrongForms(t *testing.T) {
	s := seed(t)
	w := s.wing(t)
	tree, long := ontologyAt(s.withOntology(t)), strings.Repeat("long ", 60)
	w.Paths["/explore/operators"] = []string{"/explore/operators?q=%5B%5D&at="}
	webtest.WrongForms(t, w, "name=1", map[string]webtest.WrongForm{
		"/explore/ontologies":                 webtest.Wrong("/explore/ontologies", "/explore/ontologies", url.Values{"from": {"wordnet"}, "sense": {"pipe <b>"}, "depth": {"4"}}, "sense", "pipe"),
		"/explore/ontologies/{ontology}/name": webtest.Wrong(tree+"/name", tree, url.Values{"name": {long}}, "name", "80"),
		"/explore/ontologies/{ontology}/edit": webtest.Wrong(tree+"/edit", tree+"?term=wind", url.Values{"do": {"move"}, "term": {"wind"}, "view": {""}, "parent": {"no <i>such</i> term"}}, "parent", "no term is named"),
		"/explore/wordnet":                    webtest.Wrong("/explore/wordnet", "/explore/wordnet", nil, "file", "choose a file"),
		"/explore":                            webtest.Wrong("/explore", "/explore", url.Values{"scope": {"all"}, "ontology": {"links"}, "words": {"many"}, "similarity": {"0.6"}, "docs": {"2"}, "method": {"cobweb"}, "count": {"sites"}}, "words", "whole number"),
		"/explore/sets":                       webtest.Wrong("/explore/sets", "/explore/operators?q=%5B%5D", url.Values{"q": {"[]"}, "name": {long}}, "name", "characters"),
	})
}

func TestEveryRouteIsGuarded(t *testing.T) {
	w := newFixture(t).wingRoutes()
	webtest.Guarded(t, w)
}

func TestGetChangesNothing(t *testing.T) {
	webtest.GetsChangeNothing(t, seed(t).wingRoutes(), strings.NewReplacer())
}

// wingRoutes is the dashboard with the routes of this wing alone.
func (s *fixture) wingRoutes() *webtest.Wing {
	return &webtest.Wing{Site: s.Site, Begins: []string{"/explore"}}
}

func TestPagesAreMadeWell(t *testing.T) {
	s := seed(t)
	webtest.OneHeading(t, newFixture(t).Site, "/explore", "/explore/page", "/explore/compare", "/explore/operators")
	webtest.Navigation(t, s.Site, map[string][2]string{"/explore": {"Topics", "Explore"}, "/explore/operators": {"Topics", "Explore"}})
	webtest.TablesTakeFocus(t, s.server.Templates)
	g := s.withGroupings(t)
	webtest.PicturesSpeak(t, s.Site, map[string]int{groupingAt(g.terms): 1, groupingAt(g.words): 1, "/explore/pages/1": 0, "/explore/compare?a=&b=": 0})
}

// TestMapsAreNoTopics: the topic of a document's map is not offered as a topic, until the person makes it one.
func TestMapsAreNoTopics(t *testing.T) {
	s := seed(t)
	d, err := maps.AddDocument(t.Context(), s.Store.DB, maps.Document{Key: "zebra", Title: "Zebrafish"}, nil, maps.ReadDocument{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := maps.DocumentTopic(t.Context(), s.Store.DB, d.ID); err != nil {
		t.Fatal(err)
	}
	s.withGroupings(t)
	for _, path := range []string{"/explore", "/explore/compare"} {
		if w := s.Get(path); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Zebrafish") {
			t.Errorf("%s shows the topic of a map: %d", path, w.Code)
		}
	}
}
