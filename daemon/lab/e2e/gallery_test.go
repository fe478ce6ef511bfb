package e2e

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
	"nightjar/daemon/web"
)

// measure is a script that lists what looks broken.
//
//go:embed testdata/measure.js
var measure string

// screen is a page of the dashboard.
type screen struct {
	name    string
	pattern string // its route
	path    string // a template of SQL strings: text between $( and ) is replaced by what the query answers
}

// screens are all pages of the dashboard. TestScreens holds them against its routes.
var screens = []screen{
	{"finds", "/", "/?state=all"},
	{"find", "/finds/{id}", "/finds/$(SELECT min(id) FROM finds)"},
	{"copy", "/finds/{id}/copy", "/finds/$(SELECT min(id) FROM finds)/copy"},
	{"start", "/start", "/start"},
	{"tonight", "/tonight", "/tonight"},
	{"first", "/tonight/{topic}/first", "/tonight/$(SELECT min(id) FROM topics)/first"},
	{"doctor", "/doctor", "/doctor"},
	{"teach", "/teach/{topic}", "/teach/$(SELECT min(id) FROM topics)"},
	{"search", "/search", "/search?q=tidal"},
	{"sessions", "/sessions", "/sessions"},
	{"session", "/sessions/{uuid}", "/sessions/$(SELECT uuid FROM sessions)"},
	{"session-edit", "/sessions/{uuid}/edit", "/sessions/$(SELECT uuid FROM sessions)/edit"},
	{"session-delete", "/sessions/{uuid}/delete", "/sessions/$(SELECT uuid FROM sessions)/delete"},
	{"topic-delete", "/topics/{topic}/delete", "/topics/$(SELECT min(id) FROM topics)/delete"},
	{"models", "/model", "/model"},
	{"model", "/model/{topic}", "/model/$(SELECT min(id) FROM topics)"},
	{"version", "/model/{topic}/{version}", "/model/$(SELECT min(id) FROM topics)/1"},
	{"model-sure", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/sure"},
	{"model-words", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/words"},
	{"model-graph", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/graph"},
	{"model-ways", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/ways"},
	{"model-versions", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/versions"},
	{"crawls", "/crawls", "/crawls"},
	{"crawl", "/crawls/{id}", "/crawls/$(SELECT min(id) FROM crawls)"},
	{"worker-remove", "/workers/{name}/remove", "/workers/$(SELECT min(name) FROM workers)/remove"},
	{"hosts", "/crawls/{id}/hosts", "/crawls/$(SELECT min(id) FROM crawls)/hosts"},
	{"communities", "/communities", "/communities"},
	{"map", "/communities/{map}", "/communities/$(SELECT min(id) FROM maps WHERE state = 'done')"},
	{"map-titles", "/communities/{map}", "/communities/$(SELECT min(id) FROM maps WHERE step = 'titles')"},
	{"map-pages", "/communities/{map}", "/communities/$(SELECT min(id) FROM maps WHERE step = 'pages')"},
	{"map-crawl", "/communities/{map}", "/communities/$(SELECT min(id) FROM maps WHERE step = 'crawl')"},
	{"community", "/communities/{map}/{community}", "/communities/$(SELECT min(id) FROM maps WHERE state = 'done')/1"},
	{"map-page", "/communities/{map}/pages/{fetch}", "/communities/$(SELECT map_id || '/pages/' || fetch_id FROM map_pages WHERE community = 1 ORDER BY similarity DESC LIMIT 1)"},
	{"map-delete", "/communities/{map}/delete", "/communities/$(SELECT min(id) FROM maps WHERE state = 'done')/delete"},
	{"ontologies", "/explore/ontologies", "/explore/ontologies"},
	{"ontology", "/explore/ontologies/{ontology}", "/explore/ontologies/$(SELECT min(id) FROM ontologies)"},
	{"ontology-delete", "/explore/ontologies/{ontology}/delete", "/explore/ontologies/$(SELECT min(id) FROM ontologies)/delete"},
	{"wordnet", "/explore/wordnet", "/explore/wordnet"},
	{"wordnet-get", "/explore/wordnet/get", "/explore/wordnet/get"},
	{"wordnet-remove", "/explore/wordnet/remove", "/explore/wordnet/remove"},
	{"explore", "/explore", "/explore"},
	{"grouping", "/explore/{grouping}", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)"},
	{"grouping-term", "/explore/{grouping}", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)?term=sea"},
	{"grouping-answer", "/explore/{grouping}", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)?q=turbine+weather"},
	{"grouping-failed", "/explore/{grouping}", "/explore/$(SELECT min(id) FROM groupings WHERE state = 'failed')"},
	{"grouping-links", "/explore/{grouping}/links", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)/links?level=9&cluster=0"},
	{"grouping-delete", "/explore/{grouping}/delete", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)/delete"},
	{"said-ask", "/explore/page", "/explore/page"},
	{"said", "/explore/pages/{id}", "/explore/pages/$(SELECT dst FROM link GROUP BY dst ORDER BY count(*) DESC LIMIT 1)"},
	{"compare", "/explore/compare", "/explore/compare?a=&b=topic:nowhere"},
	{"compared", "/explore/compare", "/explore/compare?a=&b="},
	{"operators", "/explore/operators", "/explore/operators"},
	{"operators-result", "/explore/operators", "/explore/operators?q=TAuthorities([],2,{})"},
	{"operators-fault", "/explore/operators", "/explore/operators?q=TAuthorities([],2,x"},
	{"settings", "/settings", "/settings"},
	{"space", "/settings/space", "/settings/space"},
	{"erase", "/settings/erase", "/settings/erase?host=$(SELECT host FROM fetches LIMIT 1)"},
	{"erasing", "/settings/erasing", "/settings/erasing"},
	{"api", "/api", "/api"},
	{"components", "/components", "/components"},
	{"nowhere", "", "/nowhere"},
}

// notScreens are the routes that answer with something else than a page for people to look at, or with a page that another
// test looks at.
var notScreens = []string{
	"/static/{hash}/{name}", "/sessions/{uuid}/export", "/crawls/{id}/hosts.csv", "/settings/backup", "/events", "/finds/export",
	"/sessions/{uuid}/visits/delete", // TestData
	"/communities/{map}/report",      // TestCommunities
	"/explore/ontologies/{ontology}/export",
	"/explore/{grouping}/export", "/explore/operators/export", // TestExplore
	"/login",                // leads to the finds at once
	"/topics/{topic}/parts", // only of combined topics, of which the demonstration has none
}

// TestScreens: every page of the dashboard is in the gallery.
func TestScreens(t *testing.T) {
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, err := web.New(t.Context(), web.Deps{Store: st, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Clone(notScreens)
	for _, s := range screens {
		known = append(known, s.pattern)
	}
	routes := s.Pages()
	for _, pattern := range routes {
		if !slices.Contains(known, pattern) {
			t.Errorf("%s is in neither list: add it to screens, so that it is looked at", pattern)
		}
	}
	for _, pattern := range known {
		if pattern != "" && !slices.Contains(routes, pattern) {
			t.Errorf("%s is no route", pattern)
		}
	}
}

// gallery is a browser that shows pages of the dashboard.
type gallery struct {
	t    *testing.T
	d    *daemon
	tab  *chromiumTab
	dir  string // for pictures, "" for none
	name string // begins the names of pictures
	made []string

	matched map[string]bool // selectors of the style sheets: whether one matched something
}

// TestGallery looks at all pages of the demonstration, and of a fresh data folder, at the widths of a telephone, a laptop and
// large screens. With NIGHTJAR_SCREENSHOTS it takes pictures, in light and dark, and a sheet with all of them.
func TestGallery(t *testing.T) {
	b := startBoard(t)
	for _, set := range sets {
		g := newGallery(t, b, set.start(t), set.name)
		for _, s := range set.screens() {
			g.show(s)
			g.match()
		}
		g.sheets()
		g.tellUnmatched()
	}
}

// set is a daemon with data to look at.
type set struct {
	name  string
	start func(*testing.T) *daemon
	empty bool
}

var sets = []set{
	{"demo", startDemo, false},
	{"fresh", func(t *testing.T) *daemon { return startDaemon(t, "127.0.0.1:1") }, true},
}

// screens are those that the set has data for.
func (s set) screens() []screen {
	if !s.empty {
		return screens
	}
	return slices.DeleteFunc(slices.Clone(screens), func(s screen) bool { return strings.Contains(s.path, "$(") })
}

// views are the windows in which each page is looked at: axe says in which axe-core does, which takes longer, and in which
// only at night.
var views = []struct {
	width   int
	colours string
	axe     bool
}{
	{360, "light", true}, {640, "light", false}, {1280, "light", effort.Nightly()}, {2560, "light", false}, {3840, "light", false},
	{360, "dark", effort.Nightly()}, {1280, "dark", false}, {2560, "dark", true},
}

func newGallery(t *testing.T, b browser, d *daemon, name string) *gallery {
	t.Helper()
	tab, err := b.NewTab()
	if err != nil {
		t.Fatal(err)
	}
	g := &gallery{t: t, d: d, tab: tab.(*chromiumTab), dir: os.Getenv("NIGHTJAR_SCREENSHOTS"), name: name}
	if err := g.tab.Address(d.login); err != nil {
		t.Fatal(err)
	}
	g.settle()
	return g
}

// open goes to a URL and waits until the page that it leads to is whole.
func (g *gallery) open(url string) {
	g.t.Helper()
	if err := g.tab.Eval("window.left = true", new(bool)); err != nil {
		g.t.Fatal(err)
	}
	if err := g.tab.Address(url); err != nil {
		g.t.Fatalf("%s: %v", url, err)
	}
	g.settle()
}

// settle waits until another page is whole. The page after logging in leads on by itself.
func (g *gallery) settle() {
	g.t.Helper()
	err := poll(patience, func() error {
		var at struct {
			Path, State string
			Left        bool
		}
		err := g.tab.Eval("({Path: location.pathname, State: document.readyState, Left: window.left === true})", &at)
		if err == nil && (at.Left || at.State != "complete" || at.Path == "/login") {
			err = fmt.Errorf("the page at %s is %s", at.Path, at.State)
		}
		return err
	})
	if err != nil {
		g.t.Fatal(err)
	}
}

// address fills in the path of a screen.
func (g *gallery) address(s screen) string {
	var origin string
	if err := g.tab.Eval("location.origin", &origin); err != nil {
		g.t.Fatal(err)
	}
	path := s.path
	for {
		before, rest, found := strings.Cut(path, "$(")
		if !found {
			return origin + path
		}
		end := strings.LastIndex(rest, ")")
		path = before + g.d.text(rest[:end]) + rest[end+1:]
	}
}

// show looks at one page in all windows.
func (g *gallery) show(s screen) {
	g.t.Helper()
	g.open(g.address(s))
	for _, v := range views {
		if v.width == 3840 && g.name != "demo" {
			continue
		}
		if v.colours == "dark" && g.dir == "" {
			continue // what is measured is the same in light; TestAxe looks at colours
		}
		what := fmt.Sprintf("%s-%s-%d-%s", g.name, s.name, v.width, v.colours)
		g.window(v.width, v.colours)
		var problems []string
		err := poll(patience, func() error { return g.tab.Eval(measure, &problems) }) // fails while the page is being replaced
		if err != nil {
			g.t.Fatalf("%s: %v", what, err)
		}
		for _, p := range problems {
			g.t.Errorf("%s: %s", what, p)
		}
		g.picture(what)
	}
}

// window sets the width, and the height so that the whole page is in view. The person likes no motion, so that nothing is
// looked at halfway.
func (g *gallery) window(width int, colours string) {
	g.t.Helper()
	set := func(height int) {
		if err := g.tab.View(width, height, colours); err != nil {
			g.t.Fatal(err)
		}
	}
	set(800)
	var height int
	if err := g.tab.Eval("document.documentElement.scrollHeight", &height); err != nil {
		g.t.Fatal(err)
	}
	set(max(800, height))
	g.drawn()
}

// drawn waits until the page was drawn twice: pictures follow a new size of the window only then.
func (g *gallery) drawn() {
	g.t.Helper()
	var frames int
	err := errors.Join(g.tab.Front(), g.tab.Run(`new Promise(done => {
		const late = setTimeout(() => done(0), 1000); // a tab that no browser draws
		requestAnimationFrame(() => requestAnimationFrame(() => { clearTimeout(late); done(2); }));
	})`, &frames))
	if err != nil {
		g.t.Fatal(err)
	}
}

// pixels is how many pixels a picture may have. The lower end of larger pages is left out: a picture of it would take long.
const pixels = 8_000_000

// picture saves a picture of the page.
func (g *gallery) picture(name string) {
	g.t.Helper()
	if g.dir == "" {
		return
	}
	var width, height int
	err := errors.Join(g.tab.Front(), // the extension opens a tab of its own, and no browser draws what is behind another tab
		g.tab.Eval("innerWidth", &width), g.tab.Eval("innerHeight", &height))
	if err != nil {
		g.t.Fatal(err)
	}
	var got struct{ Data []byte }
	err = g.tab.call("Page.captureScreenshot", map[string]any{"format": "png", "clip": map[string]any{
		"x": 0, "y": 0, "width": width, "height": min(height, pixels/width), "scale": 1}}, &got)
	if err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	if err := os.WriteFile(filepath.Join(g.dir, name+".png"), got.Data, 0o600); err != nil {
		g.t.Fatal(err)
	}
	g.made = append(g.made, name)
}

// sheets writes one page with all pictures of each window, and a picture of it.
func (g *gallery) sheets() {
	g.t.Helper()
	if g.dir == "" {
		return
	}
	for _, v := range views {
		end := fmt.Sprintf("-%d-%s", v.width, v.colours)
		var html strings.Builder
		html.WriteString(`<!doctype html><meta charset="utf-8"><style>body{margin:12px;display:flex;flex-wrap:wrap;gap:12px;font:14px sans-serif;` +
			`background:#888}figure{margin:0;width:370px}img{width:100%;max-height:900px;object-fit:cover;object-position:top}</style>`)
		for _, name := range g.made {
			if strings.HasSuffix(name, end) {
				fmt.Fprintf(&html, `<figure><figcaption>%s</figcaption><img src="%[1]s.png"></figure>`, name)
			}
		}
		name := filepath.Join(g.dir, "sheet-"+g.name+end)
		if err := os.WriteFile(name+".html", []byte(html.String()), 0o600); err != nil {
			g.t.Fatal(err)
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			g.t.Fatal(err)
		}
		g.open("file://" + abs + ".html")
		g.window(1960, "light")
		g.picture("sheet-" + g.name + end)
	}
}
