package crawler

import (
	"errors"
	"fmt"

	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

// consult has the strategy read a page. What it fails at is counted, and the crawl goes on.
func (c *Crawl) consult(f *Fetch, v strategy.Visit) {
	var err error
	f.Judgement, err = c.s.Read(c.learning, v)
	if n := len(f.Judgement.Path); n > strategy.MaxPath {
		f.Judgement.Path = nil
		err = errors.Join(err, fmt.Errorf("the state along the path has %d bytes, more than %d", n, strategy.MaxPath))
	}
	if err != nil {
		f.StrategyError = err
		c.totals.StrategyErrors++
		c.totals.StrategyError = cut(err.Error(), maxReason)
	}
}

// hear hands the person's new words to a strategy that learns.
func (c *Crawl) hear() {
	l, ok := c.s.(strategy.Learner)
	if !ok || c.o.Marks == nil {
		return
	}
	for _, m := range c.o.Marks() {
		l.Teach(m)
	}
}

// A snapshot holds all that was learned so far, so it is taken less often as the crawl goes on: after the first
// keptAlways fetches only when an eighth of them are new since the last one. A crash then costs some of what was learned,
// and no more than that.
const (
	keptAlways = 500
	keptShare  = 8
)

// learned takes in that the strategy has learned: the queue is reordered. It returns what a journal needs to keep of it,
// nil when that is not due.
func (c *Crawl) learned() []byte {
	l, ok := c.s.(strategy.Learner)
	if !ok {
		return nil
	}
	c.reorder(l)
	if c.o.Journal == nil || c.lastN > keptAlways && c.lastN-c.snapshot < c.lastN/keptShare {
		return nil
	}
	c.snapshot = c.lastN
	return l.Snapshot()
}

// recall gives a strategy that learns back what it had learned, and reorders the queue by it: the recorded priorities are
// those of the time the links were queued. What cannot be read is forgotten.
func (c *Crawl) recall(snapshot []byte) {
	l, ok := c.s.(strategy.Learner)
	if !ok {
		return
	}
	if len(snapshot) > 0 {
		c.forgot = l.Restore(snapshot)
	}
	c.reorder(l)
}

// Forgot says why what the strategy had learned before the crawl was interrupted could not be read, nil when it could or
// there was nothing. The crawl goes on as if it had learned nothing yet.
func (c *Crawl) Forgot() error { return c.forgot }

// A queue of more than reorderAtOnce links is reordered bit by bit, between fetches, so that the crawl does not stop for
// it: so many links at a time. What is popped meanwhile is the best of partly old values.
const (
	reorderAtOnce = 50_000
	reorderSome   = 5_000
)

// reorder asks a strategy that learns anew what the queued links are worth.
func (c *Crawl) reorder(l strategy.Learner) {
	if c.frontier.Len() <= reorderAtOnce {
		c.frontier.Reorder(revalue(l))
		c.stale = 0
		return
	}
	c.stale = 2 // the rest of the round that is under way, and a whole one
}

// reorderSome goes on with a new order.
func (c *Crawl) reorderSome() {
	if l, ok := c.s.(strategy.Learner); ok && c.stale > 0 && c.frontier.ReorderSome(reorderSome, revalue(l)) {
		c.stale--
	}
}

// revalue is what a queued link is worth now. Links without a note keep their priority: start pages, and those of a page
// whose text was read before.
func revalue(l strategy.Learner) func(*frontier.Entry) strategy.Priority {
	return func(e *frontier.Entry) strategy.Priority {
		if len(e.Note) == 0 {
			return e.Priority
		}
		return l.Priority(e.URL, e.Note)
	}
}
