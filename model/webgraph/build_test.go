package webgraph

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden files")

const enough = "This text is long enough to be worth a page of its own, says everybody."

// site makes an absolute URL of a path on one host.
func site(path string) string { return "https://a.test/" + path }

// loadOf makes a load of a page with links to paths.
func loadOf(id string, links ...string) Load {
	l := Load{ID: id, URL: site(id), Site: "a.test", Title: "Title " + id, Text: enough}
	for _, p := range links {
		l.Links = append(l.Links, Link{URL: site(p), Anchor: "to " + p, Around: "next to " + p, Heading: "Pages", Path: "ul>li"})
	}
	return l
}

// with changes a load.
func with(l Load, change func(*Load)) Load {
	change(&l)
	return l
}

func frame(parent, kind string) func(*Load) {
	return func(l *Load) { l.Parent, l.Kind = parent, kind }
}

// summary writes a graph as "a* b c | a>b a>c": targets starred, URLs shortened to their last part.
func summary(g *Graph) string {
	var pages, edges []string
	short := func(u string) string { return u[strings.LastIndex(u, "/")+1:] }
	for _, p := range g.Pages {
		mark := ""
		if p.Target {
			mark = "*"
		}
		pages = append(pages, short(p.URL)+mark)
	}
	for _, e := range g.Edges {
		edges = append(edges, short(g.Pages[e[0]].URL)+">"+short(g.Pages[e[1]].URL))
	}
	return strings.Join(pages, " ") + " | " + strings.Join(edges, " ")
}

func TestBuild(t *testing.T) {
	from := func(id string) func(*Load) { return func(l *Load) { l.From = id } }
	target := func(l *Load) { l.Target = true }
	tests := []struct {
		name  string
		loads []Load
		want  string
	}{
		{"nothing", nil, " | "},
		{"a link counts whether or not it was taken", []Load{loadOf("a", "b", "c", "unseen"), loadOf("b"), loadOf("c")}, "a b c | a>b a>c"},
		{"links to pages that were seen earlier count", []Load{loadOf("a"), loadOf("b", "a")}, "a b | b>a"},
		{"a page without links or text stays", []Load{loadOf("a"), {ID: "b", URL: site("b")}}, "a b | "},
		{"no loops, no duplicates", []Load{loadOf("a", "a", "b", "b"), with(loadOf("a2"), func(l *Load) { l.URL = site("a"); l.Links = []Link{{URL: site("b")}} }), loadOf("b")}, "a b | a>b"},
		{"a followed link that the page does not show", []Load{loadOf("a"), with(loadOf("b"), from("a"))}, "a b | a>b"},
		{"a followed link to the page itself", []Load{loadOf("a"), with(loadOf("a2"), func(l *Load) { l.URL = site("a"); l.From = "a" })}, "a | "},
		{"no edge without a followed link", []Load{loadOf("a"), loadOf("b")}, "a b | "},
		{"from a load that was left out", []Load{with(loadOf("b"), from("gone"))}, "b | "},
		{"a link to an alias", []Load{loadOf("a", "old"), with(loadOf("b"), func(l *Load) { l.Aliases = []string{site("old")} })}, "a b | a>b"},
		{"an alias that is a page of its own means that page", []Load{loadOf("a", "old"), with(loadOf("b"), func(l *Load) { l.Aliases = []string{site("old")} }), loadOf("old")}, "a b old | a>old"},
		{"an alias claimed twice means the last", []Load{loadOf("a", "old"), with(loadOf("b"), func(l *Load) { l.Aliases = []string{site("old")} }), with(loadOf("c"), func(l *Load) { l.Aliases = []string{site("old")} })}, "a b c | a>c"},
		{"marked on a second visit", []Load{loadOf("a"), with(loadOf("a2"), func(l *Load) { l.URL = site("a"); l.Target = true })}, "a* | "},
		{"no address", []Load{{ID: "a"}, loadOf("b")}, "b | "},

		{"frameset", []Load{loadOf("a", "set"), loadOf("set", "noframes"), with(loadOf("nav", "c2"), frame("set", Frame)), with(loadOf("c1"), frame("set", Frame)), loadOf("noframes")},
			"a nav c1 noframes | a>nav a>c1"},
		{"frameset by a redirect", []Load{loadOf("a", "old"), with(loadOf("set"), func(l *Load) { l.Aliases = []string{site("old")} }), with(loadOf("n"), frame("set", Frame)), with(loadOf("c"), frame("set", Frame))},
			"a n c | a>n a>c"},
		{"frameset in a frameset", []Load{loadOf("a", "set"), loadOf("set"), with(loadOf("n"), frame("set", Frame)), with(loadOf("in"), frame("set", Frame)), with(loadOf("c"), frame("in", Frame)), with(loadOf("d"), frame("in", Frame))},
			"a n c d | a>n a>c a>d"},
		{"frameset visited again without word of its frames", []Load{loadOf("set"), with(loadOf("n"), frame("set", Frame)), with(loadOf("set2"), func(l *Load) { l.URL = site("set") }), loadOf("a", "set")},
			"n a | a>n"},
		{"a marked frameset marks its frames", []Load{with(loadOf("set"), target), with(loadOf("n"), frame("set", Frame)), with(loadOf("c"), frame("set", Frame)), loadOf("a")}, "n* c* a | "},
		{"a marked frame marks itself", []Load{loadOf("set"), with(loadOf("n"), frame("set", Frame)), with(with(loadOf("c"), frame("set", Frame)), target)}, "n c* | "},
		{"followed to a frameset, the HTML lacks it", []Load{loadOf("a"), with(loadOf("set"), from("a")), with(loadOf("n"), frame("set", Frame)), with(loadOf("c"), frame("set", Frame))}, "a n c | a>n a>c"},
		{"followed from a frameset, one frame shows it", []Load{loadOf("set"), with(loadOf("n", "t"), frame("set", Frame)), with(loadOf("c"), frame("set", Frame)), with(loadOf("t"), from("set"))}, "n c t | n>t"},
		{"followed from a frameset, no frame shows it", []Load{loadOf("set"), with(loadOf("n"), frame("set", Frame)), with(loadOf("c"), frame("set", Frame)), with(loadOf("t"), from("set"))}, "n c t | n>t c>t"},
		{"followed from a frame", []Load{loadOf("set"), with(loadOf("n"), frame("set", Frame)), with(loadOf("c"), frame("set", Frame)), with(loadOf("t"), from("n"))}, "n c t | n>t"},
		{"a frame of another site is a page", []Load{loadOf("set"), with(loadOf("n"), func(l *Load) { l.Parent, l.Kind, l.Site = "set", Frame, "b.test" })}, "n | "},
		{"a frame whose frameset was left out", []Load{with(loadOf("n"), frame("gone", Frame))}, "n | "},
		{"framesets that hold each other", []Load{with(loadOf("x"), frame("y", Frame)), with(loadOf("y"), frame("x", Frame))}, " | "},
		{"a frameset of itself", []Load{loadOf("a", "x"), loadOf("x"), with(loadOf("x2"), func(l *Load) { l.URL, l.Parent, l.Kind = site("x"), "x", Frame })}, "a x | a>x"},

		{"iframe of the same site with text", []Load{loadOf("a"), with(loadOf("f", "b"), frame("a", Iframe)), loadOf("b")}, "a f b | f>b"},
		{"iframe of another site", []Load{loadOf("a"), with(loadOf("f", "b"), func(l *Load) { l.Parent, l.Kind, l.Site = "a", Iframe, "b.test" }), loadOf("b")}, "a b | "},
		{"iframe without real text", []Load{loadOf("a"), with(loadOf("f", "b"), func(l *Load) { l.Parent, l.Kind, l.Text = "a", Iframe, "Like 12 Share" }), loadOf("b")}, "a b | "},
		{"iframe in an iframe of another site", []Load{loadOf("a"), with(loadOf("ad"), func(l *Load) { l.Parent, l.Kind, l.Site = "a", Iframe, "b.test" }), with(loadOf("f"), func(l *Load) { l.Parent, l.Kind, l.Site = "ad", Iframe, "b.test" })}, "a | "},
		{"frameset in an iframe of another site", []Load{loadOf("a"), with(loadOf("ad"), func(l *Load) { l.Parent, l.Kind, l.Site = "a", Iframe, "b.test" }), with(loadOf("f"), func(l *Load) { l.Parent, l.Kind, l.Site = "ad", Frame, "b.test" })}, "a | "},
		{"iframe whose page was left out", []Load{with(loadOf("f"), frame("gone", Iframe)), loadOf("a")}, "a | "},
		{"a mark on an iframe that is no page", []Load{loadOf("a"), with(loadOf("f"), func(l *Load) { l.Parent, l.Kind, l.Text, l.Target = "a", Iframe, "", true })}, "a* | "},
		{"followed from an iframe that is no page", []Load{loadOf("a"), with(loadOf("f", "b"), func(l *Load) { l.Parent, l.Kind, l.Text = "a", Iframe, "" }), with(loadOf("b"), from("f"))}, "a b | a>b"},
		{"same host decides without a site", []Load{{ID: "a", URL: site("a")}, {ID: "f", URL: site("f"), Parent: "a", Kind: Iframe, Text: enough}, {ID: "g", URL: "https://b.test/g", Parent: "a", Kind: Iframe, Text: enough}}, "a f | "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := summary(Build(tt.loads)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestBuildRevisit(t *testing.T) {
	again := Load{ID: "a2", URL: site("a"), Title: "New", Text: "new text", Links: []Link{{URL: site("c")}}}
	empty := Load{ID: "a3", URL: site("a")}
	g := Build([]Load{loadOf("a", "b"), loadOf("b"), loadOf("c"), again, empty})
	if got, want := summary(g), "a b c | a>b a>c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p := g.Pages[0]
	if p.Title != "New" || p.Text != "new text" || !slices.Equal(p.Loads, []string{"a", "a2", "a3"}) {
		t.Errorf("page visited again = %+v, want the last title and text and all loads", p)
	}
}

func TestBuildByLoad(t *testing.T) {
	g := Build([]Load{loadOf("a"), loadOf("set"), with(loadOf("n"), frame("set", Frame)), with(loadOf("c"), frame("set", Frame)),
		with(loadOf("ad"), func(l *Load) { l.Parent, l.Kind, l.Site = "a", Iframe, "b.test" })})
	want := map[string][]int{"a": {0}, "set": {1, 2}, "n": {1}, "c": {2}, "ad": {0}}
	for id, pages := range want {
		if !slices.Equal(g.ByLoad[id], pages) {
			t.Errorf("ByLoad[%s] = %v, want %v", id, g.ByLoad[id], pages)
		}
	}
}

// TestGoldenSession builds the example of [HMM] fig. 2b and §2.1 (pages 1 to 5, targets 4 and 5, page 3 left by Back, a
// link from 1 to 3 that was not taken), and compares everything with a golden file.
func TestGoldenSession(t *testing.T) {
	target := func(l *Load) { l.Target = true }
	loads := []Load{loadOf("1", "2", "3"), with(loadOf("2", "3", "4"), func(l *Load) { l.From = "1" }), with(loadOf("3"), func(l *Load) { l.From = "2" }),
		with(with(loadOf("4", "5"), func(l *Load) { l.From = "2" }), target), with(with(loadOf("5"), func(l *Load) { l.From = "4" }), target)}
	g := Build(loads)
	got, err := json.MarshalIndent(struct {
		Graph  *Graph
		Layers []int
	}{g, Layers(len(g.Pages), g.Edges, []bool{false, false, false, true, true}, 4)}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "session.golden.json")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
