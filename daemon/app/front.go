package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	headerTimeout = 5 * time.Second  // for the head of a request
	bodyTimeout   = 30 * time.Second // for the body of a request; uploads get more (web.Server)
	idleTimeout   = 2 * time.Minute  // between requests of a connection
)

// serve serves listeners until ctx ends; then it calls closing, which ends what the server does not.
func (a *App) serve(ctx context.Context, group *errgroup.Group, h http.Handler, closing func(), all ...net.Listener) {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnState:   newWaitingRoom().changed,
		ErrorLog:    slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug),
	}
	for _, l := range all {
		group.Go(func() error {
			if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("serve: %w", err)
			}
			return nil
		})
	}
	group.Go(func() error {
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		err := server.Shutdown(end)
		closing()
		if err != nil {
			return server.Close()
		}
		return nil
	})
}

// front handles every request first: it refuses targets other than paths, and host names other than the daemon's, before any part
// looks at the path. The path is compared as it was sent: "//ws" and "/./ws" are not the socket. Each part checks Host again,
// more strictly. A body must arrive within limit.
func (a *App) front(limit time.Duration) http.Handler {
	dashboard, browsers := a.Web.Handler(), http.Handler(a.Closed)
	if a.Damage == nil {
		browsers = a.Ingest.Handler(a.Web.LoginURL)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		timeBody(w, r, limit)
		if !strings.HasPrefix(r.RequestURI, "/") || !a.Web.Named(r.Host) {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
			w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
			w.Header().Set("Connection", "close") // a body is not waited for
			http.Error(w, "Nightjar does not answer under this name.", http.StatusMisdirectedRequest)
			return
		}
		if r.URL.Path == "/ws" {
			browsers.ServeHTTP(w, r)
			return
		}
		dashboard.ServeHTTP(w, r)
	})
}

// timeBody sets the time within which the body of a request must arrive. The server waits for it even when nobody reads it.
func timeBody(w http.ResponseWriter, r *http.Request, limit time.Duration) {
	if r.Body == http.NoBody {
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(limit)) // fails only on a connection that is gone
	r.Body = &timedBody{r.Body, control}
}

// timedBody is a body with a deadline, which ends with the body: what the handler does next may take longer.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.control.SetReadDeadline(time.Time{}) // fails only on a connection that is gone
	}
	return n, err
}
