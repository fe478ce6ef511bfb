package work

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// Hands do tasks. They may be used concurrently.
type Hands struct {
	fetcher  fetch.Fetcher
	clock    clock.Clock
	parse    Parser
	sketches bool
	apart    func(ctx context.Context, r *Result) error // nil for none

	// Only of NewRemote:
	name   string
	live   *fetch.Live
	memory *memory
	// reading holds one element for each page that is being read. Reading takes many times a page's size in memory, and more at
	// once than there are processors are no faster.
	reading chan struct{}
	large   chan struct{} // the same for pages of more than largePage bytes
}

// mostReading is how many pages a worker reads at once at most, so that its memory does not grow with its processors.
const (
	mostReading      = 4
	mostReadingLarge = 1       // of more than largePage
	largePage        = 1 << 20 // bytes
)

// New makes the hands of a crawl's own process: they fetch as the fetcher does, whose memory is the daemon's. parse may be nil for
// HTML, and c for the machine's clock.
func New(f fetch.Fetcher, c clock.Clock, parse Parser, sketches bool) *Hands {
	if parse == nil {
		parse = HTML
	}
	return &Hands{fetcher: f, clock: clock.Or(c), parse: parse, sketches: sketches}
}

// NewRemote makes the hands of a worker with a fetcher of its own. They keep to the terms of each task: no request leaves the
// task's host, and what they know of the host comes with the task. name is the worker's. Memory, Known, Hosts, Sitemaps,
// Probe and Keep of o are set here. Close them when done.
func NewRemote(name string, o fetch.LiveOptions) *Hands {
	m := newMemory(clock.Or(o.Clock))
	o.Memory, o.Known, o.Hosts = m, nil, nil
	o.Sitemaps, o.Probe, o.Keep = false, true, true // tasks say what is wanted
	live := fetch.NewLive(o)
	return &Hands{fetcher: live, clock: m.clock, parse: HTML, sketches: true, name: name, live: live, memory: m,
		reading: make(chan struct{}, min(runtime.GOMAXPROCS(0), mostReading)), large: make(chan struct{}, mostReadingLarge)}
}

// Close closes the connections of NewRemote. No task may be under way.
func (h *Hands) Close() error {
	if h.live == nil {
		return nil
	}
	return h.live.Close()
}

// Do does a task. It returns soon after ctx ends. Whatever the page contains, it does not panic.
func (h *Hands) Do(ctx context.Context, t Task) (r Result) {
	r = Result{Task: t.ID, Attempt: t.Attempt, URL: t.URL, Worker: h.name, Parser: page.Version, Began: h.clock.Now()}
	defer func() {
		if broke := recover(); broke != nil {
			r.Page, r.Sketch, r.Problem = nil, nil, fmt.Sprintf("the task failed: %.200v", broke)
			r.Response = fetch.Response{URL: t.URL, FinalURL: t.URL, Outcome: fetch.Type, Reason: r.Problem, Exchanges: r.Response.Exchanges}
		}
		r.Ended = h.clock.Now()
	}()
	if h.live == nil {
		r.Response = h.fetcher.Fetch(ctx, t.URL)
	} else {
		h.remote(ctx, &t, &r)
	}
	if r.Response.FinalURL == "" {
		r.Response.FinalURL = t.URL
	}
	switch res := &r.Response; {
	case t.Unread && res.Outcome == fetch.OK:
		h.readApart(ctx, &r)
	case res.NotModified && len(res.Body) == 0 && h.live != nil: // the dispatcher's side has it
	default:
		if h.large != nil && len(res.Body) > largePage {
			h.large <- struct{}{}
			defer func() { <-h.large }()
		}
		if h.reading != nil {
			h.reading <- struct{}{}
			defer func() { <-h.reading }()
		}
		r.read(h.parse, h.sketches)
	}
	return r
}

// ReadApart sets how a page is read of which a task says that workers which read it came to an end. Without it, such a page is not read.
func (h *Hands) ReadApart(read func(ctx context.Context, r *Result) error) { h.apart = read }

// readApart reads a page where it can end nothing else.
func (h *Hands) readApart(ctx context.Context, r *Result) {
	why := "left unread: workers that read it came to an end"
	if h.apart != nil {
		err := h.apart(ctx, r)
		if err == nil {
			return
		}
		why += "; " + err.Error()
	}
	r.Response.Outcome, r.Response.Reason = fetch.Type, why
}

// remote fetches on the terms of a task.
func (h *Hands) remote(ctx context.Context, t *Task, r *Result) {
	host := weburl.Host(t.URL)
	h.memory.begin(host, &t.Host)
	defer func() { r.Host = h.memory.end(host) }()
	h.live.Prime(host, t.Delay, t.Host.Busy, t.Host.Failed)
	within := fetch.OnTerms(ctx, fetch.Terms{
		OwnHost: true, Probe: t.Probe, Known: fetch.Known{ETag: t.ETag, LastModified: t.LastModified},
	})
	if t.FetchTimeout > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(within, t.FetchTimeout)
		defer cancel()
	}
	r.Response = h.live.Fetch(within, t.URL)
	if r.Response.Outcome == fetch.Canceled && within.Err() != nil && ctx.Err() == nil {
		r.Response.Outcome, r.Response.Reason = fetch.Timeout, fmt.Sprintf("it took longer than %v", t.FetchTimeout.Round(time.Millisecond))
	}
	for i := range r.Response.Exchanges {
		x := &r.Response.Exchanges[i]
		x.Worker = h.name
		if !t.Keep {
			x.Proto, x.Header, x.RequestHeader, x.Body, x.Truncated = "", nil, nil, nil, false
		}
	}
}
