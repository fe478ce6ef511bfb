package e2e

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
)

// measure is a script that lists what looks broken.
//
//go:embed testdata/measure.js
var measure string

// everyoneScript has a function for each way to look at a page, and spaced, which sets the text's spacing.
//
//go:embed testdata/everyone.js
var everyoneScript string

// view is a way to look at a page: a window, what the person asked the browser for, and what is checked then.
type view struct {
	name   string // ends the names of pictures
	width  int
	medium string            // "" for the screen
	asked  map[string]string // media features, beside light colours and no motion
	spaced bool              // the text has wide spacing
	checks []string          // scripts that list what is wrong
	axe    string            // the rules of axe-core, "" for none
	fresh  bool              // also of a fresh data folder, of which each change looks at the first view only
	night  bool              // at night and for pictures only: what it finds, another mostly finds, too
}

var (
	dark   = map[string]string{"prefers-color-scheme": "dark"}
	forced = map[string]string{"forced-colors": "active"}
)

// views are those of people with a telephone, a laptop and large screens; who enlarge or space out the text, force colours, print,
// or bear no motion. 1,280 px at 200 and 400 % are as wide as 640 and 320; A4 between margins is about 720. What measure finds is
// the same in light and dark, and what the other rules of axe-core find in any window. Each change looks at the narrowest window and
// a usual one; TestColours calculates the contrasts of light and dark.
var views = []view{
	{name: "320-light", width: 320, checks: []string{measure}, axe: axeAll, fresh: true},
	{name: "360-light", width: 360, checks: []string{measure}, fresh: true, night: true},
	{name: "360-dark", width: 360, asked: dark, axe: axeLooks, fresh: true, night: true},
	{name: "640-light", width: 640, checks: []string{measure}, fresh: true, night: true},
	{name: "640-spaced", width: 640, checks: []string{measure}, spaced: true, night: true},
	{name: "print", width: 720, medium: "print", checks: []string{"everyone.print()"}, night: true},
	{name: "print-cut", width: 720, medium: "print", checks: []string{measure}, night: true},
	{name: "1280-light", width: 1280, checks: []string{measure, "everyone.motion()"}, fresh: true},
	{name: "1280-dark", width: 1280, asked: dark, axe: axeLooks, fresh: true, night: true},
	{name: "1280-spaced", width: 1280, checks: []string{measure}, spaced: true, night: true},
	{name: "1280-forced", width: 1280, asked: forced, checks: []string{"everyone.forced()"}, night: true},
	{name: "1280-forced-dark", width: 1280, asked: both(forced, dark), checks: []string{"everyone.forced()"}, night: true},
	{name: "2560-light", width: 2560, axe: axeLooks, fresh: true, night: true},
	{name: "2560-dark", width: 2560, asked: dark, checks: []string{measure}, axe: axeLooks, fresh: true, night: true},
	{name: "3840-light", width: 3840, checks: []string{measure, "everyone.wide()"}, night: true},
}

func both(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// thorough reports whether tests look at everything: at night, and for pictures.
func thorough() bool { return effort.Nightly() || os.Getenv("NIGHTJAR_SCREENSHOTS") != "" }

// views are those in which the set's pages are looked at.
func (s set) views() []view {
	return slices.DeleteFunc(slices.Clone(views), func(v view) bool {
		return s.empty && !v.fresh || !thorough() && (v.night || s.empty && v.axe != axeAll)
	})
}

// TestGallery opens each page of the demonstration once, and looks at it in all views. With NIGHTJAR_SCREENSHOTS it takes pictures,
// and a sheet of each view. It takes longest: parallel tests start in the reverse order of their files, and here it is among the first.
func TestGallery(t *testing.T) {
	t.Parallel()
	demo.look(t)
}

// TestGalleryFresh is TestGallery for a fresh data folder.
func TestGalleryFresh(t *testing.T) {
	t.Parallel()
	fresh.look(t)
}

// look looks at all screens of the set.
func (s set) look(t *testing.T) {
	t.Helper()
	axe := readAxe(t)
	g := newGallery(t, startBoard(t), s.start(t), s.name)
	for _, one := range s.screens() {
		g.look(one, s.views(), axe)
		if !s.empty && thorough() {
			g.tabs(one.name)
		}
		g.match()
	}
	g.sheets(s.views())
	g.tellUnmatched()
}

// look opens a page and looks at it in all views.
func (g *gallery) look(s screen, views []view, axe string) {
	g.t.Helper()
	g.open(g.address(s))
	g.whole(s.name)
	if err := g.tab.Eval(everyoneScript, new(bool)); err != nil {
		g.t.Fatalf("%s: %v", s.name, err)
	}
	// past the content security policy of the page, as a debugger's scripts
	if err := g.tab.Run(axe+";true", new(bool)); err != nil {
		g.t.Fatalf("axe-core on %s: %v", s.name, err)
	}
	said := make(map[string]bool)
	for _, v := range views {
		what := fmt.Sprintf("%s-%s-%s", g.name, s.name, v.name)
		g.enter(what, v)
		for _, p := range append(g.check(what, v), g.axe(what, v)...) {
			if !said[p] {
				g.t.Errorf("%s: %s", what, p)
			}
			said[p] = true
		}
		g.picture(what)
	}
}

// whole waits for the parts of a page that come after it.
func (g *gallery) whole(name string) {
	g.t.Helper()
	err := poll(patience, func() error {
		var coming bool
		err := g.tab.Eval(`document.querySelector("[data-load]:not(details), [data-again], [aria-busy=true]") !== null`, &coming)
		if err == nil && coming {
			err = errors.New("parts of the page are still to come")
		}
		return err
	})
	if err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
}

// enter makes the window and the browser as they are in a view.
func (g *gallery) enter(what string, v view) {
	g.t.Helper()
	if err := g.tab.Eval(fmt.Sprintf("spaced(%t)", v.spaced), new(bool)); err != nil {
		g.t.Fatalf("%s: %v", what, err)
	}
	g.windowAs(v.width, v.medium, both(map[string]string{"prefers-color-scheme": "light", "prefers-reduced-motion": "reduce"}, v.asked))
}

// check lists what the view's scripts find.
func (g *gallery) check(what string, v view) (problems []string) {
	g.t.Helper()
	for _, script := range v.checks {
		var found []string
		err := poll(patience, func() error { return g.tab.Eval(script, &found) }) // fails while the page is being replaced
		if err != nil {
			g.t.Fatalf("%s: %v", what, err)
		}
		problems = append(problems, found...)
	}
	return problems
}

// axe lists what axe-core finds.
func (g *gallery) axe(what string, v view) (findings []string) {
	g.t.Helper()
	if v.axe == "" {
		return nil
	}
	if err := g.tab.Run(v.axe, &findings); err != nil {
		g.t.Fatalf("axe-core on %s: %v", what, err)
	}
	for i := range findings {
		findings[i] = strings.ReplaceAll(findings[i], "\n", " ")
	}
	return findings
}
