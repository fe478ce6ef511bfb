package crawler

import (
	"context"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
)

// Journal keeps a crawl durable. It is called by one goroutine.
type Journal interface {
	// Commit keeps all of a batch or nothing, in one transaction that is durable when it returns.
	Commit(ctx context.Context, b *Batch) error
}

// Batch is what happened in a crawl since the last commit. It is kept in the order of its fields. Its exchanges, those of
// Fetches included, tell until when a host must be left alone.
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
