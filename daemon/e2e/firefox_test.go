package e2e

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// firefoxUUID is the address of the extension's own pages, fixed by a preference in the test's profile.
const firefoxUUID = "5f0c7b1e-8a44-4b1d-9a38-1f2c9a6e0d11"

// firefoxAddon is the extension's id in its manifest.
const firefoxAddon = "FIREFOXID"

type firefox struct {
	t    *testing.T
	wire *wire
}

// startFirefox starts a Firefox with the extension and an empty profile. All hosts but loopback ones are at webAddr,
// which serves as their proxy.
func startFirefox(t *testing.T, webAddr string) browser {
	t.Helper()
	path := needBrowser(t, "firefox-esr", "firefox")
	profile := t.TempDir()
	writeProfile(t, profile, webAddr)
	cmd := exec.Command(path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0")
	cmd.Env = append(os.Environ(), "HOME="+profile, "MOZ_REMOTE_ALLOW_SYSTEM_ACCESS=1")
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	startProcess(t, cmd)
	url := make(chan string, 1)
	go func() {
		listening := regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				url <- m[1]
			}
		}
	}()
	f := &firefox{t: t}
	select {
	case at := <-url:
		f.connect(at)
	case <-time.After(60 * time.Second):
		t.Fatal("firefox did not open its port")
	}
	return f
}

func writeProfile(t *testing.T, profile, webAddr string) {
	t.Helper()
	host, port, _ := strings.Cut(webAddr, ":")
	uuids, err := json.Marshal(map[string]string{firefoxAddon: firefoxUUID})
	if err != nil {
		t.Fatal(err)
	}
	prefs := map[string]any{
		"extensions.webextensions.uuids":             string(uuids),
		"network.proxy.type":                         1,
		"network.proxy.http":                         host,
		"network.proxy.http_port":                    json.Number(port),
		"network.proxy.no_proxies_on":                "localhost, 127.0.0.1, .localhost",
		"browser.shell.checkDefaultBrowser":          false,
		"browser.aboutwelcome.enabled":               false,
		"datareporting.policy.dataSubmissionEnabled": false,
		"toolkit.telemetry.reportingpolicy.firstRun": false,
		"app.update.enabled":                         false,
		"network.captive-portal-service.enabled":     false,
		"network.connectivity-service.enabled":       false,
		"dom.security.https_first":                   false,
	}
	var text strings.Builder
	for name, value := range prefs {
		v, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "user_pref(%q, %s);\n", name, v)
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (f *firefox) connect(url string) {
	f.t.Helper()
	ctx, cancel := withTimeout()
	defer cancel()
	w, err := dialWire(ctx, url+"/session")
	if err != nil {
		f.t.Fatal(err)
	}
	f.wire = w
	if err := f.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil); err != nil {
		f.t.Fatal(err)
	}
	err = f.call("webExtension.install", map[string]any{
		"extensionData": map[string]any{"type": "path", "path": extensionDir(f.t)},
	}, nil)
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *firefox) call(method string, params, into any) error {
	ctx, cancel := withTimeout()
	defer cancel()
	return f.wire.call(ctx, "", method, params, into)
}

func (f *firefox) ExtensionPage(path string) string {
	return "moz-extension://" + firefoxUUID + "/" + path
}

func (f *firefox) Close() { f.call("browser.close", nil, nil) } //nolint:errcheck // it may be gone

func (f *firefox) NewTab() (tab, error) {
	var made struct{ Context string }
	err := f.call("browsingContext.create", map[string]any{"type": "tab"}, &made)
	if err != nil {
		return nil, err
	}
	size := map[string]any{"context": made.Context, "viewport": map[string]int{"width": 1280, "height": 800}}
	return &firefoxTab{f, made.Context}, f.call("browsingContext.setViewport", size, nil)
}

type firefoxTab struct {
	f       *firefox
	context string
}

func (p *firefoxTab) Address(url string) error {
	err := p.f.call("browsingContext.navigate", map[string]any{"context": p.context, "url": url, "wait": "complete"}, nil)
	return err
}

func (p *firefoxTab) Back() error {
	return p.f.call("browsingContext.traverseHistory", map[string]any{"context": p.context, "delta": -1}, nil)
}

func (p *firefoxTab) Click(at point) error {
	return p.perform("pointer", "mouse", []map[string]any{
		{"type": "pointerMove", "x": int(at.X), "y": int(at.Y)},
		{"type": "pointerDown", "button": 0},
		{"type": "pointerUp", "button": 0},
	})
}

func (p *firefoxTab) Type(text string) error {
	var actions []map[string]any
	for _, r := range text {
		key := string(r)
		if r == '\n' {
			key = "\uE007"
		}
		actions = append(actions, map[string]any{"type": "keyDown", "value": key}, map[string]any{"type": "keyUp", "value": key})
	}
	return p.perform("key", "keyboard", actions)
}

func (p *firefoxTab) perform(kind, id string, actions []map[string]any) error {
	return p.f.call("input.performActions", map[string]any{
		"context": p.context,
		"actions": []any{map[string]any{"type": kind, "id": id, "actions": actions}},
	}, nil)
}

// remote is a value as BiDi shows it.
type remote struct {
	Type     string
	SharedID string
	Value    json.RawMessage
}

func (p *firefoxTab) eval(script string, into any) error {
	// JSON carries whatever the script gives through BiDi's own encoding.
	got, err := p.evaluate("JSON.stringify("+script+")", nil)
	if err != nil || got.Type != "string" {
		return err
	}
	var text string
	if err := json.Unmarshal(got.Value, &text); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), into)
}

func (p *firefoxTab) evaluate(script string, options map[string]any) (remote, error) {
	var got struct {
		Type             string
		Result           remote
		ExceptionDetails struct{ Text string }
	}
	params := map[string]any{"expression": script, "target": map[string]any{"context": p.context}, "awaitPromise": true}
	if options != nil {
		params["serializationOptions"] = options
	}
	if err := p.f.call("script.evaluate", params, &got); err != nil {
		return remote{}, err
	}
	if got.Type == "exception" {
		return remote{}, fmt.Errorf("%s: %s", script, got.ExceptionDetails.Text)
	}
	return got.Result, nil
}

func (p *firefoxTab) Find(selector string) (point, error) {
	var at *point
	if err := p.eval(middleOf(selector), &at); err != nil {
		return point{}, err
	}
	if at == nil {
		return point{}, fmt.Errorf("no visible %s", selector)
	}
	return *at, nil
}

func (p *firefoxTab) Text(selector string) (string, error) {
	var text *string
	if err := p.eval(textOf(selector), &text); err != nil {
		return "", err
	}
	if text == nil {
		return "", fmt.Errorf("no %s", selector)
	}
	return *text, nil
}

func (p *firefoxTab) URL() (string, error) {
	var url string
	return url, p.eval("location.href", &url)
}

func (p *firefoxTab) Screenshot() ([]byte, error) {
	var got struct{ Data string }
	if err := p.f.call("browsingContext.captureScreenshot", map[string]any{"context": p.context}, &got); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(got.Data)
}

func (p *firefoxTab) Close() error {
	return p.f.call("browsingContext.close", map[string]any{"context": p.context}, nil)
}

// shadowNode is a DOM node as BiDi shows it, closed shadow roots included.
type shadowNode struct {
	Type     string
	SharedID string
	Value    struct {
		Attributes map[string]string
		Children   []shadowNode
		ShadowRoot *shadowNode
	}
}

func (n *shadowNode) find(id string) *shadowNode {
	if n.Value.Attributes["id"] == id {
		return n
	}
	children := n.Value.Children
	if n.Value.ShadowRoot != nil {
		children = append([]shadowNode{*n.Value.ShadowRoot}, children...)
	}
	for i := range children {
		if found := children[i].find(id); found != nil {
			return found
		}
	}
	return nil
}

func (p *firefoxTab) FindInBar(id string) (point, error) {
	got, err := p.evaluate(`document.getElementById("nightjar-bar")`, map[string]any{"maxDomDepth": 20, "includeShadowTree": "all"})
	if err != nil {
		return point{}, err
	}
	if got.Type != "node" {
		return point{}, errors.New("the page has no bar")
	}
	host := shadowNode{SharedID: got.SharedID}
	if err := json.Unmarshal(got.Value, &host.Value); err != nil {
		return point{}, err
	}
	n := host.find(id)
	if n == nil {
		return point{}, fmt.Errorf("the bar has no #%s", id)
	}
	return p.middleOfNode(n.SharedID)
}

// middleOfNode asks where a node is.
func (p *firefoxTab) middleOfNode(sharedID string) (point, error) {
	var got struct{ Result remote }
	err := p.f.call("script.callFunction", map[string]any{
		"functionDeclaration": `e => { const r = e.getBoundingClientRect(); return JSON.stringify({X: r.left + r.width / 2, Y: r.top + r.height / 2, W: r.width}); }`,
		"target":              map[string]any{"context": p.context},
		"arguments":           []any{map[string]any{"sharedId": sharedID}},
		"awaitPromise":        false,
	}, &got)
	if err != nil {
		return point{}, err
	}
	var text string
	var at struct{ X, Y, W float64 }
	if err := json.Unmarshal(got.Result.Value, &text); err != nil {
		return point{}, err
	}
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		return point{}, err
	}
	if at.W == 0 {
		return point{}, errors.New("it is hidden")
	}
	return point{at.X, at.Y}, nil
}
