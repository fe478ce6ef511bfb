package crawler

import (
	"context"
	"fmt"
	"math"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
)

// longest is the longest time between two looks at the clock: it may be set, or the machine may sleep.
const longest = time.Second

// loop is the crawl of [HMM] fig. 7: take the best link, fetch the page, parse it, classify it, update the state along its
// path, and queue its links by the strategy's priorities. Fetches overlap: workers fetch pages (get.go) while the loop
// chooses links, and the loop processes their results one by one (finish.go). One commit holds both the attempts that
// ended since the last commit and the fetches that start next (recorder.go).
func (c *Crawl) loop(ctx context.Context) (End, string, error) {
	stopping := ctx.Done()
	var fail error
	for {
		c.hear()
		c.learning.reorderSome()
		if fail == nil && ctx.Err() == nil {
			if fail = c.stock.some(); fail != nil {
				c.flights.cancel()
			}
		}
		var n next
		var hold time.Duration
		var late string
		if fail == nil {
			n = c.fill(ctx)
			late = c.idle(&n)
			if !n.over && !n.held && !n.poor && n.used == "" && ctx.Err() == nil {
				hold = c.recorder.wait(c.flights.len())
			}
			if hold == 0 {
				c.recorder.commit(&c.meter.totals)
			}
		}
		switch {
		case hold > 0, c.recorder.busy():
		case c.flights.len() > 0 && n.over && fail == nil && ctx.Err() == nil:
			return Turn, "", nil
		case c.flights.len() > 0:
		case fail != nil:
			return Stopped, "an error: " + fail.Error(), fail
		case ctx.Err() != nil && c.network.letGo():
			continue
		case ctx.Err() != nil:
			return Stopped, c.cause(ctx), nil
		case n.used != "":
			return Used, n.used, nil
		case n.poor:
			return Unpromising, c.promising.last.Says(c.o.StopBelow), nil
		case n.over, n.held:
			return Turn, "", nil
		case !n.none && late == "":
		case !c.network.settled():
			c.network.alone(late != "")
			continue
		case n.none && c.stock.waits():
			continue
		case n.none:
			return NoLinks, c.hosts.noLinks(c.intake.outcomes[fetch.Robots]) + c.looks.waiting(), nil
		default:
			return Late, tooLate(late, c.hosts.waitsFor()), nil
		}
		if err := c.sleep(n.wait, hold, &stopping); err != nil && fail == nil {
			fail = err
			c.flights.cancel()
		}
	}
}

// next is the state of the crawl after fill.
type next struct {
	used string // the limit of the crawl's budget that is reached, "" for none
	over bool   // the turn is over
	poor bool   // the next pages promise too little; see Options.StopBelow
	held bool   // no fetch may start; see Options.MayBegin
	none bool   // no link is left, and none waits for a host

	waits bool          // no link may be followed before wait is over
	wait  time.Duration // until the next host may be contacted, or a fetch is set aside; 0 when only a result changes anything
}

// fill pops links for idle workers.
func (c *Crawl) fill(ctx context.Context) (n next) {
	for {
		c.look()
		flying := c.flights.len()
		n.used, n.over = c.meter.used(flying), c.meter.over(flying)
		n.held = c.o.MayBegin != nil && !c.o.MayBegin(c.meter.looked)
		n.poor = c.promising.poor()
		if n.used != "" || n.over || n.poor || n.held || ctx.Err() != nil {
			return n
		}
		var full bool
		if full, n.wait = c.flights.full(c.intake.lastN); full {
			return n
		}
		if c.network.checks() {
			n.wait = c.probe()
			return n
		}
		if c.lists.begin(c.o.Clock.Now(), false) {
			continue
		}
		if n.wait = c.begin(); n.wait != 0 {
			if n.wait < 0 && c.lists.begin(c.o.Clock.Now(), true) {
				continue
			}
			if wait := c.lists.wait(c.o.Clock.Now()); n.wait < 0 && wait > 0 {
				n.wait = wait
				return n
			}
			n.none, n.waits = n.wait < 0, n.wait > 0
			return n
		}
	}
}

// sleep waits until results arrive (and processes all of them), a commit is done, or the time is up: wait by the crawl's
// clock, or hold by the machine's, 0 for no limit. The error is the journal's.
func (c *Crawl) sleep(wait, hold time.Duration, stopping *<-chan struct{}) error {
	if wait <= 0 || wait > longest {
		wait = longest
	}
	alarm := c.o.Clock.NewTimer(wait)
	defer alarm.Stop()
	var held <-chan time.Time
	if hold > 0 {
		held = time.After(hold)
	}
	select {
	case r := <-c.flights.results:
		c.finish(r)
		for len(c.flights.results) > 0 && len(c.recorder.commits) == 0 {
			c.finish(<-c.flights.results)
		}
	case h := <-c.recorder.commits:
		return c.kept(h)
	case <-alarm.C:
	case <-held:
	case <-*stopping:
		*stopping = nil
		c.flights.halt()
	}
	return nil
}

// begin chooses the best link. Its fetch starts after the next commit, or at once if the dispatcher stores its tasks. When no link can be fetched now, it returns the
// time until the next host may be contacted, or -1 when no link is left.
func (c *Crawl) begin() (wait time.Duration) {
	now := c.o.Clock.Now()
	c.lookAgain(false)
	e, explored, at, ok := c.choose(now)
	switch {
	case !ok && at.IsZero() && c.empty() && c.lookAgain(true):
		return 0
	case !ok && at.IsZero():
		return -1
	case !ok:
		return max(at.Sub(now), time.Millisecond)
	case c.hosts.full(e.Host):
		c.hosts.closeFull(e.Host)
		c.frontier.Release(e.Host)
		return 0
	case !c.intake.admit(e):
		c.frontier.Release(e.Host)
		return 0
	}
	c.meter.active = c.meter.looked
	c.lists.since++
	c.tellWait(Wait{})
	pick, picked := c.picks.count(&e, c.looks.of(e.URL) != nil || isNews(&e))
	if c.o.Explain {
		c.intake.choices[e.URL] = c.explain(&e, explored, pick)
	}
	c.flights.take(e.URL, c.hosts.slow[e.Host])
	c.hosts.reserve(e.URL)
	if e.Attempts >= maxBegun {
		c.flights.give(fetched{entry: e, at: c.meter.looked, response: givenUp(e.URL)})
		return 0
	}
	if picked {
		c.recorder.picked(e.URL, pick.N)
	}
	if c.flights.durable { // the dispatcher stores that it starts
		c.flights.launch(e, false)
	} else {
		c.recorder.begin(e)
	}
	return 0
}

// empty reports whether no link waits and none is in flight.
func (c *Crawl) empty() bool { return c.frontier.Len()+c.flights.len() == 0 && !c.stock.waits() }

// choose pops the next link; explored says that it is one of a host that the crawl has hardly seen. When no link can be fetched
// now, at is when the next host may be contacted, the zero time when none waits.
func (c *Crawl) choose(now time.Time) (e frontier.Entry, explored bool, at time.Time, ok bool) {
	order := c.picks.turn()
	if c.learning.explores() {
		e, explored = c.frontier.PopHost(order, now, c.hosts.unseen)
	}
	if ok = explored; !ok {
		e, at, ok = c.frontier.Pop(order, now)
	}
	if ok {
		c.hosts.tries[e.Host]++
	}
	return e, explored, at, ok
}

// probe checks the network when it is time, and otherwise returns the time until then. It requests a page that was read
// before and, once the crawl waits, a link as well, or many when there is no such page.
func (c *Crawl) probe() (wait time.Duration) {
	if c.network.trying > 0 {
		return c.try()
	}
	url, link, wait := c.network.probe()
	if link {
		wait = c.try()
	}
	if url != "" && c.flights.of[url] == nil {
		c.flights.take(probeKey, false)
		c.recorder.probes = append(c.recorder.probes, url)
	}
	return wait
}

// try begins links that a crawl tries while it waits for the network, as many as may be in flight, however few pages it has read. It returns the time until more may be
// begun, 0 when only a result can change that.
func (c *Crawl) try() (wait time.Duration) {
	for begun := false; c.network.trying > 0; begun = true {
		var full bool
		if full, wait = c.flights.full(math.MaxInt); full {
			return wait
		}
		if c.begin() != 0 && (begun || !c.network.tryAgain() || c.begin() != 0) {
			c.network.trying = 0
			break
		}
		c.network.trying--
	}
	return 0
}

// kept reports the fetches of a committed batch and starts those that waited for the commit.
func (c *Crawl) kept(h handed) error {
	begin := c.recorder.kept(&h)
	if h.err != nil {
		for _, e := range begin {
			c.flights.land(e.URL)
		}
		c.flights.land(probeKey)
		return fmt.Errorf("commit to the journal: %w", h.err)
	}
	for _, e := range begin {
		c.flights.launch(e, false)
	}
	for _, u := range h.probes {
		c.flights.launch(frontier.Entry{URL: u}, true)
	}
	return nil
}
