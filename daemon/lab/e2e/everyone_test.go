package e2e

import (
	_ "embed"
	"errors"
	"maps"
	"testing"

	"nightjar/daemon/lab/effort"
)

// walkScript notes where the Tab key stops.
//
//go:embed testdata/walk.js
var walkScript string

// everyoneScript has a function for each way to look at a page.
//
//go:embed testdata/everyone.js
var everyoneScript string

// TestEveryone looks at each page as people do who have no mouse, who enlarge or space out the text, who force colours, who
// print, who bear no motion, and who have a very wide screen.
func TestEveryone(t *testing.T) {
	g := newGallery(t, startBoard(t), startDemo(t), "demo")
	for _, s := range screens {
		g.open(g.address(s))
		g.tabs(s.name)
		if err := g.tab.Eval(everyoneScript, new(bool)); err != nil {
			t.Fatal(err)
		}
		for _, v := range everyoneViews {
			if !v.night || effort.Nightly() {
				g.everyone(s.name, v)
			}
		}
	}
}

// everyoneView is a way to look at a page.
type everyoneView struct {
	name   string
	width  int
	medium string            // "" for the screen
	asked  map[string]string // media features
	script string            // lists what is wrong
	spaced bool              // the text has wide spacing
	night  bool              // only at night: what it finds, another mostly finds, too
}

// everyoneViews: 1,280 px at 200 and 400 % are as wide as 640 and 320; A4 between margins is about 720.
var everyoneViews = []everyoneView{
	{name: "zoom-400", width: 320, script: measure},
	{name: "spaced", width: 1280, script: measure, spaced: true, night: true},
	{name: "spaced-zoom-200", width: 640, script: measure, spaced: true},
	{name: "forced", width: 1280, asked: map[string]string{"forced-colors": "active"}, script: "everyone.forced()", night: true},
	{name: "forced-dark", width: 1280, script: "everyone.forced()",
		asked: map[string]string{"forced-colors": "active", "prefers-color-scheme": "dark"}},
	{name: "print", width: 720, medium: "print", script: "everyone.print()"},
	{name: "print-cut", width: 720, medium: "print", script: measure, night: true},
	{name: "motion", width: 1280, script: "everyone.motion()"},
	{name: "wide", width: 3840, script: "everyone.wide()"},
}

// everyone looks at the page in one way.
func (g *gallery) everyone(name string, v everyoneView) {
	g.t.Helper()
	what := name + "-" + v.name
	space := func(on bool) {
		if err := g.tab.Eval("spaced("+map[bool]string{true: "true", false: "false"}[on]+")", new(bool)); err != nil {
			g.t.Fatalf("%s: %v", what, err)
		}
	}
	space(v.spaced)
	g.window(v.width, "light")
	asked := map[string]string{"prefers-color-scheme": "light", "prefers-reduced-motion": "reduce"}
	maps.Copy(asked, v.asked)
	if err := g.tab.media(v.medium, asked); err != nil {
		g.t.Fatalf("%s: %v", what, err)
	}
	g.drawn()
	var problems []string
	if err := poll(patience, func() error { return g.tab.Eval(v.script, &problems) }); err != nil {
		g.t.Fatalf("%s: %v", what, err)
	}
	g.tell(what, problems)
	g.picture("everyone-" + what)
	if err := g.tab.media("", asked); err != nil {
		g.t.Fatalf("%s: %v", what, err)
	}
	space(false)
}

// tell reports problems of a page.
func (g *gallery) tell(what string, problems []string) {
	g.t.Helper()
	for _, p := range problems {
		g.t.Errorf("%s: %s", what, p)
	}
}

// tabs presses Tab until it has been everywhere.
func (g *gallery) tabs(name string) {
	g.t.Helper()
	err := poll(patience, func() (err error) { // parts that come later would be other stops
		var coming bool
		if err = g.tab.Eval(`document.querySelector("[data-load]:not(details), [data-again], [aria-busy=true]") !== null`, &coming); err == nil && coming {
			err = errors.New("parts of the page are still to come")
		}
		return err
	})
	if err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	var stops int
	err = errors.Join(g.tab.View(1280, 800, "light"), g.tab.Front(), g.tab.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil),
		g.tab.Eval(walkScript, &stops))
	if err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	for n, done := 0, false; !done && n < stops+100; n++ {
		if err := g.tab.press("Tab", 9); err != nil {
			g.t.Fatalf("%s: %v", name, err)
		}
		if n < stops {
			continue
		}
		if err := g.tab.Eval("walk.note(), walk.done", &done); err != nil {
			g.t.Fatalf("%s: %v", name, err)
		}
	}
	var problems []string
	if err := g.tab.Eval("walk.end()", &problems); err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	g.tell(name+" by the Tab key", problems)
}

// press presses a key that types nothing.
func (p *chromiumTab) press(key string, code int) error {
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		params := map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
		if err := p.call("Input.dispatchKeyEvent", params, nil); err != nil {
			return err
		}
	}
	return nil
}
