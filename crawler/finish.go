package crawler

import (
	"context"
	"fmt"
	"slices"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
)

// Longest anchor text and title that are kept, in runes.
const (
	maxAnchor = 200
	maxTitle  = 300
)

// finish takes in how one attempt ended. One that was cancelled leaves no trace: to the journal it is still queued.
func (c *Crawl) finish(ctx context.Context, r fetched) error {
	c.inFlight--
	c.sites[page.Site(r.entry.URL)]-- // reserved while in flight
	if r.response.Outcome == fetch.Canceled && r.entry.Attempts < maxBegun {
		return nil
	}
	c.look()
	f := c.account(r)
	if f.Page != nil {
		c.read(f, r.entry)
	}
	f.Totals = c.totals
	c.settle(f)
	if c.o.Journal != nil {
		if err := c.o.Journal.Record(ctx, f); err != nil {
			return fmt.Errorf("record a fetch: %w", err)
		}
	}
	c.closeFullHost(r.entry.Host)
	c.frontier.Release(r.entry.Host)
	if c.o.OnFetch != nil {
		c.o.OnFetch(f)
	}
	return nil
}

// settle makes Queued and Dropped say what became of the links in the end: one may be queued, fall out of the full
// frontier and come back while the links of one page are taken in.
func (c *Crawl) settle(f *Fetch) {
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
		Response: resp, Page: r.page, Judgement: strategy.Judgement{Cluster: -1}, path: c.paths,
	}
	c.totals.Fetched += f.Cost
	c.totals.Bytes += resp.Bytes
	c.outcomes[resp.Outcome]++
	c.hosts[e.Host] += f.Cost
	c.sites[page.Site(e.URL)] += f.Cost
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

// read judges a page and puts its links into the frontier.
func (c *Crawl) read(f *Fetch, e frontier.Entry) {
	p := f.Page
	f.Title = cut(p.Title, maxTitle)
	if c.readFrameset(f, e) {
		return
	}
	p.Links = withInlineFrames(p)
	f.Judgement = c.s.Judge(strategy.Visit{Page: p, URL: e.URL, Note: e.Note, Start: e.Depth == 0, Parent: e.State})
	j := f.Judgement
	if j.Reorder {
		f.Learned = c.learned()
	}
	c.paths.add(f.N, e.Parent, Step{URL: f.FinalURL, Title: f.Title, Anchor: f.Anchor, Cluster: j.Cluster, States: j.States})

	f.TextHash = textHash(p.Text)
	_, again := c.texts[f.TextHash]
	again = again && f.TextHash != 0
	c.texts[f.TextHash] = struct{}{}
	f.Relevant = j.Relevant && !again
	if f.Relevant {
		c.totals.Relevant++
		f.NoFind = page.NoFind(p)
	}
	if p.NoFollow {
		return
	}
	for i, l := range p.Links {
		child := frontier.Entry{URL: l.URL, Parent: f.N, Depth: e.Depth + 1, Anchor: cut(l.Anchor, maxAnchor), State: j.Path}
		switch {
		case again:
			child.Priority = lastPriority()
		case i < len(j.Priorities):
			child.Priority = j.Priorities[i]
		}
		if !again && i < len(j.Notes) {
			child.Note = j.Notes[i]
		}
		if !l.NoFollow {
			c.queue(f, child)
		}
	}
}

// readFrameset handles a frameset page, which is no step of a path: its frames take its place, with its parent's
// state and its own priority.
func (c *Crawl) readFrameset(f *Fetch, e frontier.Entry) bool {
	if !frameset(f.Page) {
		return false
	}
	for _, fr := range f.Page.Frames {
		if fr.Kind != "frame" {
			continue
		}
		child := e
		child.URL, child.Attempts = fr.URL, 0
		if !f.Page.NoFollow {
			c.queue(f, child)
		}
	}
	return true
}

// queue puts a link into the frontier, unless it must not be followed.
func (c *Crawl) queue(f *Fetch, e frontier.Entry) {
	if c.frontier.Visited(e.URL) || !follow(e.URL) {
		return
	}
	e.Host, e.Seq = page.Host(e.URL), c.seq+1
	switch c.frontier.Add(e) {
	case frontier.Added:
		c.seq++
		f.Queued = append(f.Queued, e)
	case frontier.Raised:
		f.Queued = append(f.Queued, e)
	}
}

// withInlineFrames is a page's links and after them its iframes on the same site.
func withInlineFrames(p *page.Page) []page.Link {
	links := p.Links
	for _, fr := range p.Frames {
		known := slices.ContainsFunc(p.Links, func(l page.Link) bool { return l.URL == fr.URL })
		if !known && page.Site(fr.URL) == page.Site(p.URL) {
			links = append(links, page.Link{URL: fr.URL})
		}
	}
	return links
}

func cut(s string, runes int) string {
	if len(s) <= runes {
		return s
	}
	r := []rune(s)
	return string(r[:min(runes, len(r))])
}
