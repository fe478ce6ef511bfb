package crawler

import (
	"context"
	"fmt"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
)

// Journal keeps a crawl durable. It is called by one goroutine.
type Journal interface {
	// Commit keeps all of a batch or nothing, in one transaction that is durable when it returns.
	Commit(ctx context.Context, b *Batch) error
}

// Batch is what happened in a crawl since the last commit. It is kept in the order of its fields.
type Batch struct {
	Fetches   []*Fetch                // attempts that ended: each with its changes of the frontier, find, and what was learned
	Undone    []int                   // numbers of fetches that are taken back: what was read was not the page
	Back      []frontier.Entry        // links that are to be tried again, as they are now
	Dropped   []string                // URLs that are not to be followed
	Exchanges []fetch.Exchange        // for the ledger: of attempts that are no Fetch
	Failing   map[string]HostFailures // hosts whose run of failures changed
	Begun     []string                // URLs whose fetches begin when this is kept

	// After a crash, what was begun and neither recorded nor put back is fetched again, unless that was tried twice.

	Totals Totals // after all of this
}

// HostFailures is how a host that fails stands. The zero value is a host that answers.
type HostFailures struct {
	Strikes int    // failures in a row
	Rests   string // why the host is left alone until the crawl ends, in words; "" while it is not
}

// empty reports whether there is nothing to keep.
func (b *Batch) empty() bool {
	return len(b.Undone)+len(b.Fetches)+len(b.Back)+len(b.Dropped)+len(b.Exchanges)+len(b.Failing)+len(b.Begun) == 0
}

// fails notes how a host stands.
func (b *Batch) fails(host string, f HostFailures) {
	if b.Failing == nil {
		b.Failing = map[string]HostFailures{}
	}
	b.Failing[host] = f
}

// handed is a batch that was handed to the journal, and what begins when it is kept.
type handed struct {
	Batch
	begun  []frontier.Entry
	probes []string
	err    error
}

// commit hands the batch to the journal, unless it still keeps the one before. What happens meanwhile is the next one.
func (c *Crawl) commit(ctx context.Context) {
	if c.committing || c.batch.empty() && len(c.probes) == 0 {
		return
	}
	h := handed{Batch: c.batch, begun: c.begun, probes: c.probes}
	c.batch, c.begun, c.probes = Batch{}, nil, nil
	h.Totals = c.totals
	c.committing = true
	go func() {
		if c.o.Journal != nil && !h.empty() {
			h.err = c.o.Journal.Commit(context.WithoutCancel(ctx), &h.Batch)
		}
		c.commits <- h
	}()
}

// kept tells of the fetches of a batch that is kept, and begins those that waited for that.
func (c *Crawl) kept(ctx context.Context, h handed) error {
	c.committing = false
	if h.err != nil {
		for _, e := range append(h.begun, c.begun...) { // those that were chosen meanwhile do not begin either
			delete(c.flying, e.URL)
		}
		delete(c.flying, probeKey)
		c.begun, c.probes = nil, nil
		return fmt.Errorf("keep what happened: %w", h.err)
	}
	c.tell(h.Fetches)
	for _, e := range h.begun {
		go func() { c.results <- c.get(ctx, e) }()
	}
	for _, u := range h.probes {
		go func() { c.results <- c.lookFor(ctx, u) }()
	}
	return nil
}

// tell tells of fetches that are recorded.
func (c *Crawl) tell(fetches []*Fetch) {
	if c.o.OnFetch != nil {
		for _, f := range fetches {
			c.o.OnFetch(f)
		}
	}
}
