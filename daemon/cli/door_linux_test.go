package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"nightjar/daemon/base/command"
)

// newTerminal makes a terminal: what a program writes to it is read from screen.
func newTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this system makes no terminals: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return screen, terminal
}

// TestServeOpens: on a terminal with a display, serve opens the dashboard, and again at each Enter, with another link; not with --no-open or
// --no-link as a service has it, in an automatic build, or without a display or a terminal.
func TestServeOpens(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags []string
		env   map[string]string
		pipe  bool // standard output is no terminal
		links int  // after one Enter
		opens int
	}{
		{name: "a terminal", links: 2, opens: 2},
		{name: "--no-open", flags: []string{"--no-open"}, links: 2},
		{name: "as a service", flags: []string{"--no-link"}},
		{name: "an automatic build", env: map[string]string{"CI": "true"}, links: 2},
		{name: "no display", env: map[string]string{"DISPLAY": ""}, links: 2},
		{name: "no terminal", pipe: true, links: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			opened := fakeOpener(t)
			for name, value := range map[string]string{"HOME": t.TempDir(), "CI": "", "DISPLAY": ":9", "WAYLAND_DISPLAY": "", "BROWSER": ""} {
				t.Setenv(name, value)
			}
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			screen, out := newTerminal(t)
			if c.pipe {
				var err error
				if screen, out, err = os.Pipe(); err != nil {
					t.Fatal(err)
				}
				defer screen.Close()
				defer out.Close()
			}
			keys, press := io.Pipe()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			code := make(chan int, 1)
			args := append([]string{"serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0"}, c.flags...)
			go func() {
				ended := program().Run(ctx, &command.Env{Stdin: keys, Stdout: out, Stderr: io.Discard, Getenv: os.Getenv}, args)
				_ = out.Close() // so that the screen ends, too, when it ends early
				code <- ended
			}()
			links := map[string]bool{}
			for said := bufio.NewScanner(screen); said.Scan(); {
				if link := oneTimeLink.FindString(said.Text()); link != "" {
					links[strings.TrimSpace(link)] = true
				}
				if strings.Contains(said.Text(), "Extension connects") && c.links > 0 {
					go func() { _, _ = press.Write([]byte("\n")) }() // an error shows in the links
				}
				if len(links) == c.links && (strings.Contains(said.Text(), "Extension connects") || c.links > 0) {
					break
				}
			}
			for deadline := time.Now().Add(time.Minute); len(opened()) < c.opens && time.Now().Before(deadline); {
				time.Sleep(10 * time.Millisecond)
			}
			stop()
			if got := <-code; got != 0 || len(links) != c.links || len(opened()) != c.opens {
				t.Errorf("code %d, links %v, opened %q", got, links, opened())
			}
		})
	}
}
