package crawler

import (
	"context"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
)

// Journal stores a crawl durably. One goroutine calls it.
type Journal interface {
	// Commit stores all of a batch or none of it, in one transaction that is durable when Commit returns.
	Commit(ctx context.Context, b *Batch) error
}

// Batch is what happened in a crawl since the last commit. A journal applies its fields in order. Its exchanges, including
// those of Fetches, also hold the silences that hosts asked for.
//
// After a crash, an entry of Begun that was neither recorded nor put back is fetched again, but only once. With a durable
// dispatcher (work.Dispatcher) Begun is empty: it stores what starts, and after a crash the entry leads to the task that is
// under way.
type Batch struct {
	Fetches   []*Fetch                // attempts that ended, each with its changes to the frontier, find and snapshot
	Undone    []int                   // N of fetches to undo: the answer was not the page
	Back      []frontier.Entry        // links to retry, in their present state
	Dropped   []string                // URLs of refused links, to remove from the frontier
	Unlinked  []frontier.Entry        // links of undone fetches, to remove from the frontier unless another page's entry is there now
	Exchanges []fetch.Exchange        // for the ledger, of attempts that led to no Fetch
	Failing   map[string]HostFailures // hosts whose failures changed
	Begun     []string                // URLs whose fetches start once the batch is committed
	Picks     map[string]int          // numbers of the picks of links that start for the first time; see strategy.Picker
	Reread    *Reread                 // nil for nothing
	Tasks     []string                // IDs of a durable dispatcher whose results the batch holds: each was recorded or put back
	Totals    Totals                  // after the batch
}

// HostFailures are the failures of a host. The zero value is a host that answers.
type HostFailures struct {
	Strikes int    // failures in a row
	Rests   string // why the host is left alone until the crawl ends, in words; "" when it is not
}

// empty reports whether there is nothing to commit.
func (b *Batch) empty() bool {
	return len(b.Undone)+len(b.Fetches)+len(b.Back)+len(b.Dropped)+len(b.Unlinked)+len(b.Exchanges)+len(b.Failing)+len(b.Begun)+len(b.Picks)+len(b.Tasks) == 0 && b.Reread == nil
}

// fails adds the failures of a host.
func (b *Batch) fails(host string, f HostFailures) {
	if b.Failing == nil {
		b.Failing = map[string]HostFailures{}
	}
	b.Failing[host] = f
}
