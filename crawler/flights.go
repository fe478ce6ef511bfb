package crawler

import (
	"context"
	"sync"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/weburl"
)

// grace is the time that fetches in flight have to finish when a crawl is stopped.
const grace = 2 * time.Second

// probeKey is the key of a probe among the fetches in flight.
const probeKey = ""

// flights are the fetches that a crawl has started and whose results it has not processed yet. They may outlive the turn
// that started them. Only halt may be called concurrently with other methods.
type flights struct {
	get     getter
	of      map[string]bool // by URL; true when the machine slept while the fetch was under way
	results chan fetched

	mu      sync.Mutex
	running context.Context
	cancel  context.CancelFunc // of all fetches in flight
	halting *time.Timer        // calls cancel after a halt; nil before
}

func newFlights(f fetch.Fetcher, o *Options) *flights {
	parser := o.Parse
	if parser == nil {
		parser = asHTML
	}
	return &flights{
		get: getter{
			f: f, clock: o.Clock, parse: parser, archive: o.Archive, renderer: o.Renderer, renderPages: o.RenderPages,
			sketches: o.Live || o.Trap != nil,
		},
		of:      make(map[string]bool),
		results: make(chan fetched, o.Workers+1), // one for a probe
	}
}

// open prepares a Run: after an earlier Run was stopped and its fetches have ended, fetches may start again.
func (f *flights) open() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.of) > 0 {
		return
	}
	if f.halting != nil {
		f.halting.Stop()
		f.halting = nil
	}
	if f.running == nil || f.running.Err() != nil {
		f.running, f.cancel = context.WithCancel(context.Background())
	}
}

// halt gives the fetches in flight two seconds to finish.
func (f *flights) halt() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.halting == nil && f.cancel != nil {
		f.halting = time.AfterFunc(grace, f.cancel)
	}
}

func (f *flights) len() int { return len(f.of) }

// take adds a fetch that is about to start.
func (f *flights) take(url string) { f.of[url] = false }

// land removes a fetch whose result has arrived, and reports whether the machine slept meanwhile.
func (f *flights) land(url string) (slept bool) {
	slept = f.of[url]
	delete(f.of, url)
	return slept
}

// woke is called when the clock jumped forward: the machine slept, or the clock was set. Fetches in flight may now time
// out through no fault of their hosts.
func (f *flights) woke() {
	for u := range f.of {
		f.of[u] = true
	}
}

// launch starts a fetch that take added. A probe requests a page only to see whether an answer comes; the ledger says so.
func (f *flights) launch(e frontier.Entry, probe bool) {
	ctx := f.running
	go func() {
		if !probe {
			f.results <- f.get.page(ctx, e)
			return
		}
		e.Host = weburl.Host(e.URL)
		r := f.get.page(ctx, e)
		r.probe = true
		for i := range r.response.Exchanges {
			if x := &r.response.Exchanges[i]; x.Purpose == fetch.ForPage {
				x.Purpose = fetch.ForProbe
			}
		}
		f.results <- r
	}()
}
