package crawler

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

const (
	maxQueued = 250_000
	maxBegun  = 2 // attempts at a page: a fetch that was interrupted twice is given up
)

// ErrNoStart is returned for a crawl without a start page that may be fetched.
var ErrNoStart = errors.New("no start page to crawl from")

// Crawl is a crawl in memory. Its methods, except Halt, must not be called concurrently.
type Crawl struct {
	o         Options
	frontier  *frontier.Frontier
	hosts     *hosts
	network   *network
	flights   *flights
	intake    *intake
	learning  *learning
	promising *promising
	picks     picks
	looks     *looks
	recorder  *recorder
	meter     *meter
	stock     *stock
	reread    *reread // nil once the stored pages are read again, or need not be
	lists     *lists
	visited   *visited
	waits     Wait // as OnWait was told
}

// Next calls each with the n waiting links that are worth most, best first, whether their hosts may be asked now or not. Only OnFetch
// may call it while Run is running. each must not keep the entry.
func (c *Crawl) Next(n int, each func(*frontier.Entry)) { c.frontier.Best(n, each) }

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
	c := &Crawl{o: o, recorder: newRecorder(&o), meter: &meter{clock: o.Clock, budget: o.Budget}}
	c.hosts = newHosts(f, &o, c.recorder, c.meter)
	c.frontier = frontier.New(o.MaxQueued, c.hosts.readyAt)
	c.hosts.frontier = c.frontier
	c.learning = newLearning(s, &o, c.frontier)
	c.picks = newPicks(s, c.frontier)
	c.flights = newFlights(f, &o)
	c.lists = newLists(f, c)
	if p, ok := s.(strategy.Preparer); ok {
		c.flights.get.prepare = p.Prepare
	}
	c.hosts.flights = c.flights
	c.intake = newIntake(s, c)
	c.looks, c.visited = c.intake.looks, c.intake.visited
	c.network = newNetwork(c, f, c.intake)
	c.intake.network = c.network
	c.promising = newPromising(s, c)
	c.intake.promising = c.promising
	if err := c.restore(); err != nil {
		return nil, err
	}
	if o.Resume == nil && c.frontier.Len() == 0 {
		return nil, ErrNoStart
	}
	return c, nil
}

// Run crawls until the budget of the crawl or of the turn is used, no link is left, or ctx ends.
//
// At the end of a turn, fetches stay in flight: the next Run processes their results, or Close when there is no next Run.
// Other ends wait for them. When ctx ends, fetches in flight have two seconds to finish; the others are put back. If the
// cause of ctx is a Stop, it is the reason in the result. An error is the journal's; the crawl can then only be resumed
// from what was committed.
func (c *Crawl) Run(ctx context.Context, turn Budget) (Result, error) {
	c.flights.open()
	c.learning.ctx = ctx
	c.meter.begin(turn, c.flights.len())
	if c.reread != nil {
		if goOn, end, reason, err := c.readAgain(ctx); !goOn {
			return c.result(end, reason), err
		}
	}
	if goOn, end, reason, err := c.readVisited(ctx); !goOn {
		return c.result(end, reason), err
	}
	end, reason, err := c.loop(ctx)
	if err != nil {
		err = fmt.Errorf("crawl: %w", err)
	}
	return c.result(end, reason), err
}

// Halt gives the fetches in flight two seconds to finish. It may be called at any time; only Close may follow.
func (c *Crawl) Halt() { c.flights.halt() }

// Close waits for the fetches in flight and commits their results, like a Run whose ctx has ended, and what was learned so far.
// Without it, those pages are fetched once more when the crawl is resumed.
func (c *Crawl) Close() error {
	if c.recorder.failed {
		return nil
	}
	if c.flights.len() > 0 || !c.network.settled() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := c.Run(ctx, Budget{}); err != nil {
			return err
		}
	}
	return c.keepLearned()
}

// keepLearned commits what the strategy has learned since its last snapshot.
func (c *Crawl) keepLearned() error {
	last := Reread{Learned: c.learning.last(c.intake.lastN)}
	if last.Learned == nil || c.reread != nil {
		return nil
	}
	if err := c.o.Journal.Commit(context.Background(), &Batch{Reread: &last}); err != nil {
		return fmt.Errorf("crawl: commit what was learned: %w", err)
	}
	return nil
}

// InFlight returns the number of fetches in flight. They count as pages of budget.
func (c *Crawl) InFlight() int { return c.flights.len() }

// Forgot returns the error of reading what the strategy had learned before the crawl was interrupted. It is nil when that
// could be read, or there was nothing. After an error the crawl goes on as if nothing had been learned yet.
func (c *Crawl) Forgot() error { return c.learning.forgot }

func (c *Crawl) result(end End, reason string) Result {
	t := &c.meter.totals
	r := Result{
		Fetched: t.Fetched, Relevant: t.Relevant, Bytes: t.Bytes, Spent: t.Spent,
		Queued: c.waiting(), Resting: c.hosts.resting, Refused: maps.Clone(c.intake.refused),
		Outcomes: maps.Clone(c.intake.outcomes), Unlearned: t.Unlearned(), End: end, StopReason: reason,
	}
	if end == Late {
		r.Waits = c.hosts.waitsFor()
	}
	if end == Unpromising {
		r.Promise = c.promising.last
	}
	return r
}

// waiting counts the links left, in memory and in the store, each once.
func (c *Crawl) waiting() int {
	here := c.frontier.Len() + c.hosts.left
	if !c.stock.waits() {
		return here
	}
	all, err := c.o.Resume.Waiting()
	if err != nil { // what is known
		return here
	}
	return all - c.flights.len() - c.hosts.allKept()
}

// look reads the clock and, when it jumped, adjusts all waiting times.
func (c *Crawl) look() {
	switch c.meter.look(c.network.waits()) {
	case setBack:
		c.hosts.wake()
		c.network.setBack(c.meter.looked)
	case woke:
		c.flights.woke()
	}
}

// cause returns the reason of a stop in words.
func (c *Crawl) cause(ctx context.Context) string {
	reason := "stopped"
	if s, ok := errors.AsType[Stop](context.Cause(ctx)); ok {
		reason = string(s)
	}
	if c.network.waits() {
		reason += "; it was waiting: " + c.network.why
	}
	return reason
}
