package crawler

import (
	"context"

	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

// learning is what a strategy that learns needs of a crawl. With another strategy its methods do nothing.
type learning struct {
	ctx      context.Context  // of this Run: when it ends the strategy learns no more
	of       strategy.Learner // nil when the strategy does not learn
	frontier *frontier.Frontier
	marks    func() []strategy.Mark
	keep     bool  // there is a journal to keep what was learned
	kept     int   // number of the fetch at which it was kept last
	stale    int   // rounds through the queue until all of it is in the new order
	forgot   error // why what had been learned could not be read
}

func newLearning(s strategy.Strategy, o *Options, f *frontier.Frontier) *learning {
	l := &learning{frontier: f, marks: o.Marks, keep: o.Journal != nil}
	l.of, _ = s.(strategy.Learner)
	return l
}

// hear hands the person's new words to the strategy.
func (l *learning) hear() {
	if l.of == nil || l.marks == nil {
		return
	}
	for _, m := range l.marks() {
		l.of.Teach(m)
	}
}

// A snapshot holds all that was learned so far, so it is taken less often as the crawl goes on: after the first
// keptAlways fetches only when an eighth of them are new since the last one. A crash then costs some of what was learned,
// and no more than that.
const (
	keptAlways = 500
	keptShare  = 8
)

// learned takes in that the strategy has learned from fetch n: the queue is reordered. It returns what a journal needs to
// keep of it, nil when that is not due.
func (l *learning) learned(n int) []byte {
	if l.of == nil {
		return nil
	}
	l.reorder()
	if !l.keep || n > keptAlways && n-l.kept < n/keptShare {
		return nil
	}
	l.kept = n
	return l.of.Snapshot()
}

// recall gives the strategy back what it had learned, and reorders the queue by it: the recorded priorities are those of
// the time the links were queued. What cannot be read is forgotten.
func (l *learning) recall(snapshot []byte) {
	if l.of == nil {
		return
	}
	if len(snapshot) > 0 {
		l.forgot = l.of.Restore(snapshot)
	}
	l.reorder()
}

// A queue of more than reorderAtOnce links is reordered bit by bit, between fetches, so that the crawl does not stop for
// it: so many links at a time. What is popped meanwhile is the best of partly old values.
const (
	reorderAtOnce = 50_000
	reorderSome   = 5_000
)

// reorder asks the strategy anew what the queued links are worth.
func (l *learning) reorder() {
	if l.frontier.Len() <= reorderAtOnce {
		l.frontier.Reorder(l.revalue)
		l.stale = 0
		return
	}
	l.stale = 2 // the rest of the round that is under way, and a whole one
}

// reorderSome goes on with a new order.
func (l *learning) reorderSome() {
	if l.stale > 0 && l.frontier.ReorderSome(reorderSome, l.revalue) {
		l.stale--
	}
}

// revalue is what a queued link is worth now. Links without a note keep their priority: start pages, and those of a page
// whose text was read before.
func (l *learning) revalue(e *frontier.Entry) strategy.Priority {
	if len(e.Note) == 0 {
		return e.Priority
	}
	return l.of.Priority(e.URL, e.Note)
}
