package e2e

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// chromiumID follows from the public key in the extension's manifest.
const chromiumID = "CHROMIUMID"

type chromium struct {
	t    *testing.T
	wire *wire
}

// startChromium starts a Chromium with the extension and an empty profile. Hosts under .test are at webAddr.
func startChromium(t *testing.T, webAddr string) browser {
	t.Helper()
	path := needBrowser(t, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
	profile := t.TempDir()
	cmd := exec.Command(path, "--headless=new", "--remote-debugging-port=0", "--user-data-dir="+profile,
		"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1280,900",
		"--disable-features=DisableLoadExtensionCommandLineSwitch",
		"--load-extension="+extensionDir(t), "--disable-extensions-except="+extensionDir(t),
		"--host-resolver-rules=MAP *.test "+webAddr, "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+profile)
	startProcess(t, cmd)
	port := filepath.Join(profile, "DevToolsActivePort")
	var lines []string
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(port)
		if lines = strings.Split(strings.TrimSpace(string(text)), "\n"); err == nil && len(lines) == 2 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("chromium did not open its port: %v", err)
		}
	}
	ctx, cancel := withTimeout()
	defer cancel()
	w, err := dialWire(ctx, "ws://127.0.0.1:"+lines[0]+lines[1])
	if err != nil {
		t.Fatal(err)
	}
	return &chromium{t: t, wire: w}
}

func (c *chromium) ExtensionPage(path string) string {
	return "chrome-extension://" + chromiumID + "/" + path
}

func (c *chromium) Close() { c.call("", "Browser.close", nil, nil) } //nolint:errcheck // it may be gone

func (c *chromium) call(session, method string, params, into any) error {
	ctx, cancel := withTimeout()
	defer cancel()
	return c.wire.call(ctx, session, method, params, into)
}

func (c *chromium) NewTab() (tab, error) {
	var made struct{ TargetID string }
	if err := c.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
		return nil, err
	}
	var attached struct{ SessionID string }
	err := c.call("", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	if err != nil {
		return nil, err
	}
	p := &chromiumTab{c, attached.SessionID, made.TargetID}
	return p, p.call("Page.enable", nil, nil)
}

type chromiumTab struct {
	c       *chromium
	session string
	target  string
}

func (p *chromiumTab) call(method string, params, into any) error {
	return p.c.call(p.session, method, params, into)
}

func (p *chromiumTab) Address(url string) error {
	var got struct{ ErrorText string }
	if err := p.call("Page.navigate", map[string]any{"url": url, "transitionType": "typed"}, &got); err != nil {
		return err
	}
	if got.ErrorText != "" {
		return errors.New(got.ErrorText)
	}
	return p.loaded()
}

// loaded waits until the page has loaded.
func (p *chromiumTab) loaded() error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var state string
		if err := p.eval("document.readyState", &state); err == nil && state == "complete" {
			return nil
		}
	}
	return errors.New("the page did not load")
}

func (p *chromiumTab) Back() error {
	var h struct {
		CurrentIndex int
		Entries      []struct{ ID int }
	}
	if err := p.call("Page.getNavigationHistory", nil, &h); err != nil {
		return err
	}
	if h.CurrentIndex == 0 {
		return errors.New("nothing to go back to")
	}
	return p.call("Page.navigateToHistoryEntry", map[string]any{"entryId": h.Entries[h.CurrentIndex-1].ID}, nil)
}

func (p *chromiumTab) Click(at point) error {
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		event := map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1}
		if kind == "mouseMoved" {
			event["button"], event["clickCount"] = "none", 0
		}
		if err := p.call("Input.dispatchMouseEvent", event, nil); err != nil {
			return err
		}
	}
	return nil
}

func (p *chromiumTab) Type(text string) error {
	for _, r := range text {
		down := map[string]any{"type": "keyDown", "text": string(r), "key": string(r)}
		if r == '\n' {
			down = map[string]any{"type": "keyDown", "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13}
		}
		if err := p.call("Input.dispatchKeyEvent", down, nil); err != nil {
			return err
		}
		if err := p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": down["key"]}, nil); err != nil {
			return err
		}
	}
	return nil
}

// eval reads something off the page.
func (p *chromiumTab) eval(script string, into any) error {
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Text string }
	}
	err := p.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}, &got)
	if err != nil {
		return err
	}
	if got.ExceptionDetails != nil {
		return fmt.Errorf("%s: %s", script, got.ExceptionDetails.Text)
	}
	if into == nil || len(got.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(got.Result.Value, into)
}

func (p *chromiumTab) Find(selector string) (point, error) {
	var at *point
	if err := p.eval(middleOf(selector), &at); err != nil {
		return point{}, err
	}
	if at == nil {
		return point{}, fmt.Errorf("no visible %s", selector)
	}
	return *at, nil
}

func (p *chromiumTab) Text(selector string) (string, error) {
	var text *string
	if err := p.eval(textOf(selector), &text); err != nil {
		return "", err
	}
	if text == nil {
		return "", fmt.Errorf("no %s", selector)
	}
	return *text, nil
}

func (p *chromiumTab) URL() (string, error) {
	var url string
	return url, p.eval("location.href", &url)
}

func (p *chromiumTab) Screenshot() ([]byte, error) {
	var got struct{ Data string }
	if err := p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &got); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(got.Data)
}

func (p *chromiumTab) Close() error {
	return p.c.call("", "Target.closeTarget", map[string]any{"targetId": p.target}, nil)
}

// node is a DOM node as the DevTools show it, closed shadow roots included.
type node struct {
	NodeID      int
	Attributes  []string
	Children    []node
	ShadowRoots []node
}

func (n *node) find(id string) *node {
	for i := 0; i+1 < len(n.Attributes); i += 2 {
		if n.Attributes[i] == "id" && n.Attributes[i+1] == id {
			return n
		}
	}
	for _, children := range [][]node{n.ShadowRoots, n.Children} {
		for i := range children {
			if found := children[i].find(id); found != nil {
				return found
			}
		}
	}
	return nil
}

func (p *chromiumTab) FindInBar(id string) (point, error) {
	var doc struct{ Root node }
	if err := p.call("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &doc); err != nil {
		return point{}, err
	}
	host := doc.Root.find("nightjar-bar")
	if host == nil {
		return point{}, errors.New("the page has no bar")
	}
	n := host.find(id)
	if n == nil {
		return point{}, fmt.Errorf("the bar has no #%s", id)
	}
	var box struct{ Model struct{ Content []float64 } }
	if err := p.call("DOM.getBoxModel", map[string]any{"nodeId": n.NodeID}, &box); err != nil {
		return point{}, err
	}
	q := box.Model.Content
	return point{(q[0] + q[4]) / 2, (q[1] + q[5]) / 2}, nil
}

// middleOf is a script that gives the middle of the first visible element that the selector matches, scrolled into
// view, or null.
func middleOf(selector string) string {
	quoted, _ := json.Marshal(selector)
	return `(() => { for (const e of document.querySelectorAll(` + string(quoted) + `)) {
		e.scrollIntoView({block: "center", behavior: "instant"});
		const r = e.getClientRects()[0];
		if (r && r.width > 0 && r.height > 0 && getComputedStyle(e).visibility === "visible")
			return {X: r.left + r.width / 2, Y: r.top + r.height / 2};
	} return null; })()`
}

// textOf is a script that gives the text of the first element that the selector matches, or null.
func textOf(selector string) string {
	quoted, _ := json.Marshal(selector)
	return `(() => { const e = document.querySelector(` + string(quoted) + `); return e ? (e.innerText ?? e.textContent) : null; })()`
}

// startProcess starts a browser and ends it, whatever it left, with the test.
func startProcess(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		killGroup(cmd)
		cmd.Wait() //nolint:errcheck // it was killed
	})
}
