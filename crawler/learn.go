package crawler

import (
	"context"

	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

// learning connects a strategy that learns with the crawl. For other strategies its methods do nothing.
type learning struct {
	ctx       context.Context    // of this Run; when it ends, the strategy stops learning
	of        strategy.Learner   // nil when the strategy does not learn
	misser    strategy.Misser    // nil when it does not learn from links that gave no page
	explorer  strategy.Explorer  // nil when it does not explore
	explainer strategy.Explainer // nil when it cannot compare links
	frontier  *frontier.Frontier
	keep      bool  // there is a journal to store snapshots in
	kept      int   // N of the fetch with the last snapshot
	stale     int   // rounds through the queue until all of it has new priorities
	forgot    error // why the recorded snapshot could not be read
	rereads   bool  // stored pages are being read again: the queue is put in order once, at the end
}

func newLearning(s strategy.Strategy, o *Options, f *frontier.Frontier) *learning {
	l := &learning{frontier: f, keep: o.Journal != nil}
	l.of, _ = s.(strategy.Learner)
	l.misser, _ = s.(strategy.Misser)
	l.explorer, _ = s.(strategy.Explorer)
	l.explainer, _ = s.(strategy.Explainer)
	return l
}

// missed reports a link that gave no page to the strategy, and returns whether the strategy has learned from it.
func (l *learning) missed(e *frontier.Entry, cost int) (learned bool, err error) {
	if l.misser == nil || len(e.Note) == 0 {
		return false, nil
	}
	return l.misser.Missed(l.ctx, e.URL, e.Note, cost)
}

// explores reports whether the strategy wants the next page to be of a host that the crawl has hardly seen.
func (l *learning) explores() bool { return l.explorer != nil && l.explorer.Explore() }

// A snapshot holds everything learned so far, so snapshots become rarer as the crawl goes on: after the first keptAlways
// fetches, one is taken only when an eighth of all fetches came since the last. A crash loses only what was learned since.
const (
	keptAlways = 500
	keptShare  = 8
)

// Ask lists up to n pages that were read and are not marked yet, by final URL, beginning with those whose marks would
// teach the strategy most; none for a strategy that does not learn. It must not be called while Run is running.
func (c *Crawl) Ask(n int) []string {
	if c.learning.of == nil {
		return nil
	}
	return c.learning.of.Ask(n)
}

// hear passes the person's new marks to the strategy.
func (c *Crawl) hear() {
	if c.learning.of == nil || c.o.Marks == nil {
		return
	}
	for _, m := range c.o.Marks() {
		c.learning.of.Teach(m)
	}
}

// learned is called when the strategy has learned from fetch n. It reorders the queue and returns a snapshot when one is
// due, otherwise nil.
func (l *learning) learned(n int) []byte {
	if l.of == nil || l.rereads {
		return nil
	}
	l.reorder()
	if !l.keep || n > keptAlways && n-l.kept < n/keptShare {
		return nil
	}
	l.kept = n
	return l.of.Snapshot()
}

// last returns a snapshot of what was learned by fetch n, nil if there is nothing to keep or nothing new.
func (l *learning) last(n int) []byte {
	if l.of == nil || !l.keep || n == l.kept {
		return nil
	}
	l.kept = n
	return l.of.Snapshot()
}

// recall restores the strategy from a snapshot and reorders the queue: the recorded priorities date from when the links
// were queued. A snapshot that cannot be read is ignored.
func (l *learning) recall(snapshot []byte) {
	if l.of == nil {
		return
	}
	if len(snapshot) > 0 {
		l.forgot = l.of.Restore(snapshot)
	}
	l.reorder()
}

// A queue of more than reorderAtOnce links is reordered in steps of reorderSome links between fetches, so that the crawl
// does not stall. Until it is done, some priorities are old.
const (
	reorderAtOnce = 50_000
	reorderSome   = 5_000
)

// reorder asks the strategy for new priorities of the queued links.
func (l *learning) reorder() {
	if l.frontier.Len() <= reorderAtOnce {
		l.frontier.Reorder(l.revalue)
		l.stale = 0
		return
	}
	l.stale = 2 // the rest of the present round, and a whole one
}

// reorderSome takes the next step of reordering a long queue.
func (l *learning) reorderSome() {
	if l.stale > 0 && l.frontier.ReorderSome(reorderSome, l.revalue) {
		l.stale--
	}
}

// revalue returns the new priority of a queued link. Links without a note keep theirs: start pages, and links on a copy of
// an earlier page. So do links that are tried because they are new.
func (l *learning) revalue(e *frontier.Entry) strategy.Priority {
	if len(e.Note) == 0 || isNews(e) {
		return e.Priority
	}
	return l.of.Priority(e.URL, e.Note)
}
