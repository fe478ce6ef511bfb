package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// point is a place in a page's viewport, in CSS pixels.
type point struct{ X, Y float64 }

// tab is one tab of a real browser, used as a person uses it. Reading where something is stands for the eyes; all
// doing is by mouse and keyboard.
type tab interface {
	// Address types a URL into the address bar and waits for the page.
	Address(url string) error
	// Back presses the browser's Back button.
	Back() error
	// Click presses the left mouse button.
	Click(p point) error
	// Type types text with the keyboard.
	Type(text string) error
	// Find returns the middle of the first visible element that the CSS selector matches.
	Find(selector string) (point, error)
	// FindInBar returns the middle of a visible element in the extension's bar, by id.
	FindInBar(id string) (point, error)
	// Text returns the visible text of the first element that the selector matches.
	Text(selector string) (string, error)
	// URL returns the address of the page.
	URL() (string, error)
	// Screenshot returns a PNG of the viewport.
	Screenshot() ([]byte, error)
	// Close closes the tab.
	Close() error
}

// browser is a running browser with the extension.
type browser interface {
	// NewTab opens an empty tab.
	NewTab() (tab, error)
	// ExtensionPage returns the URL of a page of the extension.
	ExtensionPage(path string) string
	Close()
}

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

// extensionDir is the folder that a browser loads.
func extensionDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../extension/src")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// user does things in a tab and fails the test when they cannot be done.
type user struct {
	t    *testing.T
	tab  tab
	name string // of screenshots
	n    int
}

func (u *user) must(err error, doing string) {
	u.t.Helper()
	if err == nil {
		return
	}
	u.look("failed")
	at, _ := u.tab.URL()
	text, _ := u.tab.Text("body")
	u.t.Fatalf("%s at %s: %v\npage says: %.2000s", doing, at, err, text)
}

// patience is how long a person waits for a page to answer.
const patience = 20 * time.Second

// eventually tries until f succeeds.
func (u *user) eventually(doing string, f func() error) {
	u.t.Helper()
	deadline := time.Now().Add(patience)
	var err error
	for time.Now().Before(deadline) {
		if err = f(); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	u.must(err, doing)
}

func (u *user) goTo(url string) {
	u.t.Helper()
	u.must(u.tab.Address(url), "go to "+url)
}

func (u *user) click(selector string) {
	u.t.Helper()
	u.eventually("click "+selector, func() error {
		p, err := u.tab.Find(selector)
		if err != nil {
			return err
		}
		return u.tab.Click(p)
	})
}

func (u *user) clickBar(id string) {
	u.t.Helper()
	u.eventually("click "+id+" in the bar", func() error {
		p, err := u.tab.FindInBar(id)
		if err != nil {
			return err
		}
		return u.tab.Click(p)
	})
}

func (u *user) write(selector, text string) {
	u.t.Helper()
	u.click(selector)
	u.must(u.tab.Type(text), "type into "+selector)
}

// sees waits until the text of the selector's element satisfies ok.
func (u *user) sees(selector, what string, ok func(text string) bool) string {
	u.t.Helper()
	var text string
	u.eventually("see "+what, func() error {
		var err error
		if text, err = u.tab.Text(selector); err != nil {
			return err
		}
		if !ok(text) {
			return fmt.Errorf("%s says %q", selector, text)
		}
		return nil
	})
	return text
}

// arrives waits until the tab shows the URL.
func (u *user) arrives(url string) {
	u.t.Helper()
	u.eventually("arrive at "+url, func() error {
		at, err := u.tab.URL()
		if err == nil && at != url {
			err = fmt.Errorf("at %s", at)
		}
		return err
	})
}

// look saves a screenshot where $NIGHTJAR_SCREENSHOTS says, or in the test's own folder.
func (u *user) look(what string) {
	u.t.Helper()
	dir := os.Getenv("NIGHTJAR_SCREENSHOTS")
	if dir == "" {
		dir = u.t.TempDir()
	}
	png, err := u.tab.Screenshot()
	if err != nil {
		u.t.Logf("screenshot %s: %v", what, err)
		return
	}
	u.n++
	name := filepath.Join(dir, fmt.Sprintf("%s-%02d-%s.png", u.name, u.n, what))
	if err := os.WriteFile(name, png, 0o600); err != nil {
		u.t.Fatal(err)
	}
}

// withTimeout bounds one command to the browser.
func withTimeout() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 30*time.Second)
}
