package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"runtime"
	"slices"
	"time"

	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/store"
)

// Daemon says whether a daemon runs on the data folder.
func Daemon(_ context.Context, e *Examiner) Check {
	c := Check{ID: "daemon", Name: "Nightjar itself", State: Good}
	if e.Running == nil {
		c.State, c.Says = Broken, "No daemon runs on this data folder: nothing is recorded or crawled."
		c.Fix = "Start it: " + terminal.On(e.Data, "serve")
		return c
	}
	if e.Running.Mute {
		c.State, c.Says = Broken, fmt.Sprintf("Process %d has this data folder, but does not answer: it is another version of Nightjar, or it hangs.", e.Running.PID)
		c.Fix = "Stop it, then start this one: " + terminal.On(e.Data, "serve")
		return c
	}
	c.Says = fmt.Sprintf("Running, version %s, process %d", e.Version, e.Running.PID)
	if !e.Running.Since.IsZero() {
		c.Says += ", since " + e.When(e.Running.Since)
	}
	c.Says += "."
	return c
}

// Port says whether the daemon has its port, and otherwise who has it.
func Port(ctx context.Context, e *Examiner) Check {
	c := Check{ID: "port", Name: "Port", State: Good}
	if e.Running != nil {
		c.Says = "It serves on " + e.Listen + "."
		if e.Listen != usualListen && !heard(ctx, e) {
			c.State = Note
			c.Fix = "Browsers look for it on " + usualListen + ". Set ws://" + e.Listen + "/ws in the extension's options."
		}
		return c
	}
	dial := net.Dialer{Timeout: time.Second}
	conn, err := dial.DialContext(ctx, "tcp", e.Listen)
	if err != nil {
		c.Says = e.Listen + " is free."
		return c
	}
	_ = conn.Close() // nothing was sent
	c.State, c.Says = Broken, "Another program listens on "+e.Listen+": "+holder(e.Listen)+"."
	c.Fix = "Stop it, or start Nightjar on another port with --listen 127.0.0.1:PORT and set that in the extension's options."
	return c
}

// heard reports whether a browser found the daemon since it started.
func heard(ctx context.Context, e *Examiner) bool {
	if e.Store == nil {
		return false
	}
	paired, err := e.Store.BrowserViews(ctx)
	return err == nil && slices.ContainsFunc(paired, func(b store.BrowserView) bool { return b.SeenAt.After(e.Running.Since) })
}

// usualListen is where the extension looks for the daemon.
const usualListen = "127.0.0.1:4774"

// unknownHolder is said where the machine does not tell, as when the program belongs to another person.
const unknownHolder = "its name is not known"

// holder names the process that listens on an address.
func holder(listen string) string {
	if pid, name := machine.Listener(listen); pid > 0 {
		return fmt.Sprintf("%s (process %d)", Printable(name), pid)
	}
	return unknownHolder
}

// Storing reports whether recent writes succeeded.
func Storing(_ context.Context, e *Examiner) Check {
	c := Check{ID: "storing", Name: "Storing", State: Good, Says: "Nothing keeps Nightjar from storing things."}
	if e.Running == nil || e.Running.Mute {
		c.State, c.Says = Unknown, "Only a running daemon can tell."
	}
	for _, t := range e.Troubles {
		if c.State != Broken {
			c.State, c.Says, c.Fix = Broken, t.Says()+" Since "+e.When(t.Since)+".", t.Fix()
			continue
		}
		c.More = append(c.More, t.Says(), t.Fix())
	}
	return c
}

// Folder checks the permissions of the data folder.
func Folder(_ context.Context, e *Examiner) Check {
	c := Check{ID: "folder", Name: "Data folder", State: Good, Says: e.Data + " is private and can be written."}
	info, err := os.Stat(e.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.State, c.Says, c.Fix = Broken, e.Data+" does not exist.", "Name the right folder with --data DIR, or start Nightjar, which creates it."
		return c
	case err != nil:
		c.State, c.Says, c.Fix = Broken, Sentence(err.Error()), "Make the folder readable for you."
		return c
	case !info.IsDir():
		c.State, c.Says, c.Fix = Broken, e.Data+" is not a folder.", "Name the right folder with --data DIR."
		return c
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		c.State, c.Says = Broken, fmt.Sprintf("%s is open to other people on this computer (mode %03o).", e.Data, mode)
		c.Fix = "Run: chmod 700 " + terminal.Quote(e.Data)
		return c
	}
	if err := writable(e.Data); err != nil {
		c.State, c.Says, c.Fix = Broken, "Nothing can be written to "+e.Data+": "+err.Error()+".", "Make the folder writable for you, and free disk space."
	}
	return c
}

// writable tries to write to a folder; it leaves nothing there.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, leftovers.Doctor+"*")
	if err != nil {
		return errors.Unwrap(err)
	}
	_, err = f.Write(make([]byte, 64<<10)) // a full disk often has room for an empty file
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
