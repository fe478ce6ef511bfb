package night

import (
	"net"
	"net/http"
	"slices"
	"sync"

	"nightjar/crawler/clock"
	"nightjar/daemon/lab/farm"
)

// request is a request as the hosts saw it.
type request struct {
	farm.Request
	Epoch int // how often the clock had been set before
}

// seen records the requests that reach the hosts, independently of the crawler.
type seen struct {
	clock *clock.Fast
	next  http.Handler // for hosts outside the farm

	mu    sync.Mutex
	epoch int
	all   []request
}

// set notes that the clock was set: times before and after cannot be compared.
func (s *seen) set() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.epoch++
}

// epochNow is how often the clock has been set.
func (s *seen) epochNow() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.epoch
}

// farm records a request to the farm.
func (s *seen) farm(r farm.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, request{r, s.epoch})
}

// ServeHTTP answers for the other hosts and records the request.
func (s *seen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	req := farm.Request{Host: host, Path: r.URL.RequestURI(), At: s.clock.Now()}
	c := &answered{ResponseWriter: w, status: http.StatusOK}
	defer func() {
		req.Status = c.status
		s.farm(req)
	}()
	s.next.ServeHTTP(c, r)
}

// requests returns the requests so far.
func (s *seen) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

// answered remembers the status of a response.
type answered struct {
	http.ResponseWriter
	status int
}

// WriteHeader sends the status.
func (c *answered) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Unwrap lets handlers flush and hijack.
func (c *answered) Unwrap() http.ResponseWriter { return c.ResponseWriter }
