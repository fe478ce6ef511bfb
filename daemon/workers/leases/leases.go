// Package leases gives the pages of crawls to workers, and to this machine's own hands, each for a limited time.
//
//	crawl.go    Dispatcher of a crawl: its links wait here, in memory, until a worker asks
//	grant.go    a worker asks: hosts are lent, leases stored, tasks handed out
//	arrive.go   results are checked, stored, acknowledged and handed to their crawls; the first of a task counts
//	expire.go   leases that are over: the task waits again, or is lost after three
//	workers.go  who is there, how each of them is, and what a person may do about it
//	self.go     this machine's own hands, while no worker is connected and for pages that ended two workers
//	compare.go  one page in 200 is fetched again, since a worker can lie
//
// The row of a task is stored before the task leaves, and its result before it is acknowledged. A crawl's journal stores which
// results it has used in the transaction that stores what came of them. So whatever dies at whatever moment, no page is
// recorded twice.
//
// A host is lent by the crawls' fetcher (fetch.Loan), so that one request at a time goes to it, from whichever machine. It stays lent
// until the result is here or the lease is over, and is left alone for its delay after that. A lease is over when that is so by the
// clock and by the time that has really passed: then the worker has given up, however long a message was under way.
package leases

import (
	"cmp"
	"context"
	"hash/maphash"
	"log/slog"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/failpoint"
	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
)

// Options configure Leases. Zero values are the usual ones.
type Options struct {
	Clock   clock.Clock
	Log     *slog.Logger
	Program string // version of this Nightjar

	// UserAgent returns that of workers, which is this machine's own.
	UserAgent func() string
	// Here reports whether this machine fetches while no worker is connected. nil means always.
	Here  func() bool
	Hosts *crawls.HostMemory // what hosts asked for, the same for the crawls' fetcher; nil for one of its own

	Hands bool // this machine has own hands, which Run is given
	Own   int  // tasks that the own hands do at once; 0 means 8

	StartWithin  time.Duration // how long after asking a task may start; 0 means 10 s
	FetchTimeout time.Duration // how long a task may take from its start; 0 means 30 s
	Slack        time.Duration // added to a lease for the way back; 0 means 10 s
	Patience     time.Duration // how long an ask waits for a task; 0 means a fifth of StartWithin, which runs meanwhile
	Anyone       time.Duration // how long a task waits for the worker that has its site; 0 means 2 s
	Silence      time.Duration // without a beat after which a worker counts as gone; 0 means 15 s
	Tick         time.Duration // how often leases are looked at; 0 means 500 ms
	HostRest     time.Duration // how long a host is left alone whose tasks were lost three times in a row; 0 means 15 min
	CompareOne   int           // one page in this many is fetched again; 0 means 200, below 0 none
}

// Limits.
const (
	maxLost     = 3                      // grants of an address without a result, after which the crawl is told so
	maxGrant    = 64                     // tasks in one answer
	maxBehind   = 256                    // results that crawls have not used yet, above which no task is granted
	maxLag      = 10 * time.Second       // how long the oldest of them may wait
	shortWait   = 500 * time.Millisecond // a task whose host is not ready for longer goes back to its crawl; see fetch.Live
	tryAgain    = 100 * time.Millisecond // when a task is looked at again that could not be stored as granted
	leastWait   = 10 * time.Millisecond  // before a task is looked at again whose host was not ready
	wallMost    = time.Hour              // a clock that was set back lengthens no lease by more
	sickHosts   = 3                      // hosts on which a worker lost tasks, with no result in between, that make it sick
	maxFailedBy = 10_000
)

// key is a link of a crawl.
type key struct {
	crawl int64
	url   string
}

// attempt is a grant of a task.
type attempt struct {
	task string
	n    int
}

// given is a result that a crawl was given.
type given struct {
	crawl int64
	since time.Time
}

// place is where a task is.
type place int

const (
	waiting place = iota // in Leases.queue
	taken                // being granted, or being looked after by this machine
	out                  // a worker has it
	arrived              // its result is stored, and no crawl wanted it so far
	idle                 // its row waits, and no crawl does
)

// task is a link that a crawl dispatched, or that a row is stored of. Guarded by Leases.mu.
type task struct {
	key
	id      string
	seq     int64 // order of dispatch
	at      place
	stored  bool // there is a row
	final   string
	host    string
	site    string
	attempt int
	lost    int
	prior   *work.Result // up to final, nil before the first redirect to another host
	avoid   string       // a worker that could not fetch it
	since   time.Time    // when it began to wait
	ready   time.Time    // not to be tried before

	crawl *Crawl          // that waits for its result, nil for none
	ctx   context.Context // of Dispatch
	stop  func() bool     // ends the watch of ctx
}

// grant is a task that a worker has, or may have.
type grant struct {
	id      attempt
	task    *task
	crawl   int64
	url     string // final of the task
	host    string
	site    string
	etag    string
	changed string // Last-Modified
	worker  string
	loan    *fetch.Loan // nil after a restart
	live    *fetch.Live // that made the loan
	wall    time.Time   // end of the lease
	mono    time.Duration
	delay   time.Duration
}

// Leases gives out tasks; it is the daemon's work.Desk. Make it with New. Its methods may be called concurrently.
type Leases struct {
	crew

	order sync.Mutex // held while results arrive and while leases end; before mu

	// mu guards these.
	live      *fetch.Live // lends hosts; nil while no crawl is in memory
	keep      bool        // the archive wants the bodies of requests
	seq       int64
	queue     []*task // waiting, in order of dispatch
	byKey     map[key]*task
	byID      map[string]*task
	grants    map[attempt]*grant
	behind    map[string]given // results that crawls have and have not used yet
	hostLost  map[string]int   // tasks lost in a row, by host
	failedBy  map[key]string   // workers that could not fetch a link
	sums      sums
	ready     bool            // what arrived before the start is stored
	opened    context.Context // of what is done with live
	closing   context.CancelFunc
	here      bool // Options.Here, as it was asked last
	comparing int
	secret    maphash.Seed // of what is compared
	compares  sync.WaitGroup
}

// sums are counts since the start.
type sums struct{ duplicates, unknown, lost int64 }

// New loads the tasks that are open. Call Run next.
func New(ctx context.Context, st *store.Store, o Options) (*Leases, error) {
	o.Clock = clock.Or(o.Clock)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	for of, usual := range map[*time.Duration]time.Duration{
		&o.StartWithin:  failpoint.Span("lease.start-within", 10*time.Second),
		&o.FetchTimeout: failpoint.Span("lease.fetch-timeout", 30*time.Second),
		&o.Slack:        failpoint.Span("lease.slack", 10*time.Second),
		&o.Anyone:       2 * time.Second, &o.Silence: 15 * time.Second, &o.Tick: 500 * time.Millisecond,
		&o.HostRest: failpoint.Span("lease.host-rest", 15*time.Minute),
	} {
		*of = cmp.Or(*of, usual)
	}
	o.Patience, o.Own, o.CompareOne = cmp.Or(o.Patience, o.StartWithin/5), cmp.Or(o.Own, 8), cmp.Or(o.CompareOne, 200)
	o.Hosts = cmp.Or(o.Hosts, crawls.NewHostMemory(st.DB))
	l := &Leases{
		crew: crew{
			st: st, o: o, clock: o.Clock, began: time.Now(), changed: make(chan struct{}),
			workers: map[string]*worker{}, counts: map[string]WorkerCounts{},
		},
		byKey: map[key]*task{}, byID: map[string]*task{}, grants: map[attempt]*grant{},
		behind: map[string]given{}, hostLost: map[string]int{}, failedBy: map[key]string{}, secret: maphash.MakeSeed(),
	}
	l.askHere()
	return l, l.load(ctx)
}

// load reads the open tasks and the invited workers.
func (l *Leases) load(ctx context.Context) error {
	all, err := crawls.OpenTasks(ctx, l.st.DB)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range all {
		l.restore(&all[i])
	}
	return l.loadWorkers(ctx)
}

// restore takes a task from before the start. No crawl waits for it yet; the lock is held.
func (l *Leases) restore(r *crawls.Task) {
	t := l.newTask(key{r.CrawlID, r.URL}, r.ID)
	t.stored, t.attempt, t.lost = true, r.Attempt, r.Lost
	t.goTo(r.FinalURL)
	if r.Hops != nil {
		prior, err := work.Decode(r.Hops)
		if err != nil {
			l.o.Log.Error("what came of a page's redirects cannot be read; it is fetched from its first address", "url", r.URL, "error", err)
			t.goTo(r.URL)
		} else {
			prior.From(prior.Worker)
			t.prior = &prior
		}
	}
	switch r.State {
	case crawls.TaskArrived:
		t.at = arrived
	case crawls.TaskGranted:
		t.at = out
		lease := min(max(r.Until.Sub(l.clock.Now()), 0), l.lease())
		l.grants[attempt{t.id, t.attempt}] = &grant{
			id: attempt{t.id, t.attempt}, task: t, crawl: r.CrawlID, url: t.final, host: t.host, site: t.site, worker: r.Worker,
			wall: r.Until, mono: l.now() + lease, delay: r.Delay,
		}
	default:
		t.at = idle
	}
}

// lease is how long a task is out at most.
func (l *Leases) lease() time.Duration { return l.o.StartWithin + l.o.FetchTimeout + l.o.Slack }

// Open takes the fetcher of the crawls, which lends hosts from now on, until Shut. keep says that the archive wants the bodies of
// requests. Hosts that workers may be asking are left alone.
func (l *Leases) Open(ctx context.Context, live *fetch.Live, keep bool) error {
	rows, err := crawls.TasksOut(ctx, l.st.DB)
	if err != nil {
		return err
	}
	now := l.clock.Now()
	for i := range rows {
		if r := &rows[i]; r.Out(now) {
			live.Hold(ctx, r.FinalURL, min(max(r.Until.Sub(now), 0), l.lease()))
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.live, l.keep = live, keep
	l.opened, l.closing = context.WithCancel(context.Background())
	l.wake()
	return nil
}

// Shut ends Open. Tasks that are out stay so; what becomes of them is learned by the next fetcher.
func (l *Leases) Shut() {
	l.mu.Lock()
	l.live = nil
	if l.closing != nil {
		l.closing()
	}
	l.wake()
	l.mu.Unlock()
	l.compares.Wait()
}

// askHere asks whether this machine may fetch. That may read the disk, so it is not asked for each task.
func (l *Leases) askHere() {
	here := l.o.Here == nil || l.o.Here()
	l.mu.Lock()
	defer l.mu.Unlock()
	if here != l.here {
		l.here = here
		l.wake()
	}
}

// Run watches leases and workers, and works with this machine's own hands, until ctx ends. caught is closed when results that workers
// sent before the start have arrived: before that nothing is granted to workers, and no lease is over. hands makes the own hands, which
// keep to the terms of tasks; see work.NewRemote. It is nil without Options.Hands.
func (l *Leases) Run(ctx context.Context, caught <-chan struct{}, hands func(context.Context) (*work.Hands, error)) error {
	var working sync.WaitGroup
	if hands != nil {
		working.Go(func() { l.self(ctx, hands) })
	}
	defer working.Wait()
	select {
	case <-caught:
	case <-l.clock.NewTimer(l.lease()).C:
		l.o.Log.Warn("the results of workers from before the start do not come in; the crawls go on without them")
	case <-ctx.Done():
		return nil
	}
	l.mu.Lock()
	l.ready = true
	l.wake()
	l.mu.Unlock()
	for n := 0; ; n++ {
		tick := l.clock.NewTimer(l.o.Tick)
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return l.flush(context.WithoutCancel(ctx))
		}
		l.expire(ctx)
		l.watch()
		l.askHere()
		if n%10 == 9 {
			if err := l.flush(ctx); err != nil && ctx.Err() == nil {
				l.o.Log.Warn("what workers did is not stored; it is tried again", "error", err)
			}
		}
		if n%1200 == 0 {
			if err := crawls.PruneTasks(ctx, l.st.DB); err != nil && ctx.Err() == nil {
				l.o.Log.Warn("old tasks are kept for now", "error", err)
			}
		}
	}
}
