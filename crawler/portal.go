package crawler

import (
	"fmt"
	"slices"

	"nightjar/crawler/neardup"
	"nightjar/crawler/weburl"
)

// A captive portal answers in place of every host, by a redirect or by a page of its own (RFC 8910, section 1). It is
// taken for one when so many of the pages read last, of as many sites, are the same.
const (
	portalSites = 3
	maxRecent   = 4 // pages, besides the newest
)

// sample is what tells two pages apart.
type sample struct {
	url     string // final
	site    string // that was asked
	to      string // host that answered when it is of another site, "" otherwise
	body    uint64 // hashes; 0 when not known
	text    int64
	simhash uint64
}

// sampleOf is the sample of a page that was read.
func sampleOf(r *fetched) sample {
	s := sample{
		url: r.response.FinalURL, site: weburl.Site(r.entry.URL),
		body: r.body, text: r.text, simhash: r.simhash,
	}
	if weburl.Site(s.url) != s.site {
		s.to = weburl.Host(s.url)
	}
	return s
}

// same reports whether two answers come from one who answers for all.
func (s sample) same(o *sample) bool {
	return s.body != 0 && s.body == o.body || s.text != 0 && s.text == o.text ||
		neardup.SameText(s.simhash, o.simhash) || s.to != "" && s.to == o.to
}

// recent is a page that was recorded.
type recent struct {
	sample
	f *Fetch
}

// portalled looks whether a portal answered, and keeps the attempt back when it may have.
func (c *Crawl) portalled(r fetched) bool {
	o := &c.outage
	if r.page == nil {
		return false
	}
	s := sampleOf(&r)
	switch {
	case o.portal != nil && s.same(o.portal) && o.waits():
		c.putBack(r, r.entry)
		return true
	case o.portal != nil && s.same(o.portal):
		o.caught = append(o.caught, r)
		return true
	case o.doubt != "" || slices.ContainsFunc(o.benign, func(b sample) bool { return s.same(&b) }):
		return false
	}
	sites := map[string]bool{s.site: true}
	for _, p := range o.recent {
		if p.same(&s) {
			sites[p.site] = true
		}
	}
	if len(sites) < portalSites {
		return false
	}
	o.portal, o.caught = &s, []fetched{r}
	c.doubt(fmt.Sprintf("%d sites answer with the same page, as a network does that wants a login first", len(sites)))
	return true
}

// remember keeps a page that was recorded, to be compared with those that follow.
func (o *outage) remember(r *fetched, f *Fetch) {
	s := sampleOf(r)
	if o.recent = append(o.recent, recent{s, f}); len(o.recent) > maxRecent {
		o.recent = slices.Delete(o.recent, 0, 1)
	}
	if o.known = append(o.known, s); len(o.known) > maxKnown {
		o.known = slices.Delete(o.known, 0, 1)
	}
}

// takeBack puts back what a portal answered, recorded or not.
func (c *Crawl) takeBack() {
	o := &c.outage
	if o.portal == nil {
		return
	}
	o.known = slices.DeleteFunc(o.known, func(s sample) bool { return s.same(o.portal) })
	for _, p := range o.recent {
		if p.same(o.portal) {
			c.undo(p.f)
		}
	}
	for _, r := range o.caught {
		c.putBack(r, r.entry)
	}
}

// undo takes back a fetch that was recorded: its link is queued again, its own links are dropped, and nothing was spent.
// What a strategy learned from it stays.
func (c *Crawl) undo(f *Fetch) {
	c.totals.Fetched -= f.Cost
	c.hosts[f.entry.Host] -= f.Cost
	c.sites[weburl.Site(f.URL)] -= f.Cost
	c.outcomes[f.Response.Outcome]--
	if f.Relevant {
		c.totals.Relevant--
	}
	delete(c.texts, f.TextHash)
	for _, e := range f.Queued {
		if now, ok := c.frontier.Entry(e.URL); ok && now.Parent == f.N {
			c.frontier.Remove(e.URL)
			c.batch.Dropped = append(c.batch.Dropped, e.URL)
		}
	}
	c.batch.Undone = append(c.batch.Undone, f.N)
	c.batch.Back = append(c.batch.Back, f.entry)
	if !c.frontier.Return(f.entry) {
		c.left++
	}
}
