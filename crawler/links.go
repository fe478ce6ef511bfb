package crawler

import (
	"net/url"
	"slices"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
)

// The Path of links that do not come from a page itself.
const (
	fromList      = "list"
	fromCanonical = "canonical"
)

// follow reports whether a link may be followed at all: it carries no secret, does nothing but show a page, and does
// not look like a trap.
func follow(link string) bool {
	if _, err := url.Parse(weburl.Origin(link)); err != nil {
		return false // cannot be requested
	}
	return trap.Shape(link) == "" && !weburl.Secret(link) && !weburl.Action(link)
}

// Follows lists the addresses that a crawl queues from an answer, in order: the frames of a frameset, otherwise the links
// and then the inline frames on the same site. Strategies change only their order, so for a recording this is the link
// graph of every crawl.
func Follows(r fetch.Response) []string {
	p := read(&r)
	if p == nil || p.NoFollow {
		return nil
	}
	var all []string
	for _, fr := range p.Frames {
		if fr.Kind == "frame" && follow(fr.URL) {
			all = append(all, fr.URL)
		}
	}
	if frameset(p) {
		return all
	}
	for _, l := range withInlineFrames(p) {
		if !l.NoFollow && follow(l.URL) {
			all = append(all, l.URL)
		}
	}
	return all
}

// frameset reports whether a page consists of frames.
func frameset(p *page.Page) bool {
	return slices.ContainsFunc(p.Frames, func(fr page.Frame) bool { return fr.Kind == "frame" })
}

// refuses reports whether the person wants an address never to be fetched.
func (in *intake) refuses(url string) bool { return in.o.Refuse != nil && in.o.Refuse(url) }

// refusedSite is the reason for which links are refused that the person wants never to be fetched.
const refusedSite = "the site is refused"

// onlyVisited is the reason for which links are refused that are known from the person's browsing, once that must not be used.
const onlyVisited = "only on a page that you visited"

// listLies is the reason for which addresses of a list are refused.
const listLies = "in a list of pages that are mostly gone"

// admit asks again about a link that was popped: the person may have refused its site, and the trap guard may have
// learned, since the link was queued. It drops a refused link.
func (in *intake) admit(e frontier.Entry) bool {
	why := ""
	switch {
	case in.refuses(e.URL):
		why = refusedSite
	case in.visited.closes(&e), in.looks.closed(e.URL, in.visited):
		why = onlyVisited
	case in.lists.lies(e.Parent):
		why = listLies
	case in.o.Trap != nil && e.Depth > 0:
		why = in.o.Trap.Admit(e.URL)
	}
	if why == "" {
		return true
	}
	in.refused[why]++
	in.recorder.batch.Dropped = append(in.recorder.batch.Dropped, e.URL)
	return false
}

// linksOf are the links of a page that was read, with the addresses to follow that it does not hold.
func (in *intake) linksOf(f *Fetch) []page.Link {
	if f.visited() {
		in.visited.pages[f.N] = struct{}{}
		return in.visited.links(f.Page)
	}
	return in.withCanonical(f.Page, withInlineFrames(f.Page))
}

// withCanonical returns a page's links, followed by the canonical address that it names, unless it is among them.
func (in *intake) withCanonical(p *page.Page, links []page.Link) []page.Link {
	u := p.Canonical
	known := func(l page.Link) bool { return l.URL == u }
	if in.o.Trap == nil || p.NoFollow || u == "" || u == p.URL || weburl.Site(u) != weburl.Site(p.URL) || slices.ContainsFunc(links, known) {
		return links
	}
	return append(links, page.Link{URL: u, Path: fromCanonical})
}

// readFrameset handles a frameset page and reports whether it is one. A frameset is not a step of a path: its frames are
// queued in its place, with the state of its parent and the priority of the frameset.
func (in *intake) readFrameset(f *Fetch, e frontier.Entry) bool {
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
		if !f.Page.NoFollow && !f.visited() { // the frames that the person saw are visited pages themselves
			in.queue(f, child)
		}
	}
	return true
}

// withInlineFrames returns a page's links, followed by its iframes on the same site.
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

// changes sets Queued to the final state of the links: while the links of one page are queued, a link may be queued, dropped by the
// full frontier and queued again. Dropped links wait in the store, if there is one.
func (in *intake) changes(f *Fetch) {
	queued := f.Queued[:0]
	for _, e := range f.Queued {
		if now, ok := in.frontier.Entry(e.URL); ok {
			queued = append(queued, now)
		} else if in.stock.best != nil {
			queued = append(queued, e)
		}
	}
	f.Queued = queued
	for _, url := range in.frontier.Dropped() {
		if !in.frontier.Has(url) {
			in.stock.keeps(url)
		}
	}
}
