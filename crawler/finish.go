package crawler

import (
	"net/http"
	"slices"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
)

// finish takes in how one attempt ended.
func (c *Crawl) finish(r fetched) {
	c.troubled(r.trouble)
	if r.probe {
		delete(c.flying, probeKey)
		c.probed(r)
		return
	}
	slept := c.flying[r.entry.URL].slept
	delete(c.flying, r.entry.URL)
	c.sites[weburl.Site(r.entry.URL)]-- // reserved while in flight
	c.look()
	switch o := r.response.Outcome; {
	case o == fetch.Canceled && r.entry.Attempts < maxBegun:
		c.cutShort(r)
	case o == fetch.Later && (!c.o.Live || len(r.response.Exchanges) == 0):
		c.later(r)
	case !c.o.Live:
		c.record(r)
	case slept && (o == fetch.Timeout || o == fetch.Network):
		c.putBack(r, r.entry)
	default:
		c.heard(r)
	}
	c.closeFullHost(r.entry.Host)
	c.frontier.Release(r.entry.Host)
	if c.o.Journal == nil {
		b := c.batch
		c.batch = Batch{Begun: b.Begun}
		c.tell(b.Fetches) // whoever hears of it may say something before the next link is chosen
	}
}

// record makes a Fetch of an attempt, with all that follows from it.
func (c *Crawl) record(r fetched) *Fetch {
	f := c.account(r)
	if more := r.response.Candidates; len(more) > 0 {
		host := weburl.Host(f.FinalURL)
		c.waiting[host] = append(c.waiting[host], more...)
	}
	if f.Page != nil {
		c.read(f, r)
	} else if f.Cost > 0 && !gone(&f.Response) {
		c.o.Trap.Missed(f.URL)
	}
	if c.o.Live && r.page != nil {
		c.outage.remember(&r, f)
	}
	f.Totals = c.totals
	c.changes(f)
	c.batch.Fetches = append(c.batch.Fetches, f)
	return f
}

// gone reports whether a host said plainly that a page does not exist. That is a dead link, of which good sites have
// many, and leads no deeper into a trap. store.ResumeCrawl knows of it as well.
func gone(r *fetch.Response) bool {
	return r.Outcome == fetch.Status && (r.Status == http.StatusNotFound || r.Status == http.StatusGone)
}

// putBack puts an entry back to be tried again, and keeps in the ledger what the attempt took.
func (c *Crawl) putBack(r fetched, e frontier.Entry) {
	c.batch.Exchanges = append(c.batch.Exchanges, r.response.Exchanges...)
	c.batch.Back = append(c.batch.Back, e)
	if !c.frontier.Return(e) {
		c.left++
	}
}

// cutShort puts back what was stopped. An attempt whose page was asked for counts: the page is not asked for a third
// time.
func (c *Crawl) cutShort(r fetched) {
	if !c.o.Live || pageAsked(&r.response) { // only the live web tells of its exchanges
		r.entry.Attempts++
	}
	c.putBack(r, r.entry)
}

// pageAsked reports whether the page itself was asked for, not only what comes before it.
func pageAsked(r *fetch.Response) bool {
	return slices.ContainsFunc(r.Exchanges, func(x fetch.Exchange) bool {
		return x.Purpose == fetch.ForPage || x.Purpose == fetch.ForRedirect
	})
}

// changes makes Queued and Dropped say what became of the links in the end: one may be queued, fall out of the full
// frontier and come back while the links of one page are taken in.
func (c *Crawl) changes(f *Fetch) {
	queued := f.Queued[:0]
	for _, e := range f.Queued {
		if now, ok := c.frontier.Entry(e.URL); ok {
			queued = append(queued, now)
		}
	}
	f.Queued = queued
	f.Dropped = slices.DeleteFunc(c.frontier.Dropped(), func(u string) bool {
		_, ok := c.frontier.Entry(u)
		return ok
	})
}

// account numbers the fetch, charges it to the budget and marks the URLs that need no fetch any more.
func (c *Crawl) account(r fetched) *Fetch {
	e, resp := r.entry, r.response
	c.lastN++
	f := &Fetch{
		N: c.lastN, URL: e.URL, FinalURL: resp.FinalURL, Parent: c.paths.url(e.Parent), ParentN: e.Parent,
		Anchor: e.Anchor, Depth: e.Depth, At: r.at, Cost: c.cost(resp.Outcome),
		Response: resp, Page: r.page, Judgement: strategy.Judgement{Cluster: -1}, path: c.paths, entry: e,
		Rendered: r.rendered, Place: r.place,
	}
	c.totals.Fetched += f.Cost
	c.totals.Bytes += resp.Bytes
	c.outcomes[resp.Outcome]++
	c.hosts[e.Host] += f.Cost
	c.sites[weburl.Site(e.URL)] += f.Cost
	f.Done = []string{e.URL}
	switch resp.Outcome {
	case fetch.OK, fetch.Status, fetch.Type, fetch.TooLarge:
		for _, u := range resp.Redirects {
			if c.frontier.Visit(u) {
				f.Done = append(f.Done, u)
			}
		}
		if resp.FinalURL == e.URL {
			break
		}
		if c.frontier.Visit(resp.FinalURL) {
			f.Done = append(f.Done, resp.FinalURL)
		} else if !slices.Contains(f.Done, resp.FinalURL) {
			f.Page = nil // it was read, or is being read, under its own URL
		}
	}
	return f
}

// cost is the pages of budget that an attempt uses.
func (c *Crawl) cost(o fetch.Outcome) int {
	if o.Free() || o == fetch.Missing && !c.o.MissingCosts {
		return 0
	}
	return 1
}
