package pages

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/wordnet"
)

func TestExploreEmptyStates(t *testing.T) {
	f := newFixture(t)
	if got := webtest.Text(f.Page(t, "/explore").Find("#no-links")); !strings.Contains(got, "No link is known yet") {
		t.Errorf("a new dashboard says %q", got)
	}
	f.Exec(t, `INSERT INTO link_queue (url) VALUES ('https://a.example/')`)
	d := f.Page(t, "/explore")
	if got := webtest.Text(d.Find("#no-links")); !strings.Contains(got, "still being read") || !strings.Contains(webtest.Text(d.Find("#links-waiting")), "1 page") {
		t.Errorf("while links are read it says %q", got)
	}
	f.Exec(t, `INSERT INTO link_page (id, url, site) VALUES (1, 'https://a.example/', 'a.example'), (2, 'https://b.example/', 'b.example')`)
	f.Exec(t, `INSERT INTO link (src, dst, pos) VALUES (1, 2, 0)`)
	d = f.Page(t, "/explore")
	for selector, href := range map[string]string{"#no-wordnet a": "/explore/wordnet", "#group-ontology-hint a": "/explore/ontologies"} {
		if got := d.Find(selector).AttrOr("href", ""); got != href {
			t.Errorf("%s leads to %q", selector, got)
		}
	}
	f.wordnet.state = wordnet.State{Folder: "/usr/share/wordnet"}
	if d = f.Page(t, "/explore"); d.Find("#no-wordnet").Length() != 0 || d.Find("#group").Length() != 1 {
		t.Error("WordNet is there, and the page says that it is not, or has no form")
	}
	for _, path := range []string{"/explore/7", "/explore/x", "/explore/pages/7", "/explore/7/links", "/explore/7/export?format=csv"} {
		if w := f.Get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestGroupForm(t *testing.T) {
	s := seed(t)
	g := s.withGroupings(t)
	topic := fmt.Sprint("topic:", s.Topic)
	if got := s.Page(t, "/explore?scope="+topic).Find("#group-scope option[selected]").AttrOr("value", ""); got != topic {
		t.Errorf("the form has chosen %q", got)
	}
	s.explores.said = nil
	for _, form := range []url.Values{
		{"scope": {"all"}, "ontology": {fmt.Sprint(g.ontology)}, "words": {"8"}, "similarity": {"0.7"}, "docs": {"3"}, "method": {"dbscan"}, "count": {"pages"}},
		{"scope": {topic}, "ontology": {"links"}, "words": {"5"}, "similarity": {"0,6"}, "docs": {"1"}, "method": {"cobweb"}, "count": {"sites"}},
		{"scope": {topic}, "ontology": {"text"}, "words": {"8"}, "method": {"dbscan"}, "count": {"pages"}},
	} {
		if to := s.MustPost(t, "/explore", form); !strings.HasPrefix(to, "/explore/") {
			t.Errorf("it leads to %s", to)
		}
	}
	want := []string{fmt.Sprintf("group all 0 by %d %+v", g.ontology, explore.GroupingOptions{}),
		fmt.Sprintf("group topic %d by 0 %+v", s.Topic, explore.GroupingOptions{Words: 5, MinSimilarity: .6, MinDocs: 1, BySite: true, Cobweb: true}),
		fmt.Sprintf("group topic %d by 0 %+v", s.Topic, explore.GroupingOptions{Text: true})}
	if !slices.Equal(s.explores.said, want) {
		t.Errorf("asked for\n%s\nwant\n%s", strings.Join(s.explores.said, "\n"), strings.Join(want, "\n"))
	}
	for field, value := range map[string]string{"scope": "planet:1", "ontology": "-1", "words": "0", "docs": "1.5", "similarity": "NaN"} {
		if w := s.Post("/explore", url.Values{field: {value}}); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s=%s: %d", field, value, w.Code)
		}
	}
	if w := s.Post("/explore", url.Values{"scope": {"crawl:999"}}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("a crawl that is gone: %d", w.Code)
	}
}

// TestClusterPages walks the parts of the list of a cluster: each of its pages is there once, in its order.
func TestClusterPages(t *testing.T) {
	s := seed(t)
	g := s.withGroupings(t)
	var seen []string
	for path := groupingAt(g.terms) + "?level=1&cluster=0"; path != ""; {
		d := s.Page(t, path)
		d.Find(".explore-chosen .grouped h4").Each(func(_ int, e *goquery.Selection) { seen = append(seen, webtest.Text(e)) })
		path = d.Find(".explore-chosen a[rel=next]").AttrOr("href", "")
	}
	v := s.explores.views[g.terms]
	var want []string
	for _, page := range v.Levels[1].Clusters[0].Pages {
		want = append(want, v.Pages[page].Title)
	}
	if !slices.Equal(seen, want) {
		t.Errorf("%d pages are listed, want %d in their order", len(seen), len(want))
	}
	d := s.Page(t, groupingAt(g.terms)+"?level=99&cluster=x&from=-5")
	if got := d.Find("#level").AttrOr("value", ""); got != "1" || webtest.Text(d.Find("#chosen-title")) != "string instrument: guitar, violin" {
		t.Errorf("what does not exist shows level %s and %q", got, webtest.Text(d.Find("#chosen-title")))
	}
	finer := s.Page(t, groupingAt(g.terms)+"?level=2&cluster=0").Find(".explore-list").First().Find(".explore-tree > li").First()
	if got := webtest.Text(finer.Find("ul .name")); !strings.Contains(got, "string instrument: guitar, violin") || !strings.Contains(got, "flute") {
		t.Errorf("below the only cluster are %q", got)
	}
	within := s.Page(t, groupingAt(g.terms)+"?level=0&cluster=1")
	if got := webtest.Text(within.Find("#chosen-title + .hint")); !strings.Contains(got, "string instrument: guitar, violin (0.75)") || !strings.Contains(got, "instrument: guitar, violin, flute (0.50)") {
		t.Errorf("the cluster is part of %q", got)
	}
}

// TestDepths looks at the tree of COBWEB, whose levels are depths.
func TestDepths(t *testing.T) {
	s := seed(t)
	g := s.withGroupings(t)
	d := s.Page(t, groupingAt(g.words)+"?level=0&cluster=1")
	for selector, want := range map[string]string{
		".level-says":            "At depth 2: 65 pages in 2 clusters, 65 not grouped.",
		"#levels-title":          "How fine",
		".levels li:first-child": "At depth 2: 65 pages in 2 clusters",
		"#chosen-title + .hint":  "32 pages in this cluster at depth 2. Part of half 2 (depth 1).",
		"#icicle-desc":           "At depth 1: 130 pages in 2 clusters. At depth 2: 65 pages in 2 clusters.",
	} {
		if got := webtest.Text(d.Find(selector)); got != want {
			t.Errorf("%s says %q, want %q", selector, got, want)
		}
	}
	if got := webtest.Text(s.Page(t, groupingAt(g.words)).Find(".explore-list").First().Find(".explore-tree > li ul")); !strings.Contains(got, "quarter 2") || !strings.Contains(got, "depth 2") {
		t.Errorf("below the groups are %q", got)
	}
}

func TestAnswer(t *testing.T) {
	s := seed(t)
	g := s.withGroupings(t)
	d := s.Page(t, groupingAt(g.terms)+"?q=guitar+riff")
	if got := webtest.Text(d.Find(".answer-words")); !strings.Contains(got, "guitar → guitar 1.00") || !strings.Contains(got, "riff stands for nothing here") {
		t.Errorf("the words are %q", got)
	}
	groups := d.Find(".answer-groups > section")
	if groups.Length() != 2 || groups.First().Find(".grouped").Length() != 6 || !strings.Contains(webtest.Text(groups.First()), "17 more pages") {
		t.Errorf("%d clusters, the first says %q", groups.Length(), webtest.Text(groups.First().Find("p.hint")))
	}
	if got := webtest.Text(d.Find(".explore-answer > .grouped-pages mark")); got != "riff" {
		t.Errorf("in texts, %q is marked", got)
	}
	if got := s.explores.said[len(s.explores.said)-1]; got != fmt.Sprintf("ask %d guitar riff", g.terms) {
		t.Errorf("%s", got)
	}
}

// TestLinksThatSay: the words that stand for the chosen concept are marked, no others.
func TestLinksThatSay(t *testing.T) {
	s := seed(t)
	g := s.withGroupings(t)
	load := s.Page(t, groupingAt(g.terms)+"?level=1&cluster=1").Find("#said-links").AttrOr("data-load", "")
	d := s.Part(t, load)
	if d.Find("#said-links li").Length() == 0 {
		t.Fatalf("no link at %s", load)
	}
	d.Find("#said-links li").Each(func(_ int, li *goquery.Selection) {
		if got := webtest.Text(li.Find("mark")); got != "flute" {
			t.Errorf("%q is marked", got)
		}
	})
	d = s.Page(t, fmt.Sprint("/explore/pages/1?grouping=", g.terms))
	words := d.Find("[aria-labelledby=said-words] tbody tr")
	if cells := words.Last().Find("td"); words.Length() != 2 || webtest.Text(cells.First()) != "4" || webtest.Text(cells.Last()) != "guitar 1.00" {
		t.Errorf("the words are %q", webtest.Text(words))
	}
	if d.Find("#said li").Length() != 20 || s.Page(t, "/explore/pages/1?all=1").Find("#said li").Length() != 30 {
		t.Error("not the first links, or not all")
	}
	d = s.Page(t, "/explore/pages/1?word=guitar")
	if d.Find("#said li").Length() != 15 || webtest.Text(d.Find("#said mark").First()) != "guitar" {
		t.Errorf("%d links with the word", d.Find("#said li").Length())
	}
	if d := s.Page(t, "/explore/pages/1?grouping=0"); d.Find("[aria-labelledby=said-concepts]").Length() != 0 || webtest.Text(d.Find(".said-by [aria-current]")) != "Words only" {
		t.Error("words only have concepts")
	}
	if to := s.Get("/explore/page?url=music.example/1"); to.Header().Get("Location") != "/explore/pages/1" {
		t.Errorf("the address leads to %q", to.Header().Get("Location"))
	}
	if got := webtest.Text(s.Page(t, "/explore/page?url=https://nowhere.example/").Find("#said-problem")); !strings.Contains(got, "No stored page links to this") {
		t.Errorf("%q", got)
	}
}

func TestGroupingActions(t *testing.T) {
	s := seed(t)
	g := s.withGroupings(t)
	if d := s.Page(t, groupingAt(g.working)); webtest.Text(d.Find("#grouping-state .progress")) != "Comparing pages 10 of 130 10 of 130" {
		t.Errorf("in the making it says %q", webtest.Text(d.Find("#grouping-state")))
	}
	s.Exec(t, `UPDATE groupings SET state = 'done' WHERE id = ?`, g.working)
	s.explores.views[g.working] = handCobweb()
	if got := s.Page(t, groupingAt(g.working)).Find("#explore-body").Length(); got != 1 {
		t.Error("the finished grouping is not shown")
	}
	s.explores.said = nil
	s.MustPost(t, groupingAt(g.terms)+"/again", nil)
	if to := s.MustPost(t, groupingAt(g.working)+"/stop", nil); to != groupingAt(g.working)+"?done=grouping-stopped" {
		t.Errorf("stop leads to %s", to)
	}
	if to := s.MustPost(t, groupingAt(g.words)+"/delete", nil); to != "/explore?done=grouping-deleted" || s.Get(groupingAt(g.words)).Code != http.StatusNotFound {
		t.Errorf("delete leads to %s", to)
	}
	want := []string{fmt.Sprintf("group all 0 by %d %+v", g.ontology, explore.GroupingOptions{}), fmt.Sprintf("stop %d", g.working), fmt.Sprintf("delete %d", g.words)}
	if !slices.Equal(s.explores.said, want) {
		t.Errorf("asked for %q, want %q", s.explores.said, want)
	}
	w := s.Get(groupingAt(g.terms) + "/export?format=nt")
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="nightjar-groups-everything-by-tunes---more.nt"` || w.Body.String() != fmt.Sprintf("grouping %d as nt\n", g.terms) {
		t.Errorf("%s: %s", got, w.Body)
	}
	if w := s.Get(groupingAt(g.terms) + "/export?format=exe"); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("an unknown format: %d", w.Code)
	}
}

func TestOperatorConsole(t *testing.T) {
	s := seed(t)
	s.withGroupings(t)
	ask := func(text string) *goquery.Document { return s.Page(t, console(text)) }
	d := ask("weightedSourceKeywords([], [https://music.example/1])")
	if got := webtest.Text(d.Find("#result tbody")); got != "guitar8 song8" {
		t.Errorf("the result is %q", got)
	}
	d = ask("crawl([https://music.example/1],\n  -1, 2)")
	if before, at := d.Find(".fault-at code").First().Text(), d.Find(".fault-at mark").Text(); !strings.HasPrefix(before, "  -1") || len([]rune(at)) != 1 || d.Find("#console-text[aria-invalid=true]").Length() != 1 {
		t.Errorf("the fault is in %q at %q", before, at)
	}
	if d.Find(".fault-at .caret span").Text() != strings.SplitN(d.Find(".fault-at code").First().Text(), d.Find(".fault-at mark").Text(), 2)[0] {
		t.Error("the caret is not below the fault")
	}
	if n := s.Count(t, `SELECT count(*) FROM operations`); n != 1 {
		t.Errorf("%d expressions in the history: one ran", n)
	}
	s.MustPost(t, "/explore/sets", url.Values{"q": {"crawl([https://music.example/1], -1)"}, "name": {"fans of music"}})
	d = ask(`@"fans of music"`)
	if d.Find("#result tbody tr").Length() != 9 || d.Find("[aria-labelledby=sets-title] a").AttrOr("href", "") != console(`@"fans of music"`) {
		t.Errorf("the set has %d pages and leads to %s", d.Find("#result tbody tr").Length(), d.Find("[aria-labelledby=sets-title] a").AttrOr("href", ""))
	}
	s.Exec(t, `UPDATE link_page SET url = '=1+1' WHERE id = 2`)
	w := s.Get(d.Find("a[href*='format=csv']").AttrOr("href", ""))
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || len(rows) != 10 || rows[0][0] != "url" || !slices.ContainsFunc(rows, func(r []string) bool { return r[0] == "'=1+1" }) {
		t.Errorf("the file has %q, %v", rows, err)
	}
	if w := s.Get(d.Find("a[href*='format=json']").AttrOr("href", "")); !strings.Contains(w.Body.String(), `"total":9`) {
		t.Errorf("%s", w.Body)
	}
	s.MustPost(t, "/explore/sets/forget", url.Values{"name": {"fans of music"}})
	if w := s.Post("/explore/sets/forget", url.Values{"name": {"fans of music"}}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("forgotten twice: %d", w.Code)
	}
}

func TestCompare(t *testing.T) {
	s := seed(t)
	s.withGroupings(t)
	d := s.Page(t, "/explore/compare?a=&b="+url.QueryEscape("https://music.example/1"))
	ways := d.Find(".compare-ways section")
	if got := webtest.Text(ways.First().Find("tbody tr").First()); got != "guitar only here 1 16" {
		t.Errorf("A describes B with %q", got)
	}
	if ways.Length() != 2 || ways.Last().Find(".empty").Length() != 1 {
		t.Error("B describes A, to which it has no link")
	}
	d = s.Page(t, "/explore/compare?a=https://music.example/1&b="+url.QueryEscape("[crawl:many]"))
	if d.Find("#compare-b[aria-invalid=true]").Length() != 1 || d.Find("#compare-a[aria-invalid]").Length() != 0 || d.Find("#fault-b mark").Text() != "m" {
		t.Errorf("the fault is %q", webtest.Text(d.Find(".fault")))
	}
	d = s.Page(t, "/explore/compare?b=&a="+url.QueryEscape("https://music.example/1, crawl:x"))
	if d.Find("#compare-a[aria-invalid=true]").Length() != 1 || d.Find("#fault-a mark").Text() != "x" {
		t.Errorf("the fault is %q", webtest.Text(d.Find(".fault")))
	}
}
