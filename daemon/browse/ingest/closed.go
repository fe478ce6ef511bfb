package ingest

import (
	"context"
	"log/slog"
	"net/http"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
)

// Closed answers browsers of a daemon that cannot store events. It refuses every connection with a code and words for the
// person, and acknowledges nothing: browsers keep their events and try again.
type Closed struct {
	Code    protocol.Code
	Message string
	Log     *slog.Logger

	room chan struct{} // holds one value for each connection
}

// maxClosed is how many refused connections are open at a time.
const maxClosed = 16

// NewClosed returns a handler that refuses.
func NewClosed(code protocol.Code, message string, log *slog.Logger) *Closed {
	return &Closed{Code: code, Message: message, Log: log, room: make(chan struct{}, maxClosed)}
}

// ServeHTTP checks the request as Server does, waits for the browser's first message, and refuses.
func (c *Closed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := checkHost(r); err != nil {
		http.Error(w, "misdirected request", http.StatusMisdirectedRequest)
		return
	}
	origin, err := checkOrigin(r)
	if r.Header.Get("Upgrade") == "" {
		introduce(w, origin)
		return
	}
	if err != nil {
		http.Error(w, "only the Nightjar extension may connect", http.StatusForbidden)
		return
	}
	select {
	case c.room <- struct{}{}:
		defer func() { <-c.room }()
	default:
		http.Error(w, "too many connections", http.StatusServiceUnavailable)
		return
	}
	ws, err := socket.Accept(w, r)
	if err != nil {
		c.Log.Debug("socket not upgraded", "reason", err)
		return
	}
	defer ws.Drop()
	ctx, cancel := context.WithTimeout(r.Context(), proveTimeout)
	defer cancel()
	if _, err := ws.Read(ctx); err != nil {
		return
	}
	if err := ws.Send(ctx, protocol.Refuse{Type: protocol.TypeRefuse, Code: c.Code, Message: c.Message}); err == nil {
		ws.Close(string(c.Code))
	}
}
