package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// chromium is a running Chromium, driven by the DevTools protocol.
type chromium struct {
	wire    *wire
	id      string // of the extension
	context string // of its tabs: a window with cookies of its own, "" for the browser's
}

// startChromium starts a Chromium; see start. It allows what the extension asks for.
func startChromium(t *testing.T, webAddr string) browser {
	t.Helper()
	profile := profileDir(t)
	allowPages(t, profile, extensionDir(t))
	return startChromiumWith(t, profile, webAddr, noBars...)
}

// startUnaskedChromium starts a Chromium in which nobody has answered the extension's question for access. A headless one
// shows no question, so it is never answered.
func startUnaskedChromium(t *testing.T, webAddr string) browser {
	t.Helper()
	return startChromiumWith(t, profileDir(t), webAddr)
}

// allowPages writes into an empty profile what Chromium writes when a person allows what the extension asks for, and later
// takes it back: it does not ask again then. dir is the extension's folder.
func allowPages(t *testing.T, profile, dir string) {
	t.Helper()
	m := readManifest(t)
	granted := map[string]any{"api": m.Optional, "explicit_host": m.OptionalHosts, "manifest_permissions": []string{}, "scriptable_host": m.OptionalHosts}
	const unpacked = 8 // the place of an extension given on the command line
	extension := map[string]any{"location": unpacked, "path": dir, "runtime_granted_permissions": granted}
	text, err := json.Marshal(map[string]any{"extensions": map[string]any{"settings": map[string]any{chromiumID(m.Key): extension}}})
	if err == nil {
		err = os.Mkdir(filepath.Join(profile, "Default"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(profile, "Default", "Preferences"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func startChromiumWith(t *testing.T, profile, webAddr string, more ...string) browser {
	t.Helper()
	c, _ := runChromium(t, profile, extensionDir(t), webAddr, more...)
	return c
}

// runChromium starts a Chromium on a profile, with the extension in a folder.
func runChromium(t *testing.T, profile, dir, webAddr string, more ...string) (*chromium, *exec.Cmd) {
	t.Helper()
	cmd := chromiumCommand(needChromium(t), profile, append(more, "--load-extension="+dir, "--disable-extensions-except="+dir, "--host-resolver-rules=MAP *.test "+webAddr)...)
	startProcess(t, cmd)
	w, err := dialChromium(profile)
	if err != nil {
		t.Fatal(err)
	}
	return &chromium{wire: w, id: chromiumID(readManifest(t).Key)}, cmd
}

func needChromium(t *testing.T) string {
	t.Helper()
	return needBrowser(t, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
}

// noBars leaves out the bars of windows. Drawing them takes a tenth of the processor time.
var noBars = []string{"--kiosk", "--screen-info={1280x900}"}

// suggestions are those below the address bar: two pages in each window, which take a third of the processor time of a start.
const suggestions = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"

// chromiumCommand is a Chromium with an empty profile.
func chromiumCommand(path, profile string, more ...string) *exec.Cmd {
	args := []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + profile,
		"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--window-size=1280,900",
		"--force-prefers-reduced-motion", // what glides cannot be hit
		"--disable-features=DisableLoadExtensionCommandLineSwitch," + suggestions}
	cmd := exec.Command(path, append(append(args, more...), "about:blank")...)
	cmd.Env = append(os.Environ(), "HOME="+profile)
	return cmd
}

// dialChromium waits until a Chromium has opened its port, and connects to it.
func dialChromium(profile string) (*wire, error) {
	var at string
	err := poll(patience, func() error {
		text, err := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		port, endpoint, whole := strings.Cut(strings.TrimSpace(string(text)), "\n")
		if err == nil && !whole {
			err = errors.New("the file is not whole yet")
		}
		at = "ws://127.0.0.1:" + port + endpoint
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("chromium did not open its port: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return dialWire(ctx, at)
}

// chromiumID is the id that Chromium derives from an extension's public key: the first 16 bytes of its SHA-256, with the
// letters a to p for hexadecimal digits.
func chromiumID(key []byte) string {
	hash := sha256.Sum256(key)
	id := make([]byte, 0, 32)
	for _, b := range hash[:16] {
		id = append(id, 'a'+b>>4, 'a'+b&15)
	}
	return string(id)
}

func (c *chromium) ExtensionPage(path string) string {
	return "chrome-extension://" + c.id + "/" + path
}

func (c *chromium) call(session, method string, params, into any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.wire.call(ctx, session, method, params, into)
}

func (c *chromium) NewTab() (tab, error) {
	var made struct{ TargetID string }
	params := map[string]any{"url": "about:blank"}
	if c.context != "" {
		params["browserContextId"] = c.context
	}
	if err := c.call("", "Target.createTarget", params, &made); err != nil {
		return nil, err
	}
	return c.attach(made.TargetID)
}

func (c *chromium) OpenTab(prefix string) (tab, error) {
	var all struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	if err := c.call("", "Target.getTargets", nil, &all); err != nil {
		return nil, err
	}
	for _, info := range all.TargetInfos {
		if info.Type == "page" && strings.HasPrefix(info.URL, prefix) {
			return c.attach(info.TargetID)
		}
	}
	return nil, fmt.Errorf("no tab shows %s", prefix)
}

// attach takes hold of a tab.
func (c *chromium) attach(id string) (tab, error) {
	var attached struct{ SessionID string }
	err := c.call("", "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &attached)
	if err != nil {
		return nil, err
	}
	p := &chromiumTab{browser: c, session: attached.SessionID, id: id}
	return p, errors.Join(p.call("Page.enable", nil, nil), p.Front())
}

// chromiumKey is a key press as the DevTools protocol takes it.
func chromiumKey(r rune) map[string]any {
	if r == '\n' {
		return map[string]any{"key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13}
	}
	return map[string]any{"key": string(r), "text": string(r)}
}
