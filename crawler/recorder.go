package crawler

import (
	"context"

	"nightjar/crawler/frontier"
)

// recorder collects what happens in a crawl, and hands it to the journal batch by batch while the crawl goes on.
type recorder struct {
	journal    Journal
	onFetch    func(*Fetch)
	batch      Batch            // not kept yet
	begun      []frontier.Entry // whose fetches begin when it is
	probes     []string         // pages to ask for once more, only to see whether an answer comes
	commits    chan handed      // batches that are kept
	committing bool             // one is being kept
	failed     bool             // one could not be kept
}

// handed is a batch that was handed to the journal, and what begins when it is kept.
type handed struct {
	Batch
	begun  []frontier.Entry
	probes []string
	err    error
}

func newRecorder(o *Options) *recorder {
	return &recorder{journal: o.Journal, onFetch: o.OnFetch, commits: make(chan handed, 1)}
}

// begin notes a fetch that begins when the batch is kept.
func (r *recorder) begin(e frontier.Entry) {
	r.batch.Begun = append(r.batch.Begun, e.URL)
	r.begun = append(r.begun, e)
}

// busy reports whether a batch is being kept.
func (r *recorder) busy() bool { return r.committing }

// commit hands the batch to the journal, unless it still keeps the one before. What happens meanwhile is the next one.
func (r *recorder) commit(t *Totals) {
	if r.committing || r.batch.empty() && len(r.probes) == 0 {
		return
	}
	h := handed{Batch: r.batch, begun: r.begun, probes: r.probes}
	r.batch, r.begun, r.probes = Batch{}, nil, nil
	h.Totals = *t
	r.committing = true
	go func() {
		if r.journal != nil && !h.empty() {
			h.err = r.journal.Commit(context.Background(), &h.Batch) // a crawl that is stopped still keeps what it did
		}
		r.commits <- h
	}()
}

// kept takes in that the journal is done with a batch, and tells of its fetches. It returns the fetches that begin now:
// with an error those that never will, those that were chosen meanwhile included.
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

// finished is called after each attempt. Without a journal its fetch is told of at once: whoever hears of it may say
// something before the next link is chosen.
func (r *recorder) finished() {
	if r.journal == nil {
		fetches := r.batch.Fetches
		r.batch = Batch{Begun: r.batch.Begun}
		r.tell(fetches)
	}
}

// tell tells of fetches that are recorded.
func (r *recorder) tell(fetches []*Fetch) {
	if r.onFetch != nil {
		for _, f := range fetches {
			r.onFetch(f)
		}
	}
}
