package main

import (
	"net"
	"net/http"
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
	c := &counted{ResponseWriter: w, status: http.StatusOK}
	defer func() {
		req.Status, req.Bytes = c.status, c.n
		s.farm(req)
	}()
	s.next.ServeHTTP(c, r)
}

// requests returns the requests so far.
func (s *seen) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.all...)
}

// counted counts the bytes of a response.
type counted struct {
	http.ResponseWriter
	status int
	n      int64
}

func (c *counted) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.n += int64(n)
	return n, err
}

// Unwrap lets handlers flush and hijack.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }
