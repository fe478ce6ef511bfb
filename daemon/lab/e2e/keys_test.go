package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestKeysChromium checks that Chromium binds every suggested key.
func TestKeysChromium(t *testing.T) { keysAreBound(t, startChromium) }

// TestKeysFirefox checks that Firefox binds every suggested key.
func TestKeysFirefox(t *testing.T) { keysAreBound(t, startFirefox) }

// keysAreBound reads in the popup which keys the browser has given the extension's commands.
func keysAreBound(t *testing.T, start start) {
	t.Helper()
	u := (&user{t: t, pictures: newPictures("keys")})
	b := start(t, "127.0.0.1:9") // nothing is asked of the web
	u = u.open(b)
	u.address(b.ExtensionPage("popup/popup.html"))
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
