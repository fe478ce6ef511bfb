package crawler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
)

const (
	grace       = 2 * time.Second // what fetches in flight get to end in when a crawl is stopped
	longest     = time.Second     // sleep between two looks at the clock, which may be set or have slept
	longestLook = time.Minute     // running time added between two looks
	maxQueued   = 250_000
	maxBegun    = 2 // times a fetch is begun: what was cut short twice is given up
)

// ErrNoStart is returned for a crawl without a start page that may be fetched.
var ErrNoStart = errors.New("no start page to crawl from")

// Crawl is a crawl in memory. Its methods must not be called concurrently.
type Crawl struct {
	f        fetch.Fetcher
	s        strategy.Strategy
	o        Options
	frontier *frontier.Frontier
	paths    *paths
	texts    map[int64]struct{}
	hosts    map[string]int // pages of budget used, by host
	sites    map[string]int // and by site
	capped   bool           // a host or site reached its limit
	totals   Totals
	outcomes map[fetch.Outcome]int
	lastN    int
	seq      int64
	inFlight int
	results  chan fetched
	forgot   error // why what had been learned could not be read

	turn   Budget    // of this Run
	before Totals    // at its beginning
	looked time.Time // when the clock was last read
}

// fetched is what a worker hands back.
type fetched struct {
	entry    frontier.Entry
	at       time.Time
	response fetch.Response
	page     *page.Page
}

// Run crawls until the budget is used, no link is left, or ctx ends; see Crawl.Run.
func Run(ctx context.Context, f fetch.Fetcher, s strategy.Strategy, o Options) (Result, error) {
	c, err := New(f, s, o)
	if err != nil {
		return Result{}, err
	}
	return c.Run(ctx, Budget{})
}

// New prepares a crawl. It returns ErrNoStart for a new crawl without a start page that may be fetched.
func New(f fetch.Fetcher, s strategy.Strategy, o Options) (*Crawl, error) {
	o.Workers = max(o.Workers, 1)
	if o.MaxQueued == 0 {
		o.MaxQueued = maxQueued
	}
	o.Clock = clock.Or(o.Clock)
	c := &Crawl{
		f: f, s: s, o: o,
		frontier: frontier.New(o.MaxQueued, f.ReadyAt),
		paths:    &paths{steps: make(map[int]numbered)},
		texts:    make(map[int64]struct{}),
		hosts:    make(map[string]int),
		sites:    make(map[string]int),
		outcomes: make(map[fetch.Outcome]int),
		results:  make(chan fetched, o.Workers),
	}
	c.restore()
	if o.Resume == nil && c.frontier.Len() == 0 {
		return nil, ErrNoStart
	}
	return c, nil
}

// Run goes on crawling until the crawl's budget or the turn's is used, no link is left, or ctx ends. When ctx ends,
// fetches in flight have two seconds to end; those that do not stay in the frontier. The cause of ctx, when it is a
// Stop, is the reason in the result. The error is the journal's.
func (c *Crawl) Run(ctx context.Context, turn Budget) (Result, error) {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	c.turn, c.before, c.looked = turn, c.totals, c.o.Clock.Now()
	end, reason, err := c.loop(ctx, running, cancel)
	if err != nil {
		err = fmt.Errorf("crawl: %w", err)
	}
	return c.result(end, reason), err
}

func (c *Crawl) result(end End, reason string) Result {
	return Result{
		Fetched: c.totals.Fetched, Relevant: c.totals.Relevant, Bytes: c.totals.Bytes, Spent: c.totals.Spent,
		Queued: c.frontier.Len(), Outcomes: maps.Clone(c.outcomes), End: end, StopReason: reason,
	}
}

// used says which budget is used up, with fetches in flight counted as pages; reason is "" when none is.
func (c *Crawl) used() (end End, reason string) {
	c.look()
	t, b := c.totals, c.before
	if r := c.o.Budget.over(spent{t.Fetched, t.Bytes, t.Spent}, c.inFlight); r != "" {
		return Used, r
	}
	return Turn, c.turn.over(spent{t.Fetched - b.Fetched, t.Bytes - b.Bytes, t.Spent - b.Spent}, c.inFlight)
}

// look adds the time since the last look to the running time. A clock that was set back adds nothing, and one that
// jumped, as after the machine slept, at most a minute.
func (c *Crawl) look() {
	now := c.o.Clock.Now()
	c.totals.Spent += min(max(0, now.Sub(c.looked)), longestLook)
	c.looked = now
}

// loop begins fetches and takes in their results until used names a reason to stop and no fetch is in flight.
func (c *Crawl) loop(ctx, running context.Context, cancel func()) (End, string, error) {
	stopping := ctx.Done()
	var fail error
	for {
		c.hear()
		end, reason := c.used()
		var wait time.Duration
		for reason == "" && fail == nil && ctx.Err() == nil && c.inFlight < c.o.Workers {
			if wait, fail = c.begin(running); wait != 0 {
				break
			}
			end, reason = c.used()
		}
		if fail != nil {
			cancel()
		}
		if c.inFlight == 0 {
			switch {
			case fail != nil:
				return Stopped, "an error: " + fail.Error(), fail
			case ctx.Err() != nil:
				return Stopped, cause(ctx), nil
			case reason != "":
				return end, onlyCrawl(end, reason), nil
			case wait < 0:
				return NoLinks, c.noLinks(), nil
			}
		}
		if wait <= 0 || wait > longest {
			wait = longest
		}
		alarm := c.o.Clock.NewTimer(wait)
		select {
		case r := <-c.results:
			if err := c.finish(running, r); err != nil && fail == nil {
				fail = err
			}
		case <-alarm.C:
		case <-stopping:
			stopping = nil
			defer time.AfterFunc(grace, cancel).Stop()
		}
		alarm.Stop()
	}
}

// begin starts fetching the best link. Otherwise it returns how long the next host waits, or -1 when there is none.
func (c *Crawl) begin(ctx context.Context) (wait time.Duration, err error) {
	now := c.o.Clock.Now()
	e, next, ok := c.frontier.Pop(now)
	switch {
	case !ok && next.IsZero():
		return -1, nil
	case !ok:
		return max(next.Sub(now), time.Millisecond), nil
	case c.closeFullHost(e.Host):
		c.frontier.Release(e.Host)
		return 0, nil
	}
	c.inFlight++
	c.sites[page.Site(e.URL)]++
	if e.Attempts >= maxBegun {
		c.results <- fetched{entry: e, at: now, response: givenUp(e.URL)}
		return 0, nil
	}
	if c.o.Journal != nil {
		if err := c.o.Journal.Begin(ctx, e.URL); err != nil {
			c.inFlight--
			return 0, fmt.Errorf("note the beginning of a fetch: %w", err)
		}
	}
	go func() { c.results <- get(ctx, c.f, e, now) }()
	return 0, nil
}

// get fetches and parses; it runs in a goroutine of its own.
func get(ctx context.Context, f fetch.Fetcher, e frontier.Entry, now time.Time) fetched {
	r := fetched{entry: e, at: now, response: f.Fetch(ctx, e.URL)}
	if r.response.FinalURL == "" {
		r.response.FinalURL = e.URL
	}
	r.page = read(&r.response)
	return r
}

// read parses the page that an answer holds, nil without one; an answer that cannot be parsed is none of a page.
func read(r *fetch.Response) *page.Page {
	if r.Outcome != fetch.OK {
		return nil
	}
	p, err := page.Parse(r.FinalURL, page.ContentUTF8, r.Body)
	if err != nil {
		r.Outcome, r.Reason = fetch.Type, err.Error()
		return nil
	}
	p.NoIndex = p.NoIndex || r.NoIndex
	p.NoFollow = p.NoFollow || r.NoFollow
	return p
}

func givenUp(url string) fetch.Response {
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Canceled, Reason: "given up: cut short twice"}
}

// closeFullHost closes a host that has had its pages, or whose site has, and reports whether it did.
func (c *Crawl) closeFullHost(host string) bool {
	full := c.o.Budget.PerHost > 0 && c.hosts[host] >= c.o.Budget.PerHost ||
		c.o.DomainCap > 0 && c.sites[page.Site("http://"+host+"/")] >= c.o.DomainCap
	if full {
		c.frontier.Close(host)
		c.capped = true
	}
	return full
}

func (c *Crawl) noLinks() string {
	if c.capped {
		return "no links left within the limits of pages per host and site"
	}
	return "no links left"
}

func onlyCrawl(end End, reason string) string {
	if end == Turn {
		return ""
	}
	return reason
}

// cause is the reason of a stop in words.
func cause(ctx context.Context) string {
	if s, ok := errors.AsType[Stop](context.Cause(ctx)); ok {
		return string(s)
	}
	return "stopped"
}
