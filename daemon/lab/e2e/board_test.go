package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// boards is the one Chromium of all tests that look at the dashboard alone: it has no extension and is started once.
var boards sharedChromium

type sharedChromium struct {
	once    sync.Once
	wire    *wire
	err     error
	cmd     *exec.Cmd // nil when none was started
	profile string
}

// startBoard opens the dashboard's Chromium for a test, with cookies of its own. Its tabs close at the end of the test.
func startBoard(t *testing.T) browser {
	t.Helper()
	path := needChromium(t)
	boards.once.Do(func() { boards.err = boards.start(path) })
	if boards.err != nil {
		t.Fatal(boards.err)
	}
	c := &chromium{wire: boards.wire}
	var made struct{ BrowserContextID string }
	if err := c.call("", "Target.createBrowserContext", nil, &made); err != nil {
		t.Fatal(err)
	}
	c.context = made.BrowserContextID
	t.Cleanup(func() {
		if err := c.call("", "Target.disposeBrowserContext", map[string]any{"browserContextId": c.context}, nil); err != nil {
			t.Errorf("close the tabs: %v", err)
		}
	})
	return c
}

func (s *sharedChromium) start(path string) (err error) {
	if s.profile, err = os.MkdirTemp("", "nightjar-profile-"); err != nil {
		return err
	}
	cmd := chromiumCommand(path, s.profile)
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd = cmd
	s.wire, err = dialChromium(s.profile)
	return err
}

// end kills the browser, if it was started, and removes its profile.
func (s *sharedChromium) end() {
	if s.cmd != nil {
		killGroup(s.cmd)
		_ = s.cmd.Wait() // it was killed
	}
	if s.profile == "" {
		return
	}
	if err := removeProfile(s.profile); err != nil {
		fmt.Fprintf(os.Stderr, "remove the profile: %v\n", err)
	}
}
