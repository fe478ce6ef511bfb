package main

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"nightjar/crawler/clock"
)

// request is one request as the farm saw it.
type request struct {
	At      time.Time // by the night's clock
	Host    string
	Path    string
	Status  int
	Epoch   int   // how often the clock had been set before
	Bytes   int64 // written
	Attempt int   // the n-th for this address
}

// seen writes down what the servers are asked: the independent account that the crawler's own is held against.
type seen struct {
	clock *clock.Fast
	next  http.Handler

	mu    sync.Mutex
	epoch int
	all   []request
	times map[string]int
}

// set notes that the clock was set: gaps before and after are no gaps.
func (s *seen) set() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.epoch++
}

func (s *seen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ":")
	at := s.clock.Now()
	s.mu.Lock()
	address := host + r.URL.RequestURI()
	s.times[address]++
	i, epoch, n := len(s.all), s.epoch, s.times[address]
	s.all = append(s.all, request{At: at, Host: host, Path: r.URL.RequestURI(), Epoch: epoch, Attempt: n})
	s.mu.Unlock()
	c := &counted{ResponseWriter: w, status: http.StatusOK}
	defer func() {
		s.mu.Lock()
		s.all[i].Status, s.all[i].Bytes = c.status, c.n
		s.mu.Unlock()
	}()
	s.next.ServeHTTP(c, r)
}

// requests is what was seen so far.
func (s *seen) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.all...)
}

// counted counts what is written.
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
