package crawler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync/atomic"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

const (
	longestLook = time.Minute // running time added between two looks; a clock that moves more has jumped
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
	hosts    map[string]int      // pages of budget used, by host
	sites    map[string]int      // and by site
	capped   bool                // a host or site reached its limit
	refused  map[string]int      // links that the guard refused when popped, by reason
	waiting  map[string][]string // addresses from the sitemaps of hosts of which no page was read yet
	totals   Totals
	outcomes map[fetch.Outcome]int
	lastN    int
	seq      int64
	learning context.Context // of this Run: when it ends the strategy learns no more
	stale    int             // rounds through the queue until all of it is in the new order
	forgot   error           // why what had been learned could not be read
	snapshot int             // number of the fetch at which what was learned was kept last

	flying     map[string]flight // fetches that were begun, by URL
	results    chan fetched
	batch      Batch            // not kept yet
	begun      []frontier.Entry // whose fetches begin when it is
	commits    chan handed      // batches that are kept
	committing bool             // one is being kept
	rendered   atomic.Int32     // pages whose scripts were run
	probes     []string         // pages to ask for once more, only to see whether an answer comes
	trouble    error            // of archive or renderer, the first

	failing map[string]HostFailures
	held    map[string]time.Time // hosts that failed are not asked before
	left    int                  // links of hosts that rest
	resting int                  // hosts
	outage  outage

	turn   Budget        // of this Run
	before Totals        // at its beginning
	idle   time.Duration // of this Run, spent waiting for the network
	looked time.Time     // when the clock was last read, wall time
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
	if o.Budget.PerSite == 0 {
		o.Budget.PerSite = o.DomainCap
	}
	o.Clock = clock.Or(o.Clock)
	c := &Crawl{
		f: f, s: s, o: o,
		paths:    &paths{steps: make(map[int]numbered)},
		texts:    make(map[int64]struct{}),
		hosts:    make(map[string]int),
		sites:    make(map[string]int),
		refused:  make(map[string]int),
		waiting:  make(map[string][]string),
		outcomes: make(map[fetch.Outcome]int),
		flying:   make(map[string]flight),
		results:  make(chan fetched, o.Workers+1), // and a probe
		commits:  make(chan handed, 1),
		failing:  make(map[string]HostFailures),
		held:     make(map[string]time.Time),
	}
	c.frontier = frontier.New(o.MaxQueued, c.readyAt)
	if err := c.restore(); err != nil {
		return nil, err
	}
	if o.Resume == nil && c.frontier.Len() == 0 {
		return nil, ErrNoStart
	}
	return c, nil
}

// Run goes on crawling until the crawl's budget or the turn's is used, no link is left, or ctx ends. When ctx ends,
// fetches in flight have two seconds to end; those that do not are put back. The cause of ctx, when it is a Stop, is the
// reason in the result. The error is the journal's.
func (c *Crawl) Run(ctx context.Context, turn Budget) (Result, error) {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	c.turn, c.before, c.idle, c.looked, c.learning = turn, c.totals, 0, c.now(), ctx
	end, reason, err := c.loop(ctx, running, cancel)
	if err != nil {
		err = fmt.Errorf("crawl: %w", err)
	}
	return c.result(end, reason), err
}

func (c *Crawl) result(end End, reason string) Result {
	return Result{
		Fetched: c.totals.Fetched, Relevant: c.totals.Relevant, Bytes: c.totals.Bytes, Spent: c.totals.Spent,
		Queued: c.frontier.Len() + c.left, Resting: c.resting, Refused: maps.Clone(c.refused),
		Outcomes: maps.Clone(c.outcomes), Unlearned: c.totals.Unlearned(), End: end, StopReason: reason,
	}
}

// used says which budget is used up, with fetches in flight counted as pages; reason is "" when none is. Waiting for the
// network uses time of the turn, not of the crawl.
func (c *Crawl) used() (end End, reason string) {
	c.look()
	t, b := c.totals, c.before
	if r := c.o.Budget.over(spent{t.Fetched, t.Bytes, t.Spent}, len(c.flying)); r != "" {
		return Used, r
	}
	return Turn, c.turn.over(spent{t.Fetched - b.Fetched, t.Bytes - b.Bytes, t.Spent - b.Spent + c.idle}, len(c.flying))
}

// now is the wall time: the machine's monotonic clock stands still while it sleeps.
func (c *Crawl) now() time.Time { return c.o.Clock.Now().Round(0) }

// look adds the time since the last look to the running time. A clock that was set back adds nothing, and one that
// jumped, as after the machine slept, at most a minute.
func (c *Crawl) look() {
	now := c.now()
	passed := now.Sub(c.looked)
	c.looked = now
	switch {
	case passed < 0:
		c.setBack()
	case passed > longestLook:
		c.woke()
	}
	passed = min(max(0, passed), longestLook)
	if c.outage.waits() {
		c.idle += passed
	} else {
		c.totals.Spent += passed
	}
}

func (c *Crawl) noLinks() string {
	switch {
	case c.left > 0:
		return fmt.Sprintf("no links left, except %s of %s that failed", count(c.left, "link"), count(c.resting, "host"))
	case c.capped:
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
func (c *Crawl) cause(ctx context.Context) string {
	reason := "stopped"
	if s, ok := errors.AsType[Stop](context.Cause(ctx)); ok {
		reason = string(s)
	}
	if c.outage.waits() {
		reason += ", while " + c.outage.why
	}
	return reason
}
