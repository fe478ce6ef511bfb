package e2e

import (
	"bufio"
	"context"
	"encoding/json"
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

// firefox is a running Firefox, driven by WebDriver BiDi.
type firefox struct{ wire *wire }

// startFirefox starts a Firefox; see start. The web serves as its proxy.
func startFirefox(t *testing.T, webAddr string) browser {
	t.Helper()
	f := runFirefox(t, webAddr)
	f.install(t)
	return f
}

// runFirefox starts a Firefox without the extension.
func runFirefox(t *testing.T, webAddr string) *firefox {
	t.Helper()
	profile := profileDir(t)
	writeProfile(t, profile, webAddr)
	f, _ := runFirefoxOn(t, profile)
	return f
}

// runFirefoxOn starts a Firefox on a profile.
func runFirefoxOn(t *testing.T, profile string) (*firefox, *exec.Cmd) {
	t.Helper()
	path := needBrowser(t, "firefox-esr", "firefox")
	cmd := exec.Command(path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0",
		"--remote-allow-system-access") // without it no tab may be sent to a page of the extension
	cmd.Env = append(os.Environ(), "HOME="+profile)
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
	select {
	case at := <-url:
		return connectFirefox(t, at), cmd
	case <-time.After(2 * patience):
		t.Fatal("firefox did not open its port")
	}
	return nil, nil
}

// writeProfile writes the preferences of an empty profile.
func writeProfile(t *testing.T, profile, webAddr string) {
	t.Helper()
	host, port, _ := strings.Cut(webAddr, ":")
	uuids, err := json.Marshal(map[string]string{readManifest(t).Browser.Gecko.ID: firefoxUUID})
	if err != nil {
		t.Fatal(err)
	}
	prefs := map[string]any{
		"ui.prefersReducedMotion":                    1, // what glides cannot be hit
		"extensions.webextensions.uuids":             string(uuids),
		"extensions.webextOptionalPermissionPrompts": false, // the person allows what the extension asks for
		"network.proxy.type":                         1,
		"network.proxy.http":                         host,
		"network.proxy.http_port":                    json.Number(port),
		"network.proxy.no_proxies_on":                "localhost, 127.0.0.1, .localhost",
		"browser.shell.checkDefaultBrowser":          false,
		"browser.aboutwelcome.enabled":               false,
		"browser.startup.page":                       0, // this and the next three: a third of the processor time of a start
		"browser.newtab.preload":                     false,
		"dom.ipc.processPrelaunch.enabled":           false,
		"services.settings.server":                   "data:,",
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

// connectFirefox begins a session.
func connectFirefox(t *testing.T, url string) *firefox {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w, err := dialWire(ctx, url+"/session")
	if err != nil {
		t.Fatal(err)
	}
	f := &firefox{wire: w}
	if err := f.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil); err != nil {
		t.Fatal(err)
	}
	return f
}

// install installs the extension.
func (f *firefox) install(t *testing.T) {
	t.Helper()
	err := f.call("webExtension.install", map[string]any{
		"extensionData": map[string]any{"type": "path", "path": extensionDir(t)},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
}

func (f *firefox) call(method string, params, into any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return f.wire.call(ctx, "", method, params, into)
}

func (f *firefox) ExtensionPage(path string) string {
	return "moz-extension://" + firefoxUUID + "/" + path
}

func (f *firefox) NewTab() (tab, error) {
	var made struct{ Context string }
	if err := f.call("browsingContext.create", map[string]any{"type": "tab"}, &made); err != nil {
		return nil, err
	}
	p := &firefoxTab{browser: f, context: made.Context}
	return p, p.View(1280, 800, "")
}

func (f *firefox) OpenTab(prefix string) (tab, error) {
	var tree struct {
		Contexts []struct{ Context, URL string }
	}
	if err := f.call("browsingContext.getTree", map[string]any{"maxDepth": 0}, &tree); err != nil {
		return nil, err
	}
	for _, c := range tree.Contexts {
		if strings.HasPrefix(c.URL, prefix) {
			p := &firefoxTab{browser: f, context: c.Context}
			return p, p.Front()
		}
	}
	return nil, fmt.Errorf("no tab shows %s", prefix)
}
