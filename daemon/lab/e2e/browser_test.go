package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// patience is how long a person, or a program under the race detector on a busy machine, waits for one thing.
const patience = time.Minute

// point is a place in a page's viewport, in CSS pixels.
type point struct{ X, Y float64 }

// browser is a running browser with the extension.
type browser interface {
	// NewTab opens an empty tab and brings it to the front.
	NewTab() (tab, error)
	// OpenTab is a tab that the browser or the extension opened by itself, whose URL starts with prefix.
	OpenTab(prefix string) (tab, error)
	// ExtensionPage returns the URL of a page of the extension.
	ExtensionPage(path string) string
}

// tab is one tab of a browser, used as a person uses it: whatever is done, is done by mouse and keyboard. Eval and
// EvalBar only read, as eyes do.
type tab interface {
	// Front brings the tab to the front.
	Front() error
	// Address does what typing a URL into the address bar does, and waits for the page.
	Address(url string) error
	// Back presses the browser's Back button.
	Back() error
	// Move moves the mouse.
	Move(p point) error
	// Click presses the left mouse button a number of times in a row: three times selects the text of a field.
	Click(p point, times int) error
	// Type types text with the keyboard; "\n" is the Enter key.
	Type(text string) error
	// Choose chooses a file in the field that a selector matches, as the browser's dialog does.
	Choose(selector, file string) error
	// Eval reads the value of a JavaScript expression.
	Eval(expression string, into any) error
	// EvalBar reads what a JavaScript function gives for the root of the extension's bar, which is closed to the page.
	EvalBar(function string, into any) error
	// Screenshot returns a PNG of the viewport.
	Screenshot() ([]byte, error)
	// View sets the size of the viewport and the preferred colours, "light" or "dark".
	View(width, height int, colours string) error
	// Settled is an error while the page has another size than View set: a browser may apply it late to a new page, and
	// what was found before then is elsewhere afterwards.
	Settled() error
}

// errNoBar is what EvalBar answers on a page without a bar.
var errNoBar = errors.New("the page has no bar")

// start is a way to start a browser: an empty profile, the extension, hosts under .test at webAddr.
type start func(t *testing.T, webAddr string) browser

// needBrowser returns the path of the first program found. Without one the test is left out, or fails when CI is set.
func needBrowser(t *testing.T, names ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("left out by -short")
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	message := fmt.Sprintf("!!! no browser found (%v): its end-to-end test is left out", names)
	if os.Getenv("CI") != "" {
		t.Fatal(message)
	}
	fmt.Fprintln(os.Stderr, message)
	t.Skip(message)
	return ""
}

// target says what to look for on a page: what it is, and what is written on it or where it leads.
type target struct {
	Selector string `json:"selector"`
	Text     string `json:"text,omitempty"` // the visible text, or its beginning
	Href     string `json:"href,omitempty"` // the absolute address of a link
}

func (t target) String() string {
	text, _ := json.Marshal(t) // strings always marshal
	return string(text)
}

// find looks in root and in the frames of the same site for the first visible target, brings it into view, and gives its
// middle; or says why there is none that a mouse could hit.
const find = `((root, target) => {
	let why = "not on the page";
	const search = (root, x, y) => {
		for (const e of root.querySelectorAll(target.selector)) {
			const text = (e.innerText ?? e.textContent).trim();
			if (target.text && !text.startsWith(target.text)) continue;
			if (target.href && e.href !== target.href) continue;
			why = "hidden";
			e.scrollIntoView({block: "center", behavior: "instant"});
			const r = [...e.getClientRects()].find((r) => r.width > 0 && r.height > 0);
			if (!r || getComputedStyle(e).visibility !== "visible") continue;
			const at = {X: r.left + r.width / 2, Y: r.top + r.height / 2};
			const hit = root.elementFromPoint(at.X, at.Y);
			why = e.disabled ? "disabled" : "behind " + (hit?.outerHTML ?? "nothing").slice(0, 100);
			if (e.disabled || !hit || !(e.contains(hit) || hit.contains(e))) continue;
			window.pressed = false;
			(e.contains(hit) ? e : hit).addEventListener("pointerdown", () => (window.pressed = true), {once: true, capture: true});
			return {X: at.X + x, Y: at.Y + y, Why: ""};
		}
		for (const f of root.querySelectorAll("frame, iframe")) {
			const r = f.getBoundingClientRect();
			const found = f.contentDocument && search(f.contentDocument, x + r.left + f.clientLeft, y + r.top + f.clientTop);
			if (found) return found;
		}
		return null;
	};
	if (document.readyState !== "complete") return {X: 0, Y: 0, Why: "on a page that is still loading"};
	return search(root, 0, 0) ?? {X: 0, Y: 0, Why: why};
})`

// locate tells where a target is on the tab's page, or in the extension's bar.
func locate(t tab, what target, inBar bool) (point, error) {
	var found struct {
		point
		Why string
	}
	var err error
	if inBar {
		err = t.EvalBar("(root) => "+find+"(root, "+what.String()+")", &found)
	} else {
		err = t.Eval(find+"(document, "+what.String()+")", &found)
	}
	if err == nil && found.Why != "" {
		err = fmt.Errorf("%s: %s", what, found.Why)
	}
	return found.point, err
}

// pressed is false when a click did not hit what was located last: it moved in between.
const pressed = `window.pressed !== false`

// texts is what is written in the elements that a selector matches, each once it is visible.
const texts = `((root, selector) => [...root.querySelectorAll(selector)].filter((e) => e.getClientRects().length > 0)
	.map((e) => (e.innerText ?? e.textContent).trim()).join("\n"))`

// extensionDir is the folder that a browser loads.
func extensionDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../extension/src")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// manifest is what the tests need of the extension's manifest.
type manifest struct {
	Key           []byte   `json:"key"` // the public key's DER
	Optional      []string `json:"optional_permissions"`
	OptionalHosts []string `json:"optional_host_permissions"`
	Browser       struct {
		Gecko struct {
			ID string `json:"id"`
		} `json:"gecko"`
	} `json:"browser_specific_settings"`
	Commands map[string]struct {
		Key struct {
			Default string `json:"default"`
		} `json:"suggested_key"`
	} `json:"commands"`
}

// suggested returns the suggested keys by command.
func (m manifest) suggested() map[string]string {
	keys := map[string]string{}
	for name, c := range m.Commands {
		if c.Key.Default != "" {
			keys[name] = c.Key.Default
		}
	}
	return keys
}

func readManifest(t *testing.T) manifest {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(extensionDir(t), "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatalf("read the extension's manifest: %v", err)
	}
	return m
}

// startProcess starts a program and kills it, and whatever it left, at the end of the test.
func startProcess(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		killGroup(cmd)
		_ = cmd.Wait() // it was killed
	})
}

// profileDir is an empty folder for a browser's profile.
func profileDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "nightjar-profile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := removeProfile(dir); err != nil {
			t.Logf("remove the profile: %v", err)
		}
	})
	return dir
}

// removeProfile tries again and again: browsers go on writing for a moment after they were killed.
func removeProfile(dir string) error {
	return poll(5*time.Second, func() error { return os.RemoveAll(dir) })
}

// poll tries until try succeeds or the time is over, and returns the last error. It tries less and less often: most tries have the browser
// lay out its page.
func poll(limit time.Duration, try func() error) error {
	pause := 20 * time.Millisecond
	for deadline := time.Now().Add(limit); ; pause = min(pause*5/4, 100*time.Millisecond) {
		err := try()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}

// loaded waits until all of a tab's page has come.
func loaded(t tab) error {
	return poll(patience, func() error {
		var state string
		err := t.Eval("document.readyState", &state)
		if err == nil && state != "complete" {
			err = fmt.Errorf("the page is %s", state)
		}
		return err
	})
}

// quote writes a string as JavaScript.
func quote(s string) string {
	text, _ := json.Marshal(s) // strings always marshal
	return string(text)
}
