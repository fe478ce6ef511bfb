package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// boards are the Chromiums of tests that look at the dashboard alone: they have no extension. A test has one for itself, since
// only one tab of a browser is in front, and leaves it to the next test.
var boards boardPool

type boardPool struct {
	mu   sync.Mutex
	all  []*board
	free []*board
}

// board is a Chromium that tests have in turn.
type board struct {
	wire    *wire
	cmd     *exec.Cmd // nil when none was started
	profile string
}

// startBoard opens a Chromium for the dashboard, with cookies of its own. Its tabs close at the end of the test.
func startBoard(t *testing.T) browser {
	t.Helper()
	b, err := boards.take(needChromium(t))
	if err != nil {
		t.Fatal(err)
	}
	c := &chromium{wire: b.wire}
	var made struct{ BrowserContextID string }
	if err := c.call("", "Target.createBrowserContext", nil, &made); err != nil {
		t.Fatal(err)
	}
	c.context = made.BrowserContextID
	t.Cleanup(func() {
		if err := c.call("", "Target.disposeBrowserContext", map[string]any{"browserContextId": c.context}, nil); err != nil {
			t.Errorf("close the tabs: %v", err)
			return
		}
		boards.give(b)
	})
	return c
}

// take gives a browser that no test has, and starts one when there is none.
func (p *boardPool) take(path string) (*board, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.free) - 1; last >= 0 {
		b := p.free[last]
		p.free = p.free[:last]
		return b, nil
	}
	b := &board{}
	p.all = append(p.all, b)
	return b, b.start(path)
}

func (p *boardPool) give(b *board) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b)
}

// end ends all of them.
func (p *boardPool) end() {
	for _, b := range p.all {
		b.end()
	}
}

func (b *board) start(path string) (err error) {
	if b.profile, err = os.MkdirTemp("", "nightjar-profile-"); err != nil {
		return err
	}
	cmd := chromiumCommand(path, b.profile, noBars...)
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	b.cmd = cmd
	b.wire, err = dialChromium(b.profile)
	return err
}

// end kills the browser, if it was started, and removes its profile.
func (b *board) end() {
	if b.cmd != nil {
		killGroup(b.cmd)
		_ = b.cmd.Wait() // it was killed
	}
	if b.profile == "" {
		return
	}
	if err := removeProfile(b.profile); err != nil {
		fmt.Fprintf(os.Stderr, "remove the profile: %v\n", err)
	}
}
