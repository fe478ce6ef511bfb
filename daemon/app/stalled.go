package app

import (
	"context"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/base/loopback"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/keep/trouble"
)

// openOrWait opens a daemon. While the disk is full, or the data folder may not be written, or another program holds the
// database, it waits and tries again: meanwhile its port shows what is wrong. It returns nil when ctx ends first.
func openOrWait(ctx context.Context, c Config, log *slog.Logger) (*App, error) {
	var said trouble.Kind
	for {
		a, err := Open(ctx, c, log)
		kind := trouble.Of(err)
		if err == nil || !waits(err, kind, c.Data) {
			return a, err
		}
		if ctx.Err() != nil {
			return nil, nil
		}
		is := trouble.Trouble{Kind: kind, Dir: c.Data}
		if kind != said {
			said = kind
			log.Error("Nightjar waits and tries again: "+is.Says(), "fix", is.Fix(), "error", err)
		}
		if err := stall(ctx, c.Listen, is); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, nil
		}
	}
}

// waits reports whether a daemon that could not be opened waits for the trouble to end. It does not when the folder or the port is probably
// wrong: a folder that has no database and cannot be written, or a port that was refused.
func waits(err error, kind trouble.Kind, dir string) bool {
	if _, network := errors.AsType[*net.OpError](err); network || kind == "" || kind == trouble.Damaged {
		return false
	}
	_, missing := os.Stat(database(dir))
	return kind != trouble.ReadOnly || missing == nil
}

// stall shows for tryAgain what is wrong, to whoever asks at the daemon's address.
func stall(ctx context.Context, addr string, is trouble.Trouble) error {
	all, err := listenBoth(net.Listen, addr, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	hosts, err := loopback.HostsOf(addresses(all)...)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: stalled(is, hosts), ReadHeaderTimeout: headerTimeout, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	var serving sync.WaitGroup
	for _, l := range all {
		serving.Go(func() { _ = server.Serve(l) }) // that it was closed
	}
	clock.Sleep(ctx, clock.System, tryAgain) // the caller looks whether ctx ended
	err = server.Close()
	serving.Wait()
	return err
}

// stalled answers every request of this computer's own addresses with what is wrong. The page tells nothing of the data but
// the name of its folder.
func stalled(is trouble.Trouble, hosts loopback.Hosts) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hosts.Has(r.Host) {
			http.Error(w, "Nightjar does not answer under this name.", http.StatusMisdirectedRequest)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Retry-After", fmt.Sprint(int(tryAgain/time.Second)))
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>%[1]s · Nightjar</title>`+
			`<meta name="viewport" content="width=device-width"><h1>%[1]s</h1><p>%[2]s</p><p>%[3]s</p>`+
			`<p>Nightjar tries again every few seconds. Load this page again then, and open the dashboard with <code>%[4]s</code>.</p>`,
			html.EscapeString(is.Title()), html.EscapeString(is.Says()), html.EscapeString(is.Fix()), html.EscapeString(terminal.On(is.Dir, "open")))
	})
}
