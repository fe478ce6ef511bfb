package e2e

import (
	"errors"
	"math"
	"testing"
)

// hands do in a browser what the tests of moves need beyond tab.
type hands interface {
	browser
	// press clicks with a mouse button, 0 left and 1 middle, perhaps while the control key is held.
	press(t tab, at point, button int, control bool) error
	// typed types a URL into the address bar, as far as the browser has one.
	typed(t tab, url string) error
	// bookmark opens a bookmark.
	bookmark(t tab, url string) error
	// reload presses the browser's Reload button.
	reload(t tab) error
	// steps goes through the tab's history by the browser's own list: -2 is two steps back.
	steps(t tab, n int) error
	// closes closes a tab.
	closes(t tab) error
	// window opens a window with an empty tab.
	window() (tab, error)
}

// chromiumHands are hands for Chromium.
type chromiumHands struct{ *chromium }

func startChromiumHands(t *testing.T, webAddr string) browser {
	t.Helper()
	return &chromiumHands{startChromium(t, webAddr).(*chromium)}
}

func (c *chromiumHands) press(t tab, at point, button int, control bool) error {
	p := t.(*chromiumTab)
	held := 0
	if control {
		held = 2 // Input.dispatchMouseEvent: Ctrl
	}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		e := map[string]any{"type": kind, "x": at.X, "y": at.Y, "modifiers": held}
		if kind != "mouseMoved" {
			e["button"], e["clickCount"] = []string{"left", "middle"}[button], 1
		}
		if err := p.call("Input.dispatchMouseEvent", e, nil); err != nil {
			return err
		}
	}
	return nil
}

func (c *chromiumHands) typed(t tab, url string) error {
	return t.(*chromiumTab).call("Page.navigate", map[string]any{"url": url, "transitionType": "typed"}, nil)
}

func (c *chromiumHands) bookmark(t tab, url string) error {
	return t.(*chromiumTab).call("Page.navigate", map[string]any{"url": url, "transitionType": "auto_bookmark"}, nil)
}

func (c *chromiumHands) reload(t tab) error { return t.(*chromiumTab).call("Page.reload", nil, nil) }

func (c *chromiumHands) steps(t tab, n int) error {
	p := t.(*chromiumTab)
	var h struct {
		CurrentIndex int
		Entries      []struct{ ID int }
	}
	if err := p.call("Page.getNavigationHistory", nil, &h); err != nil {
		return err
	}
	if to := h.CurrentIndex + n; to < 0 || to >= len(h.Entries) {
		return errors.New("the history has no such entry")
	}
	return p.call("Page.navigateToHistoryEntry", map[string]any{"entryId": h.Entries[h.CurrentIndex+n].ID}, nil)
}

func (c *chromiumHands) closes(t tab) error {
	return c.call("", "Target.closeTarget", map[string]any{"targetId": t.(*chromiumTab).id}, nil)
}

func (c *chromiumHands) window() (tab, error) {
	var made struct{ TargetID string }
	err := c.call("", "Target.createTarget", map[string]any{"url": "about:blank", "newWindow": true}, &made)
	if err != nil {
		return nil, err
	}
	return c.attach(made.TargetID)
}

// firefoxHands are hands for Firefox.
type firefoxHands struct{ *firefox }

func startFirefoxHands(t *testing.T, webAddr string) browser {
	t.Helper()
	return &firefoxHands{startFirefox(t, webAddr).(*firefox)}
}

func (f *firefoxHands) press(t tab, at point, button int, control bool) error {
	const key = "\uE009" // WebDriver §17.4.2, Control
	mouse := []any{map[string]any{"type": "pointerMove", "x": math.Round(at.X), "y": math.Round(at.Y)},
		map[string]any{"type": "pause"}, map[string]any{"type": "pointerDown", "button": button}, map[string]any{"type": "pointerUp", "button": button}, map[string]any{"type": "pause"}}
	sources := []any{map[string]any{"type": "pointer", "id": "mouse", "actions": mouse}}
	if control {
		keys := []any{map[string]any{"type": "pause"}, map[string]any{"type": "keyDown", "value": key}, map[string]any{"type": "pause"}, map[string]any{"type": "pause"}, map[string]any{"type": "keyUp", "value": key}}
		sources = append(sources, map[string]any{"type": "key", "id": "keyboard", "actions": keys})
	}
	return t.(*firefoxTab).call("input.performActions", map[string]any{"actions": sources}, nil)
}

// frontWindow is the browser's window in front, in a browserScript.
const frontWindow = `Services.wm.getMostRecentWindow("navigator:browser")`

// browserScript runs a script in the browser's own window, where its menus and bars are.
func (f *firefoxHands) browserScript(script string) error {
	var tree struct{ Contexts []struct{ Context string } }
	if err := f.call("browsingContext.getTree", map[string]any{"maxDepth": 0, "moz:scope": "chrome"}, &tree); err != nil {
		return err
	}
	if len(tree.Contexts) == 0 {
		return errors.New("the browser has no window")
	}
	p := &firefoxTab{browser: f.firefox, context: tree.Contexts[0].Context}
	a, err := p.script("script.evaluate", map[string]any{"expression": script})
	if err == nil && a.Type == "exception" {
		err = errors.New(a.ExceptionDetails.Text)
	}
	return err
}

func (f *firefoxHands) typed(t tab, url string) error {
	if err := t.Front(); err != nil {
		return err
	}
	return f.browserScript("{ const bar = " + frontWindow + ".gURLBar; bar.focus(); bar.value = " + quote(url) + "; bar.handleCommand(); }")
}

func (f *firefoxHands) bookmark(t tab, url string) error {
	if err := t.Front(); err != nil {
		return err
	}
	return f.browserScript("PlacesUIUtils.openNodeIn({uri: " + quote(url) + ", type: 0, itemId: 1, bookmarkGuid: 'a'}, 'current', {ownerWindow: " + frontWindow + "})")
}

func (f *firefoxHands) reload(t tab) error {
	return t.(*firefoxTab).call("browsingContext.reload", map[string]any{"wait": "none"}, nil)
}

func (f *firefoxHands) steps(t tab, n int) error {
	return t.(*firefoxTab).call("browsingContext.traverseHistory", map[string]any{"delta": n}, nil)
}

func (f *firefoxHands) closes(t tab) error {
	return t.(*firefoxTab).call("browsingContext.close", map[string]any{}, nil)
}

func (f *firefoxHands) window() (tab, error) {
	var made struct{ Context string }
	if err := f.call("browsingContext.create", map[string]any{"type": "window"}, &made); err != nil {
		return nil, err
	}
	p := &firefoxTab{browser: f.firefox, context: made.Context}
	return p, p.View(1280, 800, "")
}
