package crawler

import (
	"context"
	"time"

	"nightjar/crawler/frontier"
	"nightjar/crawler/weburl"
)

const (
	grace   = 2 * time.Second // what fetches in flight get to end in when a crawl is stopped
	longest = time.Second     // sleep between two looks at the clock, which may be set or have slept
)

// flight is a fetch that was begun.
type flight struct {
	at    time.Time
	slept bool // the machine slept while it was under way
}

// loop begins fetches and takes in their results until a budget names a reason to stop and no fetch is in flight. What
// ended since the last commit and what is to begin are kept in one.
func (c *Crawl) loop(ctx, running context.Context, cancel func()) (End, string, error) {
	stopping := ctx.Done()
	var fail error
	for {
		c.hear()
		c.reorderSome()
		var next turnOf
		if fail == nil {
			next = c.fill(ctx)
			c.commit(running)
		}
		if len(c.flying) == 0 && !c.committing {
			switch {
			case fail != nil:
				return Stopped, "an error: " + fail.Error(), fail
			case ctx.Err() != nil && c.letGo():
				continue
			case ctx.Err() != nil:
				return Stopped, c.cause(ctx), nil
			case next.reason != "":
				return next.end, onlyCrawl(next.end, next.reason), nil
			case next.wait < 0 && c.outage.settled():
				return NoLinks, c.noLinks(), nil
			case next.wait < 0:
				c.alone()
				continue
			}
		}
		if err := c.sleep(running, next.wait, &stopping, cancel); err != nil && fail == nil {
			fail = err
			cancel()
		}
	}
}

// turnOf is what fill found.
type turnOf struct {
	end    End
	reason string        // to stop, "" to go on
	wait   time.Duration // until a host may be asked, -1 when no link is left, 0 when all workers are busy
}

// fill pops links for the workers that have nothing to do.
func (c *Crawl) fill(ctx context.Context) (t turnOf) {
	for {
		t.end, t.reason = c.used()
		if t.reason != "" || ctx.Err() != nil || len(c.flying) >= c.o.Workers {
			return t
		}
		if c.outage.checks() {
			t.wait = c.probe()
			return t
		}
		if t.wait = c.begin(); t.wait != 0 {
			return t
		}
	}
}

// sleep waits for results, all that have come, for a batch to be kept, or for at most a while. The error is the
// journal's.
func (c *Crawl) sleep(running context.Context, wait time.Duration, stopping *<-chan struct{}, cancel func()) error {
	if wait <= 0 || wait > longest {
		wait = longest
	}
	alarm := c.o.Clock.NewTimer(wait)
	defer alarm.Stop()
	select {
	case r := <-c.results:
		c.finish(r)
		for len(c.results) > 0 && len(c.commits) == 0 {
			c.finish(<-c.results)
		}
	case h := <-c.commits:
		return c.kept(running, h)
	case <-alarm.C:
	case <-*stopping:
		*stopping = nil
		time.AfterFunc(grace, cancel)
	}
	return nil
}

// begin takes the best link to be fetched after the next commit. Otherwise it returns how long the next host waits, or
// -1 when there is none.
func (c *Crawl) begin() (wait time.Duration) {
	now := c.o.Clock.Now()
	e, next, ok := c.frontier.Pop(now)
	switch {
	case !ok && next.IsZero():
		return -1
	case !ok:
		return max(next.Sub(now), time.Millisecond)
	case c.full(e.Host):
		c.closeFullHost(e.Host)
		c.frontier.Release(e.Host)
		return 0
	case !c.admit(e):
		c.frontier.Release(e.Host)
		return 0
	}
	c.fly(e)
	if e.Attempts >= maxBegun {
		c.results <- fetched{entry: e, at: c.looked, response: givenUp(e.URL)}
		return 0
	}
	c.batch.Begun = append(c.batch.Begun, e.URL)
	c.begun = append(c.begun, e)
	return 0
}

func (c *Crawl) fly(e frontier.Entry) {
	c.flying[e.URL] = flight{at: c.looked}
	c.sites[weburl.Site(e.URL)]++
}

// admit asks the guard once more: since the link was queued it may have learned. A link that is refused is dropped.
func (c *Crawl) admit(e frontier.Entry) bool {
	if c.o.Trap == nil || e.Depth == 0 {
		return true
	}
	why := c.o.Trap.Admit(e.URL)
	if why == "" {
		return true
	}
	c.refused[why]++
	c.batch.Dropped = append(c.batch.Dropped, e.URL)
	return false
}

// full reports whether a host has had its pages, or its site has.
func (c *Crawl) full(host string) bool {
	return c.o.Budget.PerHost > 0 && c.hosts[host] >= c.o.Budget.PerHost ||
		c.o.Budget.PerSite > 0 && c.sites[weburl.Site("http://"+host+"/")] >= c.o.Budget.PerSite
}

// closeFullHost closes a host that is full.
func (c *Crawl) closeFullHost(host string) {
	if c.full(host) {
		c.frontier.Close(host)
		c.capped = true
	}
}

// setBack is called when the clock shows less than before: what hosts wait for is looked at anew.
func (c *Crawl) setBack() {
	clear(c.held)
	c.frontier.Wake()
	c.outage.setBack(c.looked)
}

// woke is called when the clock jumped: the machine slept, or the clock was set. Fetches in flight may end by a timeout
// that says nothing of their hosts.
func (c *Crawl) woke() {
	for u, f := range c.flying {
		f.slept = true
		c.flying[u] = f
	}
}
