package crawler

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// Visited is a page that the person visited.
type Visited struct {
	URL  string   // canonical
	Also []string // other addresses that led to it
	At   time.Time
}

// Visits are the pages that a person visited.
type Visits struct {
	// List lists at most `most` pages in the order of the visits, skipping the first `after`.
	List func(ctx context.Context, after, most int) ([]Visited, error)
	// Copy returns the recorded copy of a page, as UTF-8, nil if there is none.
	Copy func(ctx context.Context, url string) ([]byte, error)
	// Refuse reports whether an address must not be used, even on the site of a start page, such as one on a host that the person
	// never records. nil means never.
	Refuse func(url string) bool
}

const (
	visitedSome = 50     // pages between two looks at the clock and commits of the queue
	visitedMost = 20_000 // limit on queued links; no more pages are read after it
)

// visited has the strategies read the recorded copies of pages that the person visited, in the order of the visits, before the first
// page is fetched. They count as read and use no budget, and their links wait in the queue.
//
// Addresses that are known from the person's own browsing are private. Only pages on the sites of the start pages are read, without
// those that ask for a password, and only their links to these sites are followed. When the person unticks a start page, links that
// were queued so are dropped once it is their turn. The start pages themselves are fetched.
type visited struct {
	o     *Options
	sites map[string]bool  // of the start pages
	pages map[int]struct{} // numbers of visited pages

	n      int  // pages that were listed so far
	queued int  // links
	all    bool // no more are to be read
}

func newVisited(o *Options) *visited {
	v := &visited{o: o, sites: map[string]bool{}, pages: map[int]struct{}{}, all: o.Visited.List == nil}
	for _, url := range o.Starts {
		v.sites[weburl.Site(url)] = true
	}
	return v
}

// note records a page that was read in an earlier crawl of the queue.
func (v *visited) note(s *PastStep) {
	if s.Visited {
		v.pages[s.N] = struct{}{}
	}
}

// open reports whether an address that is known from the person's browsing may be used.
func (v *visited) open(url string) bool {
	return v.o.Visited.List != nil && v.sites[weburl.Site(url)] && (v.o.Visited.Refuse == nil || !v.o.Visited.Refuse(url))
}

// closes reports whether a link must not be followed because it is known from a visited page.
func (v *visited) closes(e *frontier.Entry) bool {
	_, known := v.pages[e.Parent]
	return known && !v.open(e.URL)
}

// links are those of a visited page that may be followed.
func (v *visited) links(p *page.Page) []page.Link {
	var open []page.Link
	for _, l := range withInlineFrames(p) {
		if v.open(l.URL) {
			open = append(open, l)
		}
	}
	return open
}

// readVisited reads visited pages until all are read and the crawl may go on, the turn is over or ctx ends.
func (c *Crawl) readVisited(ctx context.Context) (goOn bool, end End, reason string, err error) {
	for v := c.visited; !v.all; {
		c.look()
		switch err := c.someVisited(ctx); {
		case ctx.Err() != nil:
			return false, Stopped, c.cause(ctx), nil
		case err != nil:
			return false, Stopped, "an error: " + err.Error(), fmt.Errorf("crawl: read visited pages: %w", err)
		case c.meter.over(0) && !v.all:
			return false, Turn, "", nil
		}
	}
	return true, 0, "", nil
}

// someVisited reads some of the pages and commits what they changed. Once ctx ends, it does nothing: the next turn reads them.
func (c *Crawl) someVisited(ctx context.Context) error {
	v := c.visited
	pages, err := c.o.Visited.List(ctx, v.n, visitedSome)
	if err != nil || ctx.Err() != nil {
		return err
	}
	v.n += len(pages)
	v.all = len(pages) < visitedSome
	var b Batch
	for i := range pages {
		f, err := c.readOneVisited(ctx, &pages[i])
		if err != nil {
			return err
		}
		if f != nil {
			v.queued += len(f.Queued)
			b.Fetches = append(b.Fetches, f)
		}
		if v.queued >= visitedMost {
			v.all = true
			break
		}
	}
	if b.empty() {
		return nil
	}
	if b.Totals = c.meter.totals; c.o.Journal != nil {
		if err := c.o.Journal.Commit(context.WithoutCancel(ctx), &b); err != nil {
			return err
		}
	}
	c.recorder.tell(b.Fetches)
	return nil
}

// readOneVisited has the strategies read a page. It returns nil for a page that they know already or must not know.
func (c *Crawl) readOneVisited(ctx context.Context, p *Visited) (*Fetch, error) {
	in, url := c.intake, weburl.Document(p.URL)
	if c.frontier.Visited(url) {
		c.seen(p)
		return nil, nil
	}
	e, waits := c.frontier.Entry(url)
	if !c.visited.open(url) || in.holds(url) || waits && e.Depth == 0 || !follow(url) || in.refuses(url) {
		return nil, nil
	}
	html, err := c.o.Visited.Copy(ctx, p.URL)
	if err != nil || html == nil {
		return nil, err
	}
	doc := parseStored(url, html)
	if doc == nil || doc.PasswordField {
		return nil, nil
	}
	if !waits {
		e = frontier.Entry{URL: url, Host: weburl.Host(url)}
	}
	e.Note, e.Depth = nil, 0 // it was not followed
	in.lastN++
	f := in.newFetch(in.lastN, e, fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Visited, Body: html})
	f.At, f.Done = p.At, append(c.seen(p), url)
	in.visit(url)
	c.readStored(f, doc)
	in.looks.add(f.step())
	return f, nil
}

// seen notes the other addresses of a page that was read. It returns those that waited in the queue; the others are known only from
// the session.
func (c *Crawl) seen(p *Visited) (waited []string) {
	for _, url := range p.Also {
		if c.frontier.Has(url) {
			waited = append(waited, url)
		}
		c.intake.visit(url)
	}
	return waited
}

// readStored has the strategies read the stored page of an attempt.
func (c *Crawl) readStored(f *Fetch, doc *page.Page) {
	r := fetched{entry: f.entry, rendered: f.Rendered, response: f.Response, page: doc}
	c.flights.get.study(&r)
	f.Page, f.Links = doc, 0
	c.intake.read(f, r)
	c.intake.changes(f)
}
