package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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

// window makes the window as wide as said, and as high as the page, so that all of it is in view. The person likes no motion, so
// that nothing is looked at halfway.
func (g *gallery) window(width int, colours string) {
	g.t.Helper()
	g.windowAs(width, "", map[string]string{"prefers-color-scheme": colours, "prefers-reduced-motion": "reduce"})
}

// windowAs is window for a medium, "" for the screen, and for what style sheets may ask.
func (g *gallery) windowAs(width int, medium string, asked map[string]string) {
	g.t.Helper()
	scale := 1.0
	if g.dir == "" {
		scale = 0.1 // nobody looks, and drawing large pages takes as long as checking them
	}
	var height int
	err := errors.Join(g.tab.media(medium, asked), g.tab.size(width, 800, scale), g.tab.Eval("document.documentElement.scrollHeight", &height))
	if err == nil {
		err = g.tab.size(width, max(800, height), scale)
	}
	if err != nil {
		g.t.Fatal(err)
	}
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
func (g *gallery) sheets(views []view) {
	g.t.Helper()
	if g.dir == "" {
		return
	}
	for _, v := range views {
		end := "-" + v.name
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
