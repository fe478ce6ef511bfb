package e2e

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// extensionCopy is a copy of the extension's folder, of which there can be higher versions.
type extensionCopy struct {
	dir   string
	minor int
}

func copyExtension(t *testing.T) *extensionCopy {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "extension")
	if err := os.CopyFS(dir, os.DirFS(extensionDir(t))); err != nil {
		t.Fatal(err)
	}
	return &extensionCopy{dir: dir}
}

// raise makes it the next version.
func (e *extensionCopy) raise() error {
	name := filepath.Join(e.dir, "manifest.json")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	e.minor++
	version := regexp.MustCompile(`"version": "[^"]*"`)
	return os.WriteFile(name, version.ReplaceAll(text, fmt.Appendf(nil, `"version": "77.%d"`, e.minor)), 0o600)
}

// pack writes it as an archive and returns its path.
func (e *extensionCopy) pack() (path string, err error) {
	path = fmt.Sprintf("%s-%d.xpi", e.dir, e.minor)
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	archive := zip.NewWriter(file)
	err = archive.AddFS(os.DirFS(e.dir))
	return path, errors.Join(err, archive.Close(), file.Close())
}

// ask runs a script in a tab, waits for its promise and reads its value.
func ask(t tab, script string, into any) error {
	switch t := t.(type) {
	case *chromiumTab:
		return t.Run(script, into)
	case *firefoxTab:
		return t.browser.ask(t.context, script, into)
	}
	return fmt.Errorf("a tab of an unknown browser: %T", t)
}

// ask runs a script in a browsing context; see ask.
func (f *firefox) ask(context, script string, into any) error {
	var got answer
	err := f.call("script.evaluate", map[string]any{
		"expression":   "Promise.resolve(" + script + ").then((value) => JSON.stringify(value ?? null))",
		"awaitPromise": true, "target": map[string]any{"context": context},
	}, &got)
	if err != nil {
		return err
	}
	return got.into(into)
}

// killableChromium is a Chromium with a copy of the extension.
type killableChromium struct {
	*chromium
	cmd                   *exec.Cmd
	profile, webAddr      string
	extension             *extensionCopy
	workers, extensionsUI tab       // the driver's tabs; nil before they are needed
	changed               time.Time // when the extension was installed or updated
}

func startKillableChromium(t *testing.T, webAddr string) killable {
	t.Helper()
	c := &killableChromium{profile: profileDir(t), webAddr: webAddr, extension: copyExtension(t)}
	allowPages(t, c.profile, c.extension.dir)
	c.chromium, c.cmd = runChromium(t, c.profile, c.extension.dir, webAddr)
	c.changed = time.Now()
	return c
}

func (c *killableChromium) killWorker() (err error) {
	if c.workers == nil {
		if c.workers, err = c.backgroundTab("about:blank"); err != nil {
			return err
		}
		if err = c.workers.(*chromiumTab).call("ServiceWorker.enable", nil, nil); err != nil {
			return err
		}
	}
	return c.workers.(*chromiumTab).call("ServiceWorker.stopAllWorkers", nil, nil)
}

// backgroundTab opens a tab behind the others.
func (c *killableChromium) backgroundTab(url string) (tab, error) {
	var made, attached struct{ TargetID, SessionID string }
	if err := c.call("", "Target.createTarget", map[string]any{"url": url, "background": true}, &made); err != nil {
		return nil, err
	}
	err := c.call("", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	return &chromiumTab{browser: c.chromium, session: attached.SessionID, id: made.TargetID}, err
}

func (c *killableChromium) reload() (err error) {
	if c.extensionsUI == nil {
		if c.extensionsUI, err = c.backgroundTab("chrome://extensions/"); err != nil {
			return err
		}
	}
	return poll(patience, func() error { // the page may still be loading
		return ask(c.extensionsUI, `chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true}).then(() =>
			chrome.developerPrivate.reload("`+c.id+`", {failQuietly: true})).then(() => "")`, new(string))
	})
}

func (c *killableChromium) update() error {
	c.changed = time.Now()
	return errors.Join(c.extension.raise(), c.reload())
}

// flushed is longer than Chromium keeps a change of its profile in memory. A Chromium that is killed sooner after an update of the
// extension forgets that the person allowed it to read pages.
const flushed = 12 * time.Second

func (c *killableChromium) restart(t *testing.T) {
	t.Helper()
	time.Sleep(time.Until(c.changed.Add(flushed)))
	killGroup(c.cmd)
	_ = c.cmd.Wait() // it was killed
	if err := os.Remove(filepath.Join(c.profile, "DevToolsActivePort")); err != nil {
		t.Fatal(err)
	}
	c.workers, c.extensionsUI = nil, nil
	c.chromium, c.cmd = runChromium(t, c.profile, c.extension.dir, c.webAddr)
}

// eye opens a file of the extension behind the other tabs: it is no page of the extension, so nothing keeps the background
// alive for it, but it can ask the background.
func (c *killableChromium) eye() (tab, error) {
	return c.backgroundTab(c.ExtensionPage("shared/ui.css"))
}

// killableFirefox is a Firefox with a copy of the extension, installed as a person's.
type killableFirefox struct {
	*firefox
	cmd       *exec.Cmd
	profile   string
	extension *extensionCopy
}

func startKillableFirefox(t *testing.T, webAddr string) killable {
	t.Helper()
	f := &killableFirefox{profile: profileDir(t), extension: copyExtension(t)}
	writeProfile(t, f.profile, webAddr)
	prefs, err := os.OpenFile(filepath.Join(f.profile, "user.js"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = prefs.WriteString("user_pref(\"xpinstall.signatures.required\", false);\n")
		err = errors.Join(err, prefs.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	f.firefox, f.cmd = runFirefoxOn(t, f.profile)
	if err := f.installCopy(); err != nil {
		t.Fatal(err)
	}
	return f
}

// installCopy installs the present version for good.
func (f *killableFirefox) installCopy() error {
	path, err := f.extension.pack()
	if err != nil {
		return err
	}
	return f.call("webExtension.install", map[string]any{
		"extensionData": map[string]any{"type": "archivePath", "path": path}, "moz:permanent": true,
	}, nil)
}

// chrome runs a script with the browser's own rights.
func (f *killableFirefox) chrome(script string) error {
	var tree struct{ Contexts []struct{ Context string } }
	if err := f.call("browsingContext.getTree", map[string]any{"moz:scope": "chrome", "maxDepth": 0}, &tree); err != nil {
		return err
	}
	return f.ask(tree.Contexts[0].Context, script, new(any))
}

const geckoID = `"nightjar@nightjar.local"`

func (f *killableFirefox) killWorker() error {
	return f.chrome(`WebExtensionPolicy.getByID(` + geckoID + `).extension.terminateBackground()`)
}

func (f *killableFirefox) reload() error {
	return f.chrome(`AddonManager.getAddonByID(` + geckoID + `).then((addon) => addon.reload())`)
}

func (f *killableFirefox) update() error { return errors.Join(f.extension.raise(), f.installCopy()) }

func (f *killableFirefox) restart(t *testing.T) {
	t.Helper()
	killGroup(f.cmd)
	_ = f.cmd.Wait() // it was killed
	f.firefox, f.cmd = runFirefoxOn(t, f.profile)
}

func (f *killableFirefox) eye() (tab, error) {
	var made struct{ Context string }
	err := f.call("browsingContext.create", map[string]any{"type": "tab", "background": true}, &made)
	if err != nil {
		return nil, err
	}
	p := &firefoxTab{browser: f.firefox, context: made.Context}
	return p, p.Address(f.ExtensionPage("shared/ui.css"))
}

// sentEvent is what the extension tells of one of its last events.
type sentEvent struct {
	Event struct {
		Type, Page, URL string
		Seq             int64
	}
	State string
}

// sent reads the last events of the extension from its database: they wait, or the daemon has them.
func (k *killer) sent() (events []sentEvent, err error) {
	if k.eye == nil {
		if k.eye, err = k.b.eye(); err != nil {
			return nil, err
		}
	}
	var answer *struct {
		OK    bool
		Error string
		Value struct{ Events []sentEvent }
	}
	err = ask(k.eye, `chrome.runtime.sendMessage({name: "sent.list", params: {}})`, &answer)
	if err == nil && (answer == nil || !answer.OK) {
		err = fmt.Errorf("no answer: %v", answer)
	}
	if err != nil {
		if gone := k.eye.Address(k.b.ExtensionPage("shared/ui.css")); gone != nil {
			k.eye = nil // the extension was reloaded, which closes its tabs
			err = fmt.Errorf("%w; its file: %w", err, gone)
		}
		return nil, err
	}
	return answer.Value.Events, nil
}
