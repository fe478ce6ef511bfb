package crawler

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/failpoint"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
)

// grace is the time that fetches in flight have to finish when a crawl is stopped.
const grace = 2 * time.Second

// On the live web, a fetch that takes setAside is set aside: it no longer counts among Options.Workers, so that slow hosts do
// not keep the others waiting. At most asideMost times Options.Workers fetches are set aside at the same time.
const (
	setAside  = time.Second
	asideMost = 6
)

// A crawl learns which links are good from every page it reads. The more fetches are in flight at once, the more links it chooses without
// that knowledge, and this costs most at first, when it knows least. So with a dispatcher whose workers could fetch many pages at once,
// it starts with firstOut fetches and allows one for every readPer pages read. Within this process, there are few workers anyway.
//
// On 11 tasks of recorded webs, the area under the recall of such crawls was 0.59 on average, with 64 workers as with 512; that of
// crawls that waited for each page was 0.60.
const (
	firstOut = 4
	readPer  = 8
)

// probeKey is the key of a probe among the fetches in flight.
const probeKey = ""

// flight is a fetch that a crawl has started and whose result it has not processed yet. Times are since flights.epoch.
type flight struct {
	slow  bool          // its host was slow the last time: it is set aside from the start
	slept bool          // the machine slept while it was under way
	began time.Duration // 0 until its task is dispatched
	entry frontier.Entry
	at    time.Time // the same on the crawl's clock
	probe bool
	ended atomic.Int64 // a time.Duration, 0 before; a result that waits to be processed is not set aside
}

// flights are the fetches that a crawl has started and whose results it has not processed yet. They may outlive the turn
// that started them. Only halt may be called concurrently with other methods.
type flights struct {
	work    work.Dispatcher
	durable bool // work stores its tasks
	live    bool // Options.Live
	get     getter
	of      map[string]*flight // by URL
	results chan fetched
	epoch   time.Time
	workers int
	most    int // fetches that may be set aside

	sentMu sync.Mutex
	sent   map[string]*flight // whose result has not arrived, by URL of the task

	mu      sync.Mutex
	running context.Context
	cancel  context.CancelFunc // of all fetches in flight
	halting *time.Timer        // calls cancel after a halt; nil before
}

func newFlights(f fetch.Fetcher, o *Options) *flights {
	parse := work.Parser(o.Parse)
	if parse == nil {
		parse = work.HTML
	}
	sketches, most := o.Live || o.Trap != nil, 0
	if o.Live && o.Workers > 1 && (o.Dispatch == nil || !o.Dispatch.Durable()) { // one worker makes a crawl repeatable
		most = asideMost * o.Workers
	}
	all := o.Workers + most + 1 // one for a probe
	d := o.Dispatch
	if d == nil {
		d = work.NewLocal(work.New(f, o.Clock, parse, sketches), all)
	}
	return &flights{
		work: d, durable: d.Durable(), live: o.Live,
		get: getter{
			clock: clock.Or(o.Clock), parse: parse, archive: o.Archive, renderer: o.Renderer, renderPages: o.RenderPages, sketches: sketches,
		},
		of:      make(map[string]*flight),
		sent:    make(map[string]*flight),
		results: make(chan fetched, all),
		epoch:   time.Now(), workers: o.Workers, most: most,
	}
}

// width is the maximum number of fetches in flight, without those set aside.
func (f *flights) width() int {
	if f.durable {
		return f.work.Width()
	}
	return f.workers
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

// now is the time since epoch, at least 1 ns. It is the machine's, like that of the network, whatever clock the crawl uses.
func (f *flights) now() time.Duration { return max(time.Since(f.epoch), 1) }

// aside returns how many fetches are set aside, and the time until the next one is, 0 when none will be.
func (f *flights) aside() (n int, next time.Duration) {
	now := f.now()
	for _, one := range f.of {
		left := setAside - (now - one.began)
		switch {
		case one.ended.Load() > 0:
		case one.slow, one.began > 0 && left <= 0:
			n++
		case one.began > 0 && (next == 0 || left < next):
			next = left
		}
	}
	return n, next
}

// full reports whether the fetch limit is reached after read pages and, if so, how long to wait before asking again; 0 means until a
// result arrives.
func (f *flights) full(read int) (full bool, wait time.Duration) {
	if full, wait = f.enough(read); full {
		return true, wait
	}
	width := f.width()
	if len(f.of) < width {
		return false, 0
	}
	n, next := f.aside()
	if n >= f.most {
		n, next = f.most, 0
	}
	return len(f.of)-n >= width, next
}

// enough reports whether a crawl that has read this many pages has enough fetches in flight and, if so, how long to wait before asking
// again. On the live web, slow fetches do not count: hosts that never answer must not hold up the others.
func (f *flights) enough(read int) (ok bool, wait time.Duration) {
	few := max(firstOut, read/readPer)
	if !f.durable || len(f.of) < few {
		return false, 0
	}
	n := 0
	if f.live {
		n, wait = f.aside()
	}
	return len(f.of)-n >= few, wait
}

// crowded reports whether no more fetches may be set aside.
func (f *flights) crowded() bool {
	n, _ := f.aside()
	return n >= f.most
}

// take adds a fetch that is about to start. slow says that its host was slow the last time.
func (f *flights) take(url string, slow bool) { f.of[url] = &flight{slow: slow} }

// land removes a fetch whose result has arrived. It returns how long it took, 0 if it was not launched, and whether the machine
// slept meanwhile.
func (f *flights) land(url string) (took time.Duration, slept bool) {
	one := f.of[url]
	if one == nil {
		return 0, false
	}
	delete(f.of, url)
	if one.began > 0 {
		took = time.Duration(one.ended.Load()) - one.began
	}
	return took, one.slept
}

// woke is called when the clock jumped forward: the machine slept, or the clock was set. Fetches in flight may now time
// out through no fault of their hosts.
func (f *flights) woke() {
	for _, one := range f.of {
		one.slept = true
	}
}

// launch dispatches the task of a fetch that take added. A probe requests a page only to see whether an answer comes; the ledger
// says so.
func (f *flights) launch(e frontier.Entry, probe bool) {
	ctx, key := f.running, e.URL
	if probe {
		key = probeKey
		e.Host = weburl.Host(e.URL)
	}
	one := f.of[key]
	one.entry, one.probe, one.began, one.at = e, probe, f.now(), f.get.clock.Now()
	f.sentMu.Lock()
	f.sent[e.URL] = one
	f.sentMu.Unlock()
	failpoint.Here("crawl.before-fetch")
	f.work.Dispatch(ctx, work.Task{URL: e.URL})
	go f.receive(ctx)
}

// receive takes one result, of whichever fetch in flight, to the crawl.
func (f *flights) receive(ctx context.Context) {
	for done := range f.work.Results() {
		f.sentMu.Lock()
		one := f.sent[done.URL]
		delete(f.sent, done.URL)
		f.sentMu.Unlock()
		if one == nil { // nobody waits for it
			continue
		}
		failpoint.Here("crawl.fetched")
		r := f.get.page(ctx, &done)
		if r.at.IsZero() {
			r.at = one.at
		}
		if r.entry, r.probe = one.entry, one.probe; r.probe {
			asProbe(r.response.Exchanges)
		}
		one.ended.Store(int64(f.now()))
		f.results <- r
		return
	}
}

// give adds a result that did not come from a fetch. It does not wait.
func (f *flights) give(r fetched) {
	select {
	case f.results <- r:
	default:
		go func() { f.results <- r }()
	}
}

// asProbe marks the exchanges of a probe.
func asProbe(exchanges []fetch.Exchange) {
	for i := range exchanges {
		if x := &exchanges[i]; x.Purpose == fetch.ForPage {
			x.Purpose = fetch.ForProbe
		}
	}
}
