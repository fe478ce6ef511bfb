//go:build !race

package pages

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/lab/webtest"
	format "nightjar/daemon/thesus/ontology"
	"nightjar/model/ontology"
)

// Tests of one goroutine that would take long under the race detector, which has nothing to see in them.

// TestImportTells: what was repaired is listed, and what cannot be read is told beside the file; nothing hostile is stored.
func TestImportTells(t *testing.T) {
	f := newFixture(t)
	w := f.uploadTree(t, []byte("a [cat.n.09]\nb\n"), url.Values{})
	got := webtest.Text(webtest.Tree(t, w).Find("main"))
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
		d := webtest.Tree(t, w)
		if w.Code != http.StatusUnprocessableEntity || d.Find("input[type=file][aria-invalid=true]").Length() != 1 || len(webtest.Text(d.Find("#refused-problem"))) < 20 {
			t.Errorf("%s: %d, %q", name, w.Code, webtest.Text(d.Find("#refused-problem")))
		}
		webtest.Elements(t, name, w.Body.String())
	}
	if n := f.Count(t, "SELECT count(*) FROM ontologies"); n != 1 {
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
	d := f.Page(t, path)
	if n := d.Find(".ontology-row").Length(); n != 100+1 {
		t.Errorf("%d rows", n)
	}
	next := d.Find(".ontology-turn button").AttrOr("value", "")
	d = f.Page(t, path+"?open=&open=all&at="+next)
	if got := webtest.Text(d.Find(".ontology-turn .hint")); next != "t00101" || !strings.HasPrefix(got, "101 to 200 of 19") {
		t.Errorf("turns to %q, which says %q", next, got)
	}
	if got := webtest.Text(d.Find(".ontology-turn button").First()); !strings.HasPrefix(got, "Terms before") {
		t.Errorf("no way back: %q", got)
	}
	if d = f.Page(t, path+"?term=t19999"); !strings.HasSuffix(shown(d), " t19999") {
		t.Errorf("the last term is not shown: %.80q", shown(d))
	}
	if got := webtest.Text(f.Page(t, path+"?q=t").Find(".ontology-hits [role=status]")); !strings.Contains(got, "the first 100") {
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
	d = f.Page(t, path+"?term="+url.QueryEscape("http://e/4000"))
	if n := d.Find(".ontology-row").Length(); n < 40 || n > 42 || webtest.Text(d.Find(".current .ontology-label")) != "c4000" {
		t.Errorf("%d rows, at %q", n, webtest.Text(d.Find(".current .ontology-label")))
	}
	if d.Find("form button[name=term][value='']").Length() != 1 {
		t.Error("no way to the first term")
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
	s.Page(t, groupingAt(g.terms)).Find("section[aria-labelledby=terms-title] .entry").Each(func(_ int, e *goquery.Selection) {
		var n int
		fmt.Sscan(webtest.Text(e.Find(".count")), &n)
		got[webtest.Text(e.Find(".name"))] = n
	})
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the tree says %v, want %v", got, want)
	}
	d := s.Page(t, groupingAt(g.terms)+"?term=s")
	if got := webtest.Text(d.Find("#chosen-title + .hint")); !strings.HasPrefix(got, "80 pages described with it") {
		t.Errorf("the term has %q", got)
	}
	if first := d.Find(".grouped .meta strong").First(); webtest.Text(first) != "1.00" {
		t.Errorf("the weightiest page has %q", webtest.Text(first))
	}
}

// TestExploreHostileAddresses puts hostile texts into each parameter of the addresses.
func TestExploreHostileAddresses(t *testing.T) {
	s := seed(t)
	g := s.withGroupings(t)
	here := groupingAt(g.terms)
	for _, evil := range hostile.Joined(t, 60) {
		q := url.QueryEscape(evil)
		for _, path := range []string{"/explore/operators?q=" + q, "/explore/compare?b=&a=" + q, "/explore/page?url=" + q, here + "?q=" + q, here + "?term=" + q,
			here + "?level=" + q + "&cluster=" + q + "&from=" + q, here + "/links?term=" + q, "/explore?scope=" + q, "/explore/pages/1?grouping=" + q + "&word=" + q} {
			w := s.Get(path)
			if w.Code >= 500 {
				t.Errorf("%.90s: %d", path, w.Code)
			}
			webtest.Elements(t, path[:min(len(path), 90)], w.Body.String())
			if w.Body.Len() > 300_000 {
				t.Errorf("%.90s: %d bytes", path, w.Body.Len())
			}
		}
	}
}
