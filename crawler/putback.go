package crawler

import (
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
)

// putBack queues an entry for a retry and adds the exchanges of the attempt to the ledger.
func (in *intake) putBack(r fetched, e frontier.Entry) {
	in.usedUp(&r)
	b := &in.recorder.batch
	b.Exchanges = append(b.Exchanges, r.response.Exchanges...)
	b.Back = append(b.Back, e)
	in.hosts.putBack(e)
}

// cutShort puts back an attempt that was interrupted. An attempt that requested its page counts: no page is requested a
// third time. A durable dispatcher counts attempts itself.
func (in *intake) cutShort(r fetched) {
	if !in.durable && (!in.o.Live || pageAsked(&r.response)) { // other fetchers report no exchanges
		r.entry.Attempts++
	}
	in.putBack(r, r.entry)
}

// later puts back a link whose host must be left alone for longer than a fetch waits.
func (in *intake) later(r fetched) {
	in.hosts.holdShortly(r.entry)
	in.putBack(r, r.entry)
}

// undo reverses a recorded fetch: its link is queued again, the links of its page are dropped, and it uses no budget. What
// a strategy learned from it remains.
func (in *intake) undo(f *Fetch) {
	b := &in.recorder.batch
	in.unhold(f)
	in.looks.drop(f)
	in.meter.totals.Fetched -= f.Cost
	in.hosts.charge(f.entry.Host, f.URL, -f.Cost)
	in.picks.undone(f)
	in.outcomes[f.Response.Outcome]--
	if f.Relevant {
		in.meter.totals.Relevant--
	}
	in.promising.harvest.Remove(f.N)
	delete(in.texts, f.TextHash)
	for _, e := range f.Queued {
		switch now, ok := in.frontier.Entry(e.URL); {
		case ok && now.Parent == f.N:
			in.frontier.Remove(e.URL)
			b.Unlinked = append(b.Unlinked, now)
		case !ok && !in.frontier.Visited(e.URL) && !in.frontier.Shut(e.URL): // it waits in the store
			b.Unlinked = append(b.Unlinked, e)
		}
	}
	b.Undone = append(b.Undone, f.N)
	b.Back = append(b.Back, f.entry)
	in.hosts.putBack(f.entry)
}

// unhold lets go of the links that wait for the next crawl since an undone page holds them.
func (in *intake) unhold(f *Fetch) {
	for _, e := range f.Held {
		delete(in.held, urlKey(e.URL))
		in.hosts.keepsFor(e.Host, -1)
	}
	in.recorder.batch.Unlinked = append(in.recorder.batch.Unlinked, f.Held...)
}

// usedUp notes that the result of a stored task is in the batch.
func (in *intake) usedUp(r *fetched) {
	if b := &in.recorder.batch; r.task != "" {
		b.Tasks = append(b.Tasks, r.task)
	}
}

// ledger adds the exchanges of a probe to the ledger.
func (in *intake) ledger(r *fetched) {
	in.usedUp(r)
	in.recorder.batch.Exchanges = append(in.recorder.batch.Exchanges, r.response.Exchanges...)
	in.meter.totals.Bytes += r.response.Bytes
}

// troubled reports the first failure of the archive or the renderer.
func (in *intake) troubled(err error) {
	if err == nil || in.trouble != nil {
		return
	}
	in.trouble = err
	if in.o.OnTrouble != nil {
		in.o.OnTrouble(err)
	}
}

func givenUp(url string) fetch.Response {
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Canceled, Reason: "given up: interrupted twice"}
}
