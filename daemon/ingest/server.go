package ingest

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"nightjar/daemon/notify"
	"nightjar/daemon/protocol"
	"nightjar/daemon/socket"
	"nightjar/daemon/store"
)

// Limits of connections.
const (
	maxUnproved  = 3                // unauthenticated connections at a time
	proveTimeout = 5 * time.Second  // from the start of the connection, or from pair.done, to the proof
	readTimeout  = 90 * time.Second // browsers ping every 20 s
)

// Trainer trains the topics of submitted sessions.
type Trainer interface {
	Submit(topicID int64)
}

// Server serves the extension's socket.
type Server struct {
	// LoginURL returns a one-time link to a page of the dashboard; "" is the first. If nil, requests for one are refused.
	LoginURL func(path string) string
	// Training returns the progress of a topic's training, and what went wrong with it, for people. May be nil.
	Training func(topicID int64) (state *protocol.TrainingState, problem string)
	// Now is the clock of the pairing window. Tests replace it.
	Now func() time.Time

	store   *store.Store
	bus     *notify.Bus
	trainer Trainer
	log     *slog.Logger
	pairing pairing
	serving sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	unproved int
	conns    map[*conn]struct{}
	refused  map[string]int // number of refused events, by client
}

// New returns a server. It submits the topics of submitted sessions to trainer, which may be nil.
func New(st *store.Store, bus *notify.Bus, trainer Trainer, log *slog.Logger) *Server {
	return &Server{Now: time.Now, store: st, bus: bus, trainer: trainer, log: log,
		conns: map[*conn]struct{}{}, refused: map[string]int{}}
}

// ServeHTTP checks the request, upgrades it and serves the connection until it ends.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := checkHost(r); err != nil {
		s.log.Warn("socket refused", "reason", err)
		http.Error(w, "misdirected request", http.StatusMisdirectedRequest)
		return
	}
	origin, err := checkOrigin(r)
	if r.Header.Get("Upgrade") == "" {
		introduce(w, origin)
		return
	}
	if err != nil {
		s.log.Warn("socket refused", "reason", err)
		http.Error(w, "only the Nightjar extension may connect", http.StatusForbidden)
		return
	}
	c := &conn{server: s, origin: origin}
	if !s.enter(c) {
		http.Error(w, "too many connections", http.StatusServiceUnavailable)
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
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return
	}
	if err := c.serve(ctx); err != nil {
		s.log.Debug("socket ended", "client", c.client, "reason", err)
	}
}

// enter adds an unauthenticated connection, and reports false when there are too many.
func (s *Server) enter(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.unproved >= maxUnproved {
		return false
	}
	s.unproved++
	s.serving.Add(1)
	s.conns[c] = struct{}{}
	return true
}

// proved notes that a connection has authenticated as client.
func (s *Server) proved(c *conn, client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unproved--
	c.client = client
}

func (s *Server) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.client == "" {
		s.unproved--
	}
	delete(s.conns, c)
	s.serving.Done()
}

// Revoke removes a browser's pairing and closes its connections.
func (s *Server) Revoke(ctx context.Context, client string) error {
	err := s.store.RevokeBrowser(ctx, client)
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
