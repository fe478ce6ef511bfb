package ingest

import (
	"net"
	"net/http"
	"time"
)

// Limits of connections that have not proved that a paired browser made them. Each costs about 20 kB for proveTimeout at most. A
// browser names itself within milliseconds; the grace is for slow machines.
const (
	maxSilent = 128         // that have said nothing of worth
	maxOfOne  = 64          // of those, of one origin at one address
	maxFresh  = 2048        // that have said nothing, when none of them is older than grace
	maxNamed  = 64          // that have named a paired browser, which only who has seen its identity can
	grace     = time.Second // for which a connection may be silent, however many are
)

// source is where a connection says it is from and where it is from.
type source struct{ origin, address string }

func sourceOf(r *http.Request, origin string) source {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	return source{origin, host}
}

// unproved are the connections without proof, with the time at which each began.
type unproved struct {
	silent map[*conn]time.Time
	named  map[*conn]time.Time
}

func newUnproved() unproved {
	return unproved{silent: map[*conn]time.Time{}, named: map[*conn]time.Time{}}
}

// add adds a connection that has said nothing, and returns the one that has to go for it, or nil: the oldest of the source
// that has most.
func (u *unproved) add(c *conn, now time.Time) (goes *conn) {
	u.silent[c] = now
	count := map[source]int{}
	for c := range u.silent {
		count[c.from]++
	}
	if len(u.silent) <= maxSilent && count[c.from] <= maxOfOne {
		return nil
	}
	goes = c
	for other, since := range u.silent {
		has, most := count[other.from], count[goes.from]
		if has > most || has == most && since.Before(u.silent[goes]) {
			goes = other
		}
	}
	if now.Sub(u.silent[goes]) < grace && len(u.silent) <= maxFresh {
		return nil
	}
	u.remove(goes)
	return goes
}

// name notes that a connection has named a paired browser, and returns the oldest such one if there are too many.
func (u *unproved) name(c *conn) (goes *conn) {
	if _, ok := u.silent[c]; !ok {
		return nil // it was proved, or had to go
	}
	u.named[c] = u.silent[c]
	delete(u.silent, c)
	if len(u.named) <= maxNamed {
		return nil
	}
	for other, since := range u.named {
		if goes == nil || since.Before(u.named[goes]) {
			goes = other
		}
	}
	u.remove(goes)
	return goes
}

func (u *unproved) remove(c *conn) {
	delete(u.silent, c)
	delete(u.named, c)
}

// enter adds an unproved connection; the oldest goes when there are too many. It reports false when the server is closed.
func (s *Server) enter(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.serving.Add(1)
	s.conns[c] = struct{}{}
	s.drop(s.unproved.add(c, time.Now()))
	return true
}

// named notes that a connection has named a paired browser of its origin.
func (s *Server) named(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(s.unproved.name(c))
}

// chosen notes that a connection is the one that is being paired: it may wait for the person.
func (s *Server) chosen(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unproved.remove(c)
}

// proved notes that a connection has authenticated as client.
func (s *Server) proved(c *conn, client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unproved.remove(c)
	c.client = client
}

func (s *Server) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unproved.remove(c)
	delete(s.conns, c)
	s.serving.Done()
}

// drop ends a connection, if any. The caller holds s.mu.
func (s *Server) drop(c *conn) {
	if c == nil {
		return
	}
	c.dropped = true
	if c.cancel != nil {
		c.cancel()
	}
}
