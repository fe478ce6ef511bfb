package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync/atomic"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
)

// door leads a person to the dashboard of a daemon that this process runs: by one-time links, and by opening the browser.
type door struct {
	env    *command.Env
	say    io.Writer
	data   string // folder
	opens  bool   // the browser, besides saying the link
	daemon atomic.Pointer[app.App]
}

// leadsTo sets the daemon, which is another one after a restart.
func (d *door) leadsTo(daemon *app.App) { d.daemon.Store(daemon) }

// link shows a new one-time link and, where the door opens the browser, the dashboard.
func (d *door) link(ctx context.Context) {
	d.show()
	d.open(ctx)
}

func (d *door) show() {
	fmt.Fprintf(d.say, "\nDashboard (the link works once, within a minute): %s\n", d.daemon.Load().Web.LoginURL(""))
}

// open opens the browser, which can take seconds.
func (d *door) open(ctx context.Context) {
	if !d.opens {
		return
	}
	page, err := d.daemon.Load().Web.LoginFile(loginFolder(ctx, d.data))
	if err == nil {
		err = openFile(ctx, page)
	}
	if err != nil {
		fmt.Fprintf(d.say, "It could not be opened here (%v): copy it into a browser.\n", err)
	}
}

// answer shows a new link at each Enter until ctx ends, or ended says how the daemon ended; that is put back.
func (d *door) answer(ctx context.Context, enter <-chan struct{}, ended chan error) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			ended <- err
			return err
		case _, ok := <-enter:
			if !ok {
				enter = nil // nobody can press Enter
				continue
			}
			d.link(ctx)
		}
	}
}

// opens reports whether the browser is opened without being asked: on a terminal, where somebody is, with a display, and not in an
// automatic build. A service has no terminal.
func opens(env *command.Env) bool {
	display := runtime.GOOS != "linux" || env.Getenv("DISPLAY") != "" || env.Getenv("WAYLAND_DISPLAY") != "" || env.Getenv("BROWSER") != ""
	return display && env.Getenv("CI") == "" && onTerminal(env.Stdout)
}

// canPress reports whether somebody may press Enter: in is a terminal, or none of the process's own streams.
func canPress(in io.Reader) bool {
	f, ok := in.(*os.File)
	return !ok || command.IsTerminal(f)
}

// onTerminal reports whether a stream of the process is a terminal.
func onTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && command.IsTerminal(f)
}

// lines announces each line that is read from r, and closes the channel at its end.
func lines(r io.Reader) <-chan struct{} {
	stayInBackground()
	each := make(chan struct{})
	go func() {
		defer close(each)
		for in := bufio.NewScanner(r); in.Scan(); {
			each <- struct{}{}
		}
	}()
	return each
}
