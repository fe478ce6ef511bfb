package crawler

import (
	"cmp"
	"slices"

	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
)

// Longest anchor text, title and error text that are kept, in runes.
const (
	maxAnchor = 200
	maxTitle  = 300
	maxReason = 300
)

// Where links come from that do not stand on the page: the Path of a Link.
const (
	fromSitemap   = "sitemap"
	fromCanonical = "canonical"
)

// read judges a page and puts its links into the frontier.
func (c *Crawl) read(f *Fetch, r fetched) {
	p, e := f.Page, r.entry
	f.Title = cut(p.Title, maxTitle)
	if c.readFrameset(f, e) {
		return
	}
	p.Links = c.withCandidates(f, withInlineFrames(p))
	c.consult(f, strategy.Visit{Page: p, URL: e.URL, Note: e.Note, Start: e.Depth == 0, Parent: e.Path})
	if f.Judgement.Reorder {
		f.Learned = c.learned()
	}
	j := &f.Judgement
	c.paths.add(f.N, e.Parent, Step{URL: f.FinalURL, Title: f.Title, Anchor: f.Anchor, Cluster: j.Cluster, States: j.States})
	copied := c.credit(f, r)
	if f.Relevant {
		c.totals.Relevant++
	}
	if p.NoFollow {
		return
	}
	for i, l := range p.Links {
		child := frontier.Entry{URL: l.URL, Parent: f.N, Depth: e.Depth + 1, Anchor: cut(l.Anchor, maxAnchor), Path: j.Path}
		switch {
		case copied:
			child.Priority = lastPriority()
		case i < len(j.Priorities):
			child.Priority = j.Priorities[i]
		}
		if !copied && i < len(j.Notes) {
			child.Note = j.Notes[i]
		}
		if !l.NoFollow {
			c.queue(f, child)
		}
	}
}

// credit says whether a page that was read counts: a copy of one that was read before, or nearly one, does not.
func (c *Crawl) credit(f *Fetch, r fetched) (copied bool) {
	f.TextHash = r.text
	_, copied = c.texts[f.TextHash]
	copied = copied && f.TextHash != 0
	c.texts[f.TextHash] = struct{}{}
	if r.missing != nil {
		c.o.Trap.NotFound(f.FinalURL, r.missing)
	}
	v := c.o.Trap.Page(trap.Read{URL: f.FinalURL, Parent: f.Parent, Page: f.Page, Sketch: r.sketch, Relevant: f.Judgement.Relevant && !copied})
	copied = copied || v.Near
	f.Simhash, f.Credit = cmp.Or(v.Simhash, r.simhash), v.Credit && !copied
	if f.Relevant = f.Judgement.Relevant && !copied; f.Relevant {
		f.NoFind = v.NoFind
	}
	return copied
}

// withCandidates is a page's links and after them the addresses that its host's sitemaps gave, which come with the first
// answer of the host, and the canonical address that the page names. Links that are there already come once.
func (c *Crawl) withCandidates(f *Fetch, links []page.Link) []page.Link {
	p, host := f.Page, weburl.Host(f.FinalURL)
	if p.NoFollow {
		return links
	}
	known := make(map[string]bool, len(links)+1)
	for _, l := range links {
		known[l.URL] = true
	}
	known[f.FinalURL] = true
	for _, u := range c.waiting[host] {
		if !known[u] {
			known[u] = true
			links = append(links, page.Link{URL: u, Path: fromSitemap})
		}
	}
	delete(c.waiting, host)
	if u := p.Canonical; c.o.Trap != nil && u != "" && !known[u] && weburl.Site(u) == weburl.Site(f.FinalURL) {
		links = append(links, page.Link{URL: u, Path: fromCanonical})
	}
	return links
}

// readFrameset handles a frameset page, which is no step of a path: its frames take its place, with its parent's
// state and its own priority.
func (c *Crawl) readFrameset(f *Fetch, e frontier.Entry) bool {
	if !frameset(f.Page) {
		return false
	}
	f.Credit = true
	for _, fr := range f.Page.Frames {
		if fr.Kind != "frame" {
			continue
		}
		child := e
		child.URL, child.Attempts, child.Retries = fr.URL, 0, 0
		if !f.Page.NoFollow {
			c.queue(f, child)
		}
	}
	return true
}

// queue puts a link into the frontier, unless it must not be followed.
func (c *Crawl) queue(f *Fetch, e frontier.Entry) {
	if c.frontier.Visited(e.URL) || !c.frontier.Has(e.URL) && !follow(e.URL) || // what is there may be followed
		c.o.Trap != nil && c.o.Trap.Admit(e.URL) != "" {
		return
	}
	e.Host, e.Seq = weburl.Host(e.URL), c.seq+1
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
		if !known && weburl.Site(fr.URL) == weburl.Site(p.URL) {
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
