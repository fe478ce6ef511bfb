package worker_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/fetch"
)

// web is a number of hosts on this machine, each at an address of its own where the system has several. It sees how polite workers are.
type web struct {
	rules []fetch.Resolve
	pages []string

	latency, delay time.Duration    // mean time to answer; what must be between two requests to a host
	onPage         func(url string) // unless nil, called after each page, concurrently

	mu    sync.Mutex
	hosts map[string]*visits
	saw   saw
}

// saw is what a web saw of all hosts.
type saw struct {
	pages, overlapped, sooner int           // pages that were sent; requests during another to the host, and before the delay had passed
	leastGap                  time.Duration // between two requests to a host, 0 without any
}

func (w *web) seen() saw {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.saw
}

// visits are the requests to a host.
type visits struct {
	last time.Time
	open int
}

// mustServe serves pages of hosts until the test ends.
func (w *web) mustServe(t *testing.T, hosts, pages int) {
	t.Helper()
	w.hosts = map[string]*visits{}
	for i := range hosts {
		l, err := net.Listen("tcp4", fmt.Sprintf("127.1.0.%d:0", i+1))
		if err != nil { // a system where 127.0.0.1 is the only address of this machine
			l, err = net.Listen("tcp4", "127.0.0.1:0")
		}
		if err != nil {
			t.Fatal(err)
		}
		s := &httptest.Server{Listener: l, Config: &http.Server{Handler: w}}
		s.Start()
		t.Cleanup(s.Close)
		name := fmt.Sprintf("host%d.test", i)
		w.hosts[name] = &visits{}
		w.rules = append(w.rules, fetch.Resolve{Pattern: name, Addr: l.Addr().String()})
		for p := range pages {
			w.pages = append(w.pages, fmt.Sprintf("http://%s/page/%d", name, p))
		}
	}
}

func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ":")
	h := w.arrive(host, time.Now())
	if h == nil {
		http.Error(rw, "no such host", http.StatusMisdirectedRequest)
		return
	}
	time.Sleep(rand.N(2*w.latency + 1))
	isPage := strings.HasPrefix(r.URL.Path, "/page/")
	if !isPage {
		http.NotFound(rw, r)
	} else {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(rw, "<!DOCTYPE html><title>%s</title><h1>%[1]s</h1><p>%s</p><p><a href=\"/page/0\">first</a></p>", r.URL.Path, strings.Repeat("words of "+host+" ", 50))
	}
	w.leave(h, isPage)
	if isPage && w.onPage != nil {
		w.onPage("http://" + host + r.URL.Path)
	}
}

func (w *web) arrive(host string, now time.Time) *visits {
	w.mu.Lock()
	defer w.mu.Unlock()
	h := w.hosts[host]
	if h == nil {
		return nil
	}
	if gap := now.Sub(h.last); !h.last.IsZero() {
		if gap < w.delay {
			w.saw.sooner++
		}
		if w.saw.leastGap == 0 || gap < w.saw.leastGap {
			w.saw.leastGap = gap
		}
	}
	if h.open > 0 {
		w.saw.overlapped++
	}
	h.last = now
	h.open++
	return h
}

func (w *web) leave(h *visits, isPage bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h.open--
	if isPage {
		w.saw.pages++
	}
}
