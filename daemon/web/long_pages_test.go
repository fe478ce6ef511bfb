//go:build !race

package web

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/store"
	format "nightjar/daemon/thesus/ontology"
	"nightjar/model/ontology"
)

// More tests of one goroutine that read many pages, see long_test.go.

// TestMapsAreRefused: each refusal is beside its field, in the form as it was filled in.
func TestMapsAreRefused(t *testing.T) {
	s := seed(t)
	for name, tt := range map[string]struct {
		form  url.Values
		field string
		says  string
	}{
		"nothing":      {url.Values{"from": {"document"}}, "file", "choose a file"},
		"two sources":  {url.Values{"from": {"document"}, "url": {"https://example.org/"}, "titles": {"x y"}}, "file", "one of the three"},
		"an address":   {url.Values{"from": {"document"}, "url": {"ftp://example.org/"}}, "url", "should look like"},
		"no instance":  {url.Values{"from": {"document"}, "titles": {"x y"}, "search": {"searxng"}}, "instance", "write the address"},
		"instance":     {url.Values{"from": {"document"}, "titles": {"x y"}, "search": {"searxng"}, "instance": {"gopher:x"}}, "instance", ""},
		"a bad list":   {url.Values{"from": {"document"}, "titles": {"x y"}, "search": {"list"}, "list": {"https://a.example/\nnonsense"}}, "list", "line 2"},
		"pages":        {url.Values{"from": {"document"}, "titles": {"x y"}, "pages": {"-5"}}, "pages", "whole number"},
		"communities":  {url.Values{"from": {"document"}, "titles": {"x y"}, "clusters": {"900"}}, "clusters", "2 to 8"},
		"a topic":      {url.Values{"from": {"topic"}, "topic": {"9999"}}, "topic", "deleted meanwhile"},
		"another":      {url.Values{"from": {"crawl"}, "crawl": {"9999"}}, "crawl", "deleted meanwhile"},
		"no such kind": {url.Values{"from": {"document"}, "titles": {"x y"}, "search": {"telepathy"}}, "search", "choose who"},
	} {
		t.Run(name, func(t *testing.T) {
			w := s.post("/communities", tt.form)
			d := tree(t, w)
			wrong := d.Find("main [aria-invalid=true]").First()
			if w.Code != http.StatusUnprocessableEntity || wrong.AttrOr("name", "") != tt.field {
				t.Fatalf("%d, field %q wrong: %s", w.Code, wrong.AttrOr("name", ""), text(d.Find("main")))
			}
			if got := text(d.Find("#refused-problem")); !strings.Contains(strings.ToLower(got), tt.says) {
				t.Errorf("says %q", got)
			}
			if got := strings.TrimSpace(d.Find("textarea[name=titles]").Text()); got != tt.form.Get("titles") {
				t.Errorf("the titles became %q", got)
			}
		})
	}
	for _, problem := range []error{document.ErrScanned, document.ErrEncrypted, document.ErrKind} {
		s.maps.err = problem
		w := s.sendFile(t, "/communities", map[string]string{"from": "document", "url": ""}, "a.pdf", []byte("%PDF-1.4"))
		if got := text(tree(t, w).Find("#refused-problem")); w.Code != http.StatusUnprocessableEntity || !strings.EqualFold(strings.TrimSuffix(got, "."), problem.Error()) {
			t.Errorf("%v: %d %q", problem, w.Code, got)
		}
	}
	s.maps.err = nil
	w := s.sendFile(t, "/communities", map[string]string{"from": "document"}, "a.pdf", make([]byte, document.MaxBytes+2<<20))
	if got := text(tree(t, w).Find("#refused-problem")); w.Code != http.StatusUnprocessableEntity || !strings.Contains(got, "larger than 64 MiB") {
		t.Errorf("too large: %d %q", w.Code, got)
	}
}

// TestSteps follows the way by the links that the step buttons are without a script.
func TestSteps(t *testing.T) {
	s := seed(t)
	d := s.page(t, "/sessions/"+s.session)
	all := len(strings.Fields(d.Find(".web-pages").AttrOr("data-steps", "")))
	seen := map[string]bool{}
	for n := 1; n <= all; n++ {
		next, _, _ := strings.Cut(d.Find("[data-step=forward]").AttrOr("href", ""), "#")
		d = s.page(t, next)
		says := text(d.Find("#web-step"))
		if !strings.HasPrefix(says, fmt.Sprintf("Step %d of %d: ", n, all)) || seen[says] {
			t.Fatalf("step %d says %q", n, says)
		}
		seen[says] = true
		if d.Find(".web-pages a.now").Length() != 1 || d.Find(".web-lines .now").AttrOr("d", "") == "" {
			t.Fatalf("step %d is not drawn", n)
		}
		back := strings.Contains(says, ": back from")
		if curved := strings.Contains(d.Find(".web-lines .now").AttrOr("d", ""), "q"); curved != back {
			t.Errorf("step %d: %q is drawn as %q", n, says, d.Find(".web-lines .now").AttrOr("d", ""))
		}
	}
	if s.page(t, "/sessions/"+s.session+"?step=9999").Find(".web-pages a.now").Length() != 0 {
		t.Error("a step that is not there is shown")
	}
}

// TestImportTells: what was repaired is listed, and what cannot be read is told beside the file; nothing hostile is stored.
func TestImportTells(t *testing.T) {
	f := newFixture(t)
	w := f.uploadTree(t, []byte("a [cat.n.09]\nb\n"), url.Values{})
	got := text(tree(t, w).Find("main"))
	for _, want := range []string{"The file is indented text with 3 terms on 2 levels.", "A term was added above them", "WordNet lacks 1 sense"} {
		if w.Code != http.StatusOK || !strings.Contains(strings.ToLower(got), strings.ToLower(strings.TrimPrefix(want, "A term "))) {
			t.Errorf("%d, no %q in %q", w.Code, want, got)
		}
	}
	for name, hostile := range map[string]string{
		"cut":        "\x89PNG\r\n\x1a\n\x00",
		"nested":     "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>" + strings.Repeat("<a>", 10000),
		"entities":   "<!DOCTYPE a [<!ENTITY b \"" + strings.Repeat("x", 1000) + "\">]><rdf:RDF>&b;</rdf:RDF>",
		"json":       strings.Repeat("[", 100000),
		"remote":     `{"@context": "http://127.0.0.1:1/context.json", "@id": "x"}`,
		"too many":   strings.Repeat("a\n", ontology.MaxTerms+1),
		"nothing":    "",
		"cycle":      "<http://e/a> <http://www.w3.org/2004/02/skos/core#broader> <http://e/b> .\n<http://e/b> <http://www.w3.org/2004/02/skos/core#broader> <http://e/a> .\n",
		"bad turtle": "@prefix a: <http://e/> .\na:b a:c [",
	} {
		w := f.uploadTree(t, []byte(hostile), url.Values{})
		d := tree(t, w)
		if w.Code != http.StatusUnprocessableEntity || d.Find("input[type=file][aria-invalid=true]").Length() != 1 || len(text(d.Find("#refused-problem"))) < 20 {
			t.Errorf("%s: %d, %q", name, w.Code, text(d.Find("#refused-problem")))
		}
		elements(t, name, w.Body.String())
	}
	if n := f.count(t, "SELECT count(*) FROM ontologies"); n != 1 {
		t.Errorf("%d are stored", n)
	}
	r := f.uploadTree(t, bytes.Repeat([]byte("x"), format.MaxBytes+1<<20+1), url.Values{})
	if r.Code != http.StatusUnprocessableEntity || !strings.Contains(r.Body.String(), "larger than 32 MiB") {
		t.Errorf("too large: %d", r.Code)
	}
}

// TestLargeTree: of 20,000 terms directly below one, and of a chain of 5,000, a page shows few, and leads to all.
func TestLargeTree(t *testing.T) {
	f := newFixture(t)
	var wide strings.Builder
	wide.WriteString("all\n")
	for i := 1; i < ontology.MaxTerms; i++ {
		fmt.Fprintf(&wide, " t%05d\n", i)
	}
	path := ontologyAt(f.mustImport(t, "wide", wide.String()).ID)
	d := f.page(t, path)
	if n := d.Find(".ontology-row").Length(); n != 100+1 {
		t.Errorf("%d rows", n)
	}
	next := d.Find(".ontology-turn button").AttrOr("value", "")
	d = f.page(t, path+"?open=&open=all&at="+next)
	if got := text(d.Find(".ontology-turn .hint")); next != "t00101" || !strings.HasPrefix(got, "101 to 200 of 19") {
		t.Errorf("turns to %q, which says %q", next, got)
	}
	if got := text(d.Find(".ontology-turn button").First()); !strings.HasPrefix(got, "Terms before") {
		t.Errorf("no way back: %q", got)
	}
	if d = f.page(t, path+"?term=t19999"); !strings.HasSuffix(shown(d), " t19999") {
		t.Errorf("the last term is not shown: %.80q", shown(d))
	}
	if got := text(f.page(t, path+"?q=t").Find(".ontology-hits [role=status]")); !strings.Contains(got, "the first 100") {
		t.Errorf("found %q", got)
	}
	var chain strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&chain, "<http://e/%d> <http://www.w3.org/2004/02/skos/core#prefLabel> \"c%d\" .\n", i, i)
		if i > 0 {
			fmt.Fprintf(&chain, "<http://e/%d> <http://www.w3.org/2004/02/skos/core#broader> <http://e/%d> .\n", i, i-1)
		}
	}
	path = ontologyAt(f.mustImport(t, "deep", chain.String()).ID)
	d = f.page(t, path+"?term="+url.QueryEscape("http://e/4000"))
	if n := d.Find(".ontology-row").Length(); n < 40 || n > 42 || text(d.Find(".current .ontology-label")) != "c4000" {
		t.Errorf("%d rows, at %q", n, text(d.Find(".current .ontology-label")))
	}
	if d.Find("form button[name=term][value='']").Length() != 1 {
		t.Error("no way to the first term")
	}
}

// TestPagesScanNoTable has SQLite explain every statement that the pages of the dashboard and their forms run: none may read
// the whole of a table that grows, since each would take longer with every page stored.
func TestPagesScanNoTable(t *testing.T) {
	seed(t) // made with the usual driver; what follows works on a copy
	db.Driver = plans.Driver
	t.Cleanup(func() { db.Driver = "sqlite" })
	s := seed(t)
	all, done := plans.Note()
	forms := append(s.forms(t), s.unseen(t)...) // which gets every page
	last := func(path string) bool {
		return strings.Contains(path, "delete") || strings.Contains(path, "revoke") || strings.Contains(path, "dissolve")
	}
	for _, second := range []bool{false, true} {
		for _, f := range forms {
			if f.pattern == "/logout" || strings.Contains(f.pattern, "/settings/erase") || last(f.pattern) != second {
				continue // an erasure reads all
			}
			filled := url.Values{}
			for _, name := range f.fields {
				filled.Set(name, values[name])
			}
			maps.Copy(filled, f.values)
			s.post(f.path, filled)
		}
	}
	done()
	plans.Check(t, store.FileURL(s.Store.Path()), all, readsMore,
		"INSERT INTO feedback ", "UPDATE crawls SET", "INSERT INTO milestones ", "DELETE FROM sessions ", "INTO starts ")
	if len(all) < 150 {
		t.Errorf("only %d statements were run", len(all))
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
	if got := text(s.page(t, "/search?q=site:nowhere.test").Find("main")); !strings.Contains(got, "search all pages") && !strings.Contains(got, "Try fewer words") {
		t.Errorf("a site without pages: %s", got)
	}
	if got := text(s.page(t, "/search").Find("main")); strings.Contains(got, "being indexed") {
		t.Error("all is indexed, but the page says that pages wait")
	}
}

// TestTermCounts counts the pages of each term of the tree once more, page by page.
func TestTermCounts(t *testing.T) {
	s := seed(t)
	g := s.withGroupings(t)
	above := map[string][]string{"g": {"guitar", "string instrument", "instrument", "music"}, "v": {"violin", "string instrument", "instrument", "music"}, "fl": {"flute", "wind instrument", "instrument", "music"}}
	want := map[string]int{}
	for _, p := range s.explores.views[g.terms].Pages {
		for _, c := range p.Concepts {
			for _, name := range above[c.Key] {
				want[name]++
			}
		}
	}
	got := map[string]int{}
	s.page(t, groupingAt(g.terms)).Find("section[aria-labelledby=terms-title] .entry").Each(func(_ int, e *goquery.Selection) {
		var n int
		fmt.Sscan(text(e.Find(".count")), &n)
		got[text(e.Find(".name"))] = n
	})
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the tree says %v, want %v", got, want)
	}
	d := s.page(t, groupingAt(g.terms)+"?term=s")
	if got := text(d.Find("#chosen-title + .hint")); !strings.HasPrefix(got, "80 pages described with it") {
		t.Errorf("the term has %q", got)
	}
	if first := d.Find(".grouped .meta strong").First(); text(first) != "1.00" {
		t.Errorf("the weightiest page has %q", text(first))
	}
}

// TestExploreHostileAddresses puts hostile texts into each parameter of the addresses.
func TestExploreHostileAddresses(t *testing.T) {
	s := seed(t)
	g := s.withGroupings(t)
	here := groupingAt(g.terms)
	for _, evil := range naughty(t, 60) {
		q := url.QueryEscape(evil)
		for _, path := range []string{"/explore/operators?q=" + q, "/explore/compare?b=&a=" + q, "/explore/page?url=" + q, here + "?q=" + q, here + "?term=" + q,
			here + "?level=" + q + "&cluster=" + q + "&from=" + q, here + "/links?term=" + q, "/explore?scope=" + q, "/explore/pages/1?grouping=" + q + "&word=" + q} {
			w := s.get(path)
			if w.Code >= 500 {
				t.Errorf("%.90s: %d", path, w.Code)
			}
			elements(t, path[:min(len(path), 90)], w.Body.String())
			if w.Body.Len() > 300_000 {
				t.Errorf("%.90s: %d bytes", path, w.Body.Len())
			}
		}
	}
}

func TestFindsAndTrail(t *testing.T) {
	s := seed(t)
	d := s.page(t, "/")
	finds := s.count(t, `SELECT count(*) FROM finds`)
	if finds < 3 || d.Find("article.find").Length() != finds {
		t.Fatalf("%d of %d finds shown", d.Find("article.find").Length(), finds)
	}
	if got := text(d.Find("#nav-new")); got != strconv.Itoa(finds)+" new" {
		t.Errorf("navigation says %q", got)
	}
	d.Find("article.find").Each(func(_ int, card *goquery.Selection) {
		a := card.Find("h3 a")
		if !strings.HasPrefix(a.AttrOr("href", ""), "http://") || a.AttrOr("rel", "") != "noopener noreferrer" {
			t.Errorf("link %v", a.Nodes[0].Attr)
		}
		if card.Find(".trail ol").Length() != 0 {
			t.Error("the list carries the trail, which is loaded when it is wanted")
		}
		about := s.page(t, card.Find("details.trail").AttrOr("data-details", "")).Find(".find-about")
		steps := about.Find(".way li")
		if got, _ := strconv.Atoi(strings.Fields(text(about.Find(".head .hint").First()))[0]); got != steps.Length()-1 {
			t.Errorf("%d links on a trail of %d pages", got, steps.Length())
		}
		if text(steps.First().Find(".hint").First()) != "start" || !strings.Contains(text(steps.First()), "Compass") {
			t.Errorf("first step: %s", text(steps.First()))
		}
		if got := steps.Last().Find("a").AttrOr("href", ""); got != a.AttrOr("href", "") {
			t.Errorf("the trail ends at %s", got)
		}
		last := text(about.Find(".read .reading").Last())
		if !strings.HasPrefix(last, "Most likely ") || !strings.Contains(last, "at first sight ") || !strings.Contains(last, "%") || !strings.Contains(last, "Its text is like that of pages about") {
			t.Errorf("reading %q", last)
		}
	})
}

func TestFilters(t *testing.T) {
	s := seed(t)
	all := s.count(t, `SELECT count(*) FROM finds`)
	var title string
	if err := s.db.QueryRow(`SELECT title FROM finds LIMIT 1`).Scan(&title); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		"": all, "state=all": all, "state=useful": 0, "q=" + url.QueryEscape(title): 1, "q=zzzz": 0, "q=%25": 0, "q=_": 0, "q='": 0,
		"topic=" + strconv.FormatInt(s.topic, 10): all, "topic=99": 0, "topic=x": all, "from=x": all, "until=-5": 0, "from=99999": 0, "state=none-such": all,
	} {
		if got := s.page(t, "/?"+query).Find("article.find").Length(); got != want {
			t.Errorf("%q shows %d finds, want %d", query, got, want)
		}
	}
}
