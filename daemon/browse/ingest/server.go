package ingest

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
	"nightjar/daemon/store"
)

// Limits of connections.
const (
	proveTimeout = 5 * time.Second  // from the start of the connection, or from pair.done, to the proof
	readTimeout  = 90 * time.Second // browsers ping every 20 s
)

// Trainer trains the topics of submitted sessions.
type Trainer interface {
	Submit(topicID int64)
}

// Server serves the extension's socket.
type Server struct {
	// Now is the clock of the pairing window. Tests replace it.
	Now func() time.Time

	store    *store.Store
	bus      *notify.Bus
	trainer  Trainer
	training func(topicID int64) (state *protocol.TrainingState, problem string)
	log      *slog.Logger
	pairing  pairing
	serving  sync.WaitGroup

	committing atomic.Int64 // connections that commit events now, or wait for their turn to

	mu       sync.Mutex
	closed   bool
	unproved unproved
	conns    map[*conn]struct{}
	refused  map[string]int           // number of refused events, by client
	limits   map[string]*rate.Limiter // of events, by client
}

// New returns a server. It submits the topics of submitted sessions to trainer, which may be nil. training returns the progress of a
// topic's training, and what went wrong with it, for people; it may be nil.
func New(st *store.Store, bus *notify.Bus, trainer Trainer, training func(topicID int64) (*protocol.TrainingState, string), log *slog.Logger) *Server {
	return &Server{Now: time.Now, store: st, bus: bus, trainer: trainer, training: training, log: log,
		conns: map[*conn]struct{}{}, unproved: newUnproved(), refused: map[string]int{}, limits: map[string]*rate.Limiter{}}
}

// Handler serves the socket. loginURL returns a one-time link to a page of the dashboard, "" for the first; if it is nil, requests for
// one are refused.
func (s *Server) Handler(loginURL func(path string) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, loginURL) })
}

// serve checks the request, upgrades it and serves the connection until it ends.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, loginURL func(path string) string) {
	if err := checkHost(r); err != nil {
		s.log.Warn("socket refused", "reason", err)
		http.Error(w, "misdirected request", http.StatusMisdirectedRequest)
		return
	}
	origin, err := checkOrigin(r)
	if r.Header.Get("Upgrade") == "" {
		introduce(w, origin)
		if err == nil {
			s.calls()
		}
		return
	}
	if err != nil {
		s.log.Warn("socket refused", "reason", err)
		http.Error(w, "only the Nightjar extension may connect", http.StatusForbidden)
		return
	}
	c := &conn{server: s, loginURL: loginURL, origin: origin, from: sourceOf(r, origin)}
	if !s.enter(c) {
		http.Error(w, "Nightjar is stopping", http.StatusServiceUnavailable)
		return
	}
	defer s.leave(c)
	c.ws, err = socket.Accept(w, r)
	if err != nil {
		s.log.Debug("socket not upgraded", "reason", err)
		return
	}
	defer c.ws.Drop()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	s.mu.Lock()
	c.cancel = cancel
	ended := s.closed || c.dropped
	s.mu.Unlock()
	if ended {
		return
	}
	if err := c.serve(ctx); err != nil {
		s.log.Debug("socket ended", "client", c.client, "reason", err)
	}
}

// Revoke removes a browser's pairing and closes its connections.
func (s *Server) Revoke(ctx context.Context, client string) error {
	err := RevokeBrowser(ctx, s.store.DB, client)
	s.dropClient(client)
	s.bus.Tell(notify.News{Kind: "pairing"})
	return err
}

// dropClient closes the connections of a browser.
func (s *Server) dropClient(client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		if c.client == client && c.cancel != nil {
			c.cancel()
		}
	}
}

// Close closes all connections and waits until they have ended. Browsers send events that were not acknowledged again.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	for c := range s.conns {
		if c.cancel != nil {
			c.cancel()
		}
	}
	s.mu.Unlock()
	s.serving.Wait()
}

// limit returns the limit of a browser's events, which all its connections share: a new connection gives no new burst.
func (s *Server) limit(client string) *rate.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limits[client] == nil {
		s.limits[client] = rate.NewLimiter(eventRate, eventBurst)
	}
	return s.limits[client]
}

func (s *Server) countRefused(client string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[client] += n
}

func (s *Server) refusedOf(client string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused[client]
}
