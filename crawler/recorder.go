package crawler

import (
	"context"
	"time"

	"nightjar/crawler/frontier"
)

// A commit costs the journal much the same for one page as for ten, mostly in writing the same pages of its indexes. So
// commits are at least gather apart, by the machine's clock, unless half of the workers wait for one.
const gather = 10 * time.Millisecond

// recorder collects what happens in a crawl and commits it to the journal in batches while the crawl goes on.
type recorder struct {
	journal    Journal
	onFetch    func(*Fetch)
	batch      Batch            // not committed yet
	begun      []frontier.Entry // entries to fetch once the batch is committed
	probes     []string         // pages to probe then
	commits    chan handed      // batches that the journal is done with
	committing bool             // the journal is working on a batch
	crowd      int              // fetches that wait for a commit, from which on there is no waiting for more
	last       time.Time        // when the last commit began
	failed     bool             // a commit failed
}

// handed is a batch handed to the journal, and what starts once it is committed.
type handed struct {
	Batch
	begun  []frontier.Entry
	probes []string
	err    error
}

func newRecorder(o *Options) *recorder {
	return &recorder{journal: o.Journal, onFetch: o.OnFetch, commits: make(chan handed, 1), crowd: max(1, o.Workers/2)}
}

// begin adds a fetch that starts once the batch is committed.
func (r *recorder) begin(e frontier.Entry) {
	r.batch.Begun = append(r.batch.Begun, e.URL)
	r.begun = append(r.begun, e)
}

// picked adds the pick of a link whose fetch starts.
func (r *recorder) picked(url string, n int) {
	if r.batch.Picks == nil {
		r.batch.Picks = make(map[string]int)
	}
	r.batch.Picks[url] = n
}

// busy reports whether a commit is under way.
func (r *recorder) busy() bool { return r.committing }

// wait returns how long the next commit should wait for more results, 0 for not at all. flying is the number of fetches that
// were chosen and have no result yet.
func (r *recorder) wait(flying int) time.Duration {
	starts := len(r.begun) + len(r.probes)
	if r.journal == nil || r.committing || r.batch.empty() || starts >= r.crowd || flying <= starts {
		return 0
	}
	return max(0, gather-time.Since(r.last))
}

// commit hands the batch to the journal, unless the previous commit is still under way. What happens meanwhile goes into
// the next batch.
func (r *recorder) commit(t *Totals) {
	if r.committing || r.batch.empty() && len(r.probes) == 0 {
		return
	}
	h := handed{Batch: r.batch, begun: r.begun, probes: r.probes}
	r.batch, r.begun, r.probes = Batch{}, nil, nil
	h.Totals = *t
	r.committing, r.last = true, time.Now()
	go func() {
		if r.journal != nil && !h.empty() {
			h.err = r.journal.Commit(context.Background(), &h.Batch) // even while the crawl is being stopped
		}
		r.commits <- h
	}()
}

// kept is called when the journal is done with a batch. It reports the fetches of the batch and returns the entries whose
// fetches start now. After an error it returns all entries whose fetches will never start, including those chosen since.
func (r *recorder) kept(h *handed) []frontier.Entry {
	r.committing = false
	if h.err == nil {
		r.tell(h.Fetches)
		return h.begun
	}
	r.failed = true
	never := append(h.begun, r.begun...)
	r.begun, r.probes = nil, nil
	return never
}

// finished is called after each attempt. Without a journal it reports the fetch at once, so that OnFetch runs before the
// next link is chosen.
func (r *recorder) finished() {
	if r.journal == nil {
		fetches := r.batch.Fetches
		r.batch = Batch{Begun: r.batch.Begun, Picks: r.batch.Picks}
		r.tell(fetches)
	}
}

// tell calls OnFetch for each recorded fetch.
func (r *recorder) tell(fetches []*Fetch) {
	if r.onFetch != nil {
		for _, f := range fetches {
			r.onFetch(f)
		}
	}
}
