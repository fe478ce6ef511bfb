package crawler

import (
	"context"
	"sync"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/weburl"
)

// grace is what fetches in flight get to end in when a crawl is stopped.
const grace = 2 * time.Second

// probeKey stands for a probe among the fetches in flight.
const probeKey = ""

// flights are the fetches of a crawl that were begun and whose results were not taken in. They outlive the turn in which
// they began. Only halt may be called concurrently with other methods.
type flights struct {
	get     getter
	of      map[string]bool // by URL; true when the machine slept while the fetch was under way
	results chan fetched

	mu      sync.Mutex
	running context.Context
	cancel  context.CancelFunc // ends all that are under way
	halting *time.Timer        // until they are ended, nil while they may go on
}

func newFlights(f fetch.Fetcher, o *Options) *flights {
	return &flights{
		get: getter{
			f: f, clock: o.Clock, archive: o.Archive, renderer: o.Renderer, renderPages: o.RenderPages,
			sketches: o.Live || o.Trap != nil,
		},
		of:      make(map[string]bool),
		results: make(chan fetched, o.Workers+1), // and a probe
	}
}

// open makes ready for a Run: when an earlier one was stopped and nothing is in flight any more, fetches may begin again.
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

// halt gives the fetches that are under way two seconds to end.
func (f *flights) halt() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.halting == nil && f.cancel != nil {
		f.halting = time.AfterFunc(grace, f.cancel)
	}
}

func (f *flights) len() int { return len(f.of) }

// take notes a fetch that is to begin.
func (f *flights) take(url string) { f.of[url] = false }

// land notes that the result of a fetch was taken in, and reports whether the machine slept meanwhile.
func (f *flights) land(url string) (slept bool) {
	slept = f.of[url]
	delete(f.of, url)
	return slept
}

// woke is called when the clock jumped: the machine slept, or the clock was set. Fetches in flight may end by a timeout
// that says nothing of their hosts.
func (f *flights) woke() {
	for u := range f.of {
		f.of[u] = true
	}
}

// launch begins a fetch that was taken. A probe asks for a page only to see whether an answer comes; the ledger says so.
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
