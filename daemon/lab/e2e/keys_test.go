package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/lab/effort"
)

// TestKeysChromium checks that Chromium binds every suggested key, and what the toolbar button shows when the daemon is gone.
func TestKeysChromium(t *testing.T) {
	t.Parallel()
	keysAndBadge(t, startChromium)
}

// TestKeysFirefox is TestKeysChromium in Firefox.
func TestKeysFirefox(t *testing.T) {
	t.Parallel()
	effort.AtNight(t)
	keysAndBadge(t, startFirefox)
}

func keysAndBadge(t *testing.T, start start) {
	t.Helper()
	web := demoweb.Generate(2)
	addr := serveWeb(t, web)
	j := &job{t: t, web: web, b: start(t, addr), topic: web.Topic}
	d := startMortal(t, addr)
	j.d = d.daemon
	first := &user{t: t, pictures: newPictures("keys")}
	j.reader = first.open(j.b)
	j.connect()
	j.begin()
	j.keysAreBound()

	j.shows("a session is recorded", "●", "is recording")
	d.kill()
	began := time.Now()
	j.shows("the daemon is gone, and nothing waits", "●!", "not connected")
	t.Logf("shown %v after the daemon was killed", time.Since(began).Round(time.Millisecond))
	d.revive()
	j.shows("the daemon is back", "●", "is recording")
	j.popup.front().click("#pause", "")
	j.shows("it is paused", "‖", "Nothing is recorded")
}

// shows waits until the toolbar button has a text and words in its tooltip.
func (j *job) shows(what, text, words string) {
	j.t.Helper()
	j.popup.eventually(what, func() error {
		var shown []string
		err := j.popup.tab.Eval(`(Promise.all([chrome.action.getBadgeText({}), chrome.action.getTitle({})]).then((all) => { globalThis.badge = all; }),
			globalThis.badge ?? [])`, &shown)
		if err == nil && (len(shown) != 2 || shown[0] != text || !strings.Contains(shown[1], words)) {
			err = fmt.Errorf("the button shows %q", shown)
		}
		return err
	})
}

// keysAreBound reads in the popup which keys the browser has given the extension's commands.
func (j *job) keysAreBound() {
	j.t.Helper()
	t, u := j.t, j.popup.front()
	u.click("#keys summary", "")
	u.look("popup-keys")
	suggested := readManifest(t).suggested()
	if len(suggested) != 4 {
		t.Fatalf("%d keys are suggested: %v", len(suggested), suggested)
	}
	for _, key := range suggested {
		u.sees("#keys-list", key)
	}
	if text := u.read("#keys-list"); strings.Count(text, "not set") != 1 || !strings.HasSuffix(text, "not set") {
		t.Errorf("only Submit, the last one, has no key: %q", text)
	}
	var bound []struct{ Name, Shortcut string }
	u.eventually("read what the browser says", func() error {
		err := u.tab.Eval("(chrome.commands.getAll().then((all) => { globalThis.bound = all; }), globalThis.bound ?? null)", &bound)
		if err == nil && bound == nil {
			err = fmt.Errorf("no answer yet")
		}
		return err
	})
	for _, c := range bound {
		if want := suggested[c.Name]; want != "" && c.Shortcut != want {
			t.Errorf("%s is suggested for %s, but %q is bound", want, c.Name, c.Shortcut)
		}
	}
}
