package crawler

import (
	"context"
	"fmt"
	"math"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/promise"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
)

// Resume is the recorded state of an interrupted crawl, or of one that continues with the queue of an earlier crawl.
type Resume struct {
	Queued []frontier.Entry // with Seq, as recorded, in any order
	// Links calls each with more entries, one by one: a slice of a million would take more memory than the frontier. nil
	// means none.
	Links func(ctx context.Context, each func(frontier.Entry)) error
	// Best starts listing the links of Links, best first. nil means that no links are stored besides those in memory.
	Best func() Next
	// Waiting counts the links that wait in the store. It is set with Best.
	Waiting  func() (int, error)
	Done     []string   // URLs not to be fetched again
	Texts    []int64    // text hashes of the pages read
	Steps    []PastStep // in order of N
	LastN    int        // number of the last fetch
	Before   int        // number of the last fetch of the crawls before this one
	LastSeq  int64      // number of the last frontier entry
	Fetched  int        // pages of budget that all crawls of the queue used
	Totals   Totals     // of this crawl alone, as Outcomes, Hosts, Rendered, Looks and Failing
	Outcomes map[fetch.Outcome]int
	Hosts    map[string]int      // pages of budget used, by host
	Learned  []byte              // the last recorded strategy.Learner.Snapshot, nil without one
	Rendered int                 // pages rendered
	Looks    int                 // fetches of pages that were read before
	Picks    map[string]int      // numbers of the picks of queued links that were chosen before; see strategy.Picker
	Picked   []strategy.PickCost // of this crawl, in order
	Failing  map[string]HostFailures
	Harvest  []promise.Page // the last promise.Kept pages of budget, in order
	Past     []trap.Past    // earlier fetches that used budget, in order; only for a crawl with a trap guard

	// Stored lists at most that many attempts after number n, in order. It is set when another strategy, or one with another model,
	// valued the queue: the crawl then reads all stored pages again before it fetches any. Steps, Texts, Past and Learned
	// are empty then, and Done lacks the URLs of these attempts.
	Stored func(ctx context.Context, n, most int) ([]Stored, error)
}

// Next calls each with the next n links of a list, and reports whether there may be more.
type Next func(n int, each func(frontier.Entry)) (more bool, err error)

// PastStep is a fetched page as a step of later trails.
type PastStep struct {
	N, Parent int
	URL       string // final
	Anchor    string // of the link that led there
	Seen
}

// StartPriority returns the priority of start pages, higher than that of every link.
func StartPriority() strategy.Priority { return strategy.Priority{math.MaxInt32} }

// StartEntries returns the frontier entries of a new crawl, in order, with Seq from 1.
func StartEntries(starts []string) []frontier.Entry {
	var entries []frontier.Entry
	for i, u := range starts {
		u = weburl.Document(u)
		entries = append(entries, frontier.Entry{URL: u, Host: weburl.Host(u), Priority: StartPriority(), Seq: int64(i + 1)})
	}
	return entries
}

// restore fills the crawl from its recorded state, or from its start pages.
func (c *Crawl) restore() error {
	r, in := c.o.Resume, c.intake
	if r == nil {
		r = &Resume{Queued: StartEntries(c.o.Starts)}
	}
	c.meter.totals, in.lastN = r.Totals, r.LastN
	for _, u := range r.Done {
		c.frontier.Visit(u)
	}
	for _, t := range r.Texts {
		in.texts[t] = struct{}{}
	}
	in.looks.before, in.looks.begun = r.Before, r.Looks
	for i := range r.Steps {
		s := &r.Steps[i]
		in.urls[s.N] = s.URL
		if s.Listed {
			c.lists.note(s)
			continue
		}
		in.looks.add(s)
		in.visited.note(s)
	}
	for o, n := range r.Outcomes {
		in.outcomes[o] += n
	}
	for _, p := range r.Past {
		c.o.Trap.Recall(p)
	}
	c.flights.get.rendered.Store(int32(r.Rendered))
	c.hosts.restore(r.Hosts, r.Failing)
	in.seq = r.LastSeq
	c.stock = &stock{c: c, best: r.Best}
	in.stock = c.stock
	for _, p := range r.Harvest {
		c.promising.harvest.Add(p)
	}
	if r.Stored != nil {
		c.reread = newReread(c)
		return nil
	}
	for _, e := range r.Queued {
		c.addQueued(e)
	}
	if err := c.stock.begin(r); err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	if c.o.Resume != nil {
		c.learning.recall(r.Learned)
		c.picks.recall(r)
	}
	c.restored(r, r.Steps)
	return nil
}

// restored is called once the queue is whole. steps are the pages read before.
func (c *Crawl) restored(r *Resume, steps []PastStep) {
	if c.o.Live {
		c.network.restore(steps)
	}
	for h := range r.Hosts {
		c.hosts.closeFull(h)
	}
	c.promising.look()
}

// addQueued queues a recorded entry. Entries of hosts that rest only count as left, those of other closed hosts as waiting for the
// next crawl.
func (c *Crawl) addQueued(e frontier.Entry) {
	in := c.intake
	switch {
	case weburl.Secret(e.URL) || in.holds(e.URL):
		return
	case c.hosts.failing[e.Host].Rests != "":
		in.held[urlKey(e.URL)] = struct{}{}
		c.hosts.left++
		return
	}
	if p := c.looks.of(e.URL); p != nil {
		c.looks.begins(p)
	}
	switch c.frontier.Add(e) {
	case frontier.NoRoom:
		c.stock.keeps(e.URL)
		return
	case frontier.Closed:
		in.held[urlKey(e.URL)] = struct{}{}
		c.hosts.keepsFor(e.Host, 1)
	}
	c.o.Trap.RecallLink(e.URL, in.urls[e.Parent])
}
