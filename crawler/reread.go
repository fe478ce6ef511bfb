package crawler

import (
	"context"
	"fmt"
	"math"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
)

// Stored is an attempt of an earlier crawl of the same queue, with its page as far as that is still stored.
type Stored struct {
	PastStep        // as the earlier strategy read it
	Queued   string // URL as it was queued
	Outcome  fetch.Outcome
	Status   int
	Cost     int
	HTML     []byte // UTF-8; nil when it is not stored
	Rendered bool
	NoFollow bool // the page, or its answer, forbade to follow its links
	Past     trap.Past
}

// Reread is what reading stored pages again changed in the queue, and what was learned by the end of a crawl.
type Reread struct {
	Queued  []frontier.Entry // as the strategy values them now; held links, too
	Finds   []*Fetch         // earlier attempts whose pages the strategy judges relevant
	Learned []byte           // as in Fetch
	Whole   bool             // all pages are read: the queue is valued by this strategy
}

const (
	rereadSome = 50  // stored pages that are read before the clock is looked at and the queue is committed
	rereadTold = 500 // stored pages between two words on how far it is
	staleSome  = 250 // links that are committed at once that no stored page holds
)

// reread has the strategy read the stored pages of earlier crawls in the order in which they were fetched, as if they were being
// fetched now. A queue that another strategy or another model valued is so valued again, with what the strategy learns on the
// way. Links that no stored page and no list holds wait behind all others in the order that they had.
type reread struct {
	c     *Crawl
	from  *Resume
	n     int        // number of the last attempt read
	told  int        // number from which the next word is due
	all   bool       // none is left
	steps []PastStep // the pages read
}

func newReread(c *Crawl) *reread {
	c.learning.rereads = true
	c.stock.valued = map[uint64]struct{}{}
	c.intake.seq = 0 // links get the numbers that they had
	return &reread{c: c, from: c.o.Resume}
}

// readAgain reads stored pages until all are read and the crawl may go on, the turn is over or ctx ends.
func (c *Crawl) readAgain(ctx context.Context) (goOn bool, end End, reason string, err error) {
	for !c.reread.all {
		c.look()
		if ctx.Err() != nil {
			return false, Stopped, c.cause(ctx), nil
		}
		c.reread.says()
		switch err := c.reread.some(ctx); {
		case ctx.Err() != nil: // the next turn reads again what was cut
			return false, Stopped, c.cause(ctx), nil
		case err != nil:
			return false, Stopped, "an error: " + err.Error(), fmt.Errorf("crawl: read stored pages: %w", err)
		case c.meter.over(0):
			return false, Turn, "", nil
		}
	}
	if ctx.Err() != nil {
		return false, Stopped, c.cause(ctx), nil
	}
	switch err := c.reread.finish(ctx); {
	case err != nil && ctx.Err() != nil: // the next turn reads again
		return false, Stopped, c.cause(ctx), nil
	case err != nil:
		return false, Stopped, "an error: " + err.Error(), fmt.Errorf("crawl: value the queue: %w", err)
	}
	c.reread = nil
	c.pauseSays("")
	return true, 0, "", nil
}

func (c *Crawl) pauseSays(why string) {
	if c.o.OnPause != nil {
		c.o.OnPause(why)
	}
}

// says reports progress now and then.
func (a *reread) says() {
	if done := a.n - a.n%rereadTold; done >= a.told {
		a.told = done + rereadTold
		a.c.pauseSays(fmt.Sprintf("it reads the pages of earlier nights again: %d of %d", done, a.from.LastN))
	}
}

// some reads some of the pages and commits what they changed.
func (a *reread) some(ctx context.Context) error {
	stored, err := a.from.Stored(ctx, a.n, rereadSome)
	if err != nil {
		return err
	}
	a.all = len(stored) < rereadSome
	var changed Reread
	for i := range stored {
		if ctx.Err() != nil { // a strategy may have stopped learning
			a.all = false
			break
		}
		f := a.read(&stored[i])
		changed.Queued = append(append(changed.Queued, f.Queued...), f.Held...)
		if f.Find() {
			changed.Finds = append(changed.Finds, f)
		}
		a.n = stored[i].N
	}
	return a.commit(ctx, &changed)
}

// read has the strategy read one stored attempt.
func (a *reread) read(s *Stored) *Fetch {
	c, in := a.c, a.c.intake
	e, ok := c.frontier.Entry(s.Queued)
	if !ok {
		e = frontier.Entry{URL: s.Queued, Host: weburl.Host(s.Queued), Parent: s.Parent, Depth: s.Depth, Anchor: s.Anchor}
	}
	f := in.newFetch(s.N, e, fetch.Response{URL: s.Queued, FinalURL: s.URL, Outcome: s.Outcome, Status: s.Status, Body: s.HTML})
	f.At, f.Cost, f.Rendered, f.Links = c.o.Clock.Now(), s.Cost, s.Rendered, s.Links
	if s.Look != nil {
		f.Look = &Look{}
	}
	c.lists.note(&s.PastStep)
	if c.visited.note(&s.PastStep); s.Visited {
		f.entry.Note, f.entry.Depth, f.Depth = nil, 0, 0
	}
	if s.Outcome == fetch.Canceled { // its link was put back, or given up
		return f
	}
	c.frontier.Visit(s.Queued)
	var doc *page.Page
	if s.HTML != nil && s.wasRead() {
		if doc = parseStored(s.URL, s.HTML); doc != nil {
			doc.NoFollow = doc.NoFollow || s.NoFollow
		}
	}
	totals := in.meter.totals
	switch {
	case doc != nil:
		c.readStored(f, doc)
	case s.wasRead():
		in.urls[s.N] = s.URL
		if s.Text != 0 {
			in.texts[s.Text] = struct{}{}
		}
		c.o.Trap.Recall(s.Past)
	case s.Listed:
		in.urls[s.N] = s.URL
		a.steps = append(a.steps, s.PastStep)
	default:
		in.missed(f, &fetched{entry: e, response: f.Response})
	}
	in.meter.totals = totals // counted when it was fetched
	if s.wasRead() || s.Look != nil && s.Look.Gone {
		in.looks.add(&s.PastStep)
		a.steps = append(a.steps, s.PastStep)
	}
	return f
}

// wasRead reports whether there was a page to read.
func (s *Stored) wasRead() bool { return s.Outcome == fetch.OK || s.Visited }

// parseStored parses a stored page, nil when that fails.
func parseStored(url string, html []byte) *page.Page {
	p, err := page.Parse(url, page.ContentUTF8, html)
	if err != nil {
		return nil
	}
	p.Documents()
	return p
}

// finish adds the links that no stored page holds, puts the queue in order, and commits that it is valued.
func (a *reread) finish(ctx context.Context) error {
	c := a.c
	var changed Reread
	var fail error
	add := func(e frontier.Entry) {
		if fail == nil {
			fail = ctx.Err()
		}
		if e, stale := a.stale(e); stale && fail == nil {
			changed.Queued = append(changed.Queued, e)
			if len(changed.Queued) == staleSome {
				fail = a.commit(ctx, &changed)
				changed.Queued = nil
			}
		}
	}
	for _, e := range a.from.Queued {
		add(e)
	}
	if a.from.Links != nil {
		if err := a.from.Links(ctx, add); err != nil {
			return err
		}
	}
	if fail != nil {
		return fail
	}
	c.stock.valued = nil
	c.intake.seq = max(c.intake.seq, a.from.LastSeq)
	changed.Whole = true
	changed.Learned = c.learning.reread()
	c.picks.recall(a.from)
	c.restored(a.from, a.steps)
	return a.commit(ctx, &changed)
}

// reread puts the queue in order by what was learned from the stored pages, and returns a snapshot.
func (l *learning) reread() []byte {
	l.rereads = false
	if l.of == nil {
		return nil
	}
	l.reorder()
	if !l.keep {
		return nil
	}
	return l.of.Snapshot()
}

// stale queues a recorded link. If a page that was read again holds it, only what was tried of it is kept; otherwise the entry
// is returned as it now waits.
func (a *reread) stale(e frontier.Entry) (now frontier.Entry, stale bool) {
	c := a.c
	if c.frontier.Visited(e.URL) {
		return e, false
	}
	if read, ok := c.frontier.Entry(e.URL); ok {
		if read.Attempts, read.Retries = e.Attempts, e.Retries; e.Attempts > 0 || e.Retries > 0 {
			c.frontier.Remove(e.URL)
			c.frontier.Return(read)
		}
		return e, false
	}
	if c.intake.holds(e.URL) || c.stock.has(e.URL) {
		return e, false
	}
	e.Note, e.Path = nil, nil
	if now, listed := c.lists.revalued(e); listed {
		e = now
	} else if e.Depth > 0 {
		e.Priority = behind(e.Priority)
	}
	c.addQueued(e)
	return e, true
}

// behind is the priority of a link that an earlier strategy valued: after all links that this one values, and before those on
// copies of pages. It counts in all orders.
func behind(p strategy.Priority) strategy.Priority {
	if p = p.Of(0); p.Compare(strategy.LastPriority()) == 0 || len(p) > 0 && p[0] == behindAll {
		return p
	}
	p = append(strategy.Priority{behindAll}, p...)
	return p[:min(len(p), strategy.OrderLen)]
}

const behindAll = math.MinInt32 + 1

// commit stores what changed, unless nothing is stored at all.
func (a *reread) commit(ctx context.Context, changed *Reread) error {
	if a.c.o.Journal == nil {
		return nil
	}
	return a.c.o.Journal.Commit(context.WithoutCancel(ctx), &Batch{Reread: changed, Totals: a.c.meter.totals})
}
