package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/lab/demoweb"
)

// restorable is a browser that opens its tabs again after it was killed.
type restorable interface {
	browser
	saved(url string) error // an error until the browser has noted on disk that a tab shows a URL
	again(t *testing.T)     // ends the browser with SIGKILL and starts it on the same profile with the tabs that it had
}

// TestRestart kills the browser in a session and starts it again: the session goes on, and its tabs with it.
func TestRestart(t *testing.T) {
	t.Run("chromium", func(t *testing.T) {
		restart(t, func(t *testing.T, addr string) restorable {
			return &restorableChromium{startKillableChromium(t, addr).(*killableChromium)}
		})
	})
	t.Run("firefox", func(t *testing.T) {
		restart(t, func(t *testing.T, addr string) restorable {
			return &restorableFirefox{killableFirefox: startKillableFirefox(t, addr).(*killableFirefox)}
		})
	})
}

func restart(t *testing.T, start func(t *testing.T, webAddr string) restorable) {
	t.Helper()
	web := demoweb.Generate(2)
	addr := serveWeb(t, web)
	b := start(t, addr)
	j := &job{t: t, web: web, b: b, topic: web.Topic}
	j.d = startDaemon(t, addr)
	first := &user{t: t, pictures: newPictures("restart")}
	j.reader = first.open(b)
	j.connect()
	j.begin()
	pages := j.addresses(3)
	j.reader.front().address(pages[1])
	j.visited(pages[1], 1)
	j.mark()
	visits := j.loads()
	j.reader.must(poll(patience, func() error { return b.saved(pages[1]) }), "wait until the browser has noted its tabs")

	b.again(t)
	j.reader = j.tab(pages[1])
	j.reader.front().address(pages[2])
	j.visited(pages[2], 1)
	j.reader.seesBar("3 pages")
	j.popup = j.reader.open(b)
	j.popup.address(b.ExtensionPage("popup/popup.html"))
	j.popup.sees("#session-facts", "Recording: 3 pages, 1 useful.")
	j.popup.look("popup-restarted")
	j.d.holds("it is one session", "1", "SELECT count(*) FROM sessions WHERE status = 'recording'")
	if more := j.loads() - visits; more != 1 && more != 2 {
		t.Errorf("%d more visits, want the new page and at most one reload of the tab that was opened again", more)
	}
	how := j.d.text("SELECT group_concat(v.how) FROM visits v JOIN pages p ON p.id = v.page_id WHERE p.url = ?", pages[1])
	if _, again, _ := strings.Cut(how, ","); again != "" && again != "reload" && again != "other" {
		t.Errorf("the tab that was opened again came by %q", how)
	}
}

type restorableChromium struct{ *killableChromium }

// saved looks into the file with the open tabs, which has addresses as they are.
func (c *restorableChromium) saved(url string) error {
	files, err := filepath.Glob(filepath.Join(c.profile, "Default", "Sessions", "Session_*"))
	for _, name := range files {
		text, rerr := os.ReadFile(name)
		if err = rerr; err == nil && bytes.Contains(text, []byte(url)) {
			return nil
		}
	}
	return errors.Join(err, fmt.Errorf("%d files do not have %s", len(files), url))
}

func (c *restorableChromium) again(t *testing.T) {
	t.Helper()
	killGroup(c.cmd)
	_ = c.cmd.Wait() // it was killed
	if err := os.Remove(filepath.Join(c.profile, "DevToolsActivePort")); err != nil {
		t.Fatal(err)
	}
	// After a crash Chromium asks whether to open the tabs again. Without a window nobody can answer; after an end that it takes
	// for a normal one it opens them.
	name := filepath.Join(c.profile, "Default", "Preferences")
	text, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, bytes.Replace(text, []byte(`"exit_type":"Crashed"`), []byte(`"exit_type":"Normal"`), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.chromium, c.cmd = runChromium(t, c.profile, c.extension.dir, c.webAddr, "--restore-last-session")
}

type restorableFirefox struct {
	*killableFirefox
	asked time.Time // when it was first asked whether it has noted its tabs
}

// saved looks at the time of the file with the open tabs, which is compressed.
func (f *restorableFirefox) saved(string) error {
	if f.asked.IsZero() {
		f.asked = time.Now()
	}
	info, err := os.Stat(filepath.Join(f.profile, "sessionstore-backups", "recovery.jsonlz4"))
	if err == nil && !info.ModTime().After(f.asked) {
		err = errors.New("the file is old")
	}
	return err
}

func (f *restorableFirefox) again(t *testing.T) {
	t.Helper()
	prefs, err := os.OpenFile(filepath.Join(f.profile, "user.js"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil { // a browser that is driven does not open its tabs again otherwise
		_, err = prefs.WriteString("user_pref(\"remote.prefs.recommended\", false);\nuser_pref(\"browser.startup.page\", 3);\n")
		err = errors.Join(err, prefs.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	f.restart(t)
}
