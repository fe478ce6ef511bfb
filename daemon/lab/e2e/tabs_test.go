package e2e

import (
	_ "embed"
	"errors"
)

// walkScript notes where the Tab key stops.
//
//go:embed testdata/walk.js
var walkScript string

// tabs holds the Tab key down until it has been everywhere on a page that is whole.
func (g *gallery) tabs(name string) {
	g.t.Helper()
	var stops int
	err := errors.Join(g.tab.View(1280, 800, "light"), g.tab.Front(), g.tab.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil),
		g.tab.Eval(walkScript, &stops))
	if err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	for n, done := 0, false; !done && n < stops+100; n++ {
		if err := g.tab.key("rawKeyDown", "Tab", 9); err != nil {
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
	if err := errors.Join(g.tab.key("keyUp", "Tab", 9), g.tab.Eval("walk.end()", &problems)); err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	for _, p := range problems {
		g.t.Errorf("%s by the Tab key: %s", name, p)
	}
}

// press presses a key that types nothing.
func (p *chromiumTab) press(key string, code int) error {
	return errors.Join(p.key("rawKeyDown", key, code), p.key("keyUp", key, code))
}

// key is half of press.
func (p *chromiumTab) key(kind, key string, code int) error {
	params := map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
	return p.call("Input.dispatchKeyEvent", params, nil)
}
