package crawler

import (
	"context"
	"hash/maphash"
	"sync/atomic"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
	"nightjar/crawler/pagekind"
	"nightjar/crawler/work"
)

// fetched is the outcome of an attempt.
type fetched struct {
	entry    frontier.Entry
	at       time.Time
	task     string // ID that is used up once the attempt is recorded or put back; "" for none
	worker   string // name, "" for this process
	list     bool   // a list of the host's pages
	probe    bool   // only to see whether an answer comes
	response fetch.Response
	page     *page.Page      // nil when the answer is not a readable page
	missing  *page.Page      // the host's page for unknown addresses, nil when it is not known
	text     int64           // hash of the text, 0 without text
	body     uint64          // hash of the document as sent, 0 without one; comparable only within this process
	simhash  uint64          // of the text; only on the live web or with a trap guard
	sketch   *neardup.Sketch // set together with simhash
	rendered bool
	place    Place
	kind     *pagekind.Kind // of the page; nil without one
	prepared any            // strategy.Visit.Prepared
	named    bool           // the page names a feed that the lister did not know
	trouble  error          // why archiving or rendering failed
}

// getter renders and archives fetched pages. It may be used concurrently.
type getter struct {
	clock       clock.Clock
	archive     Archive
	parse       work.Parser
	renderer    Renderer
	renderPages int                  // maximum number of pages to render, 0 for no limit
	rendered    atomic.Int32         // pages rendered so far
	sketches    bool                 // compute simhashes and sketches
	prepare     func(*page.Page) any // strategy.Preparer.Prepare, or nil
	lister      fetch.Lister         // nil for none
}

// page takes the result of a task, parses its page if the hands did not, renders and archives it.
func (g *getter) page(ctx context.Context, done *work.Result) fetched {
	r := fetched{at: done.Began, task: done.Task, worker: done.Worker, response: done.Response, page: done.Page, sketch: done.Sketch}
	if r.page == nil && r.response.Outcome == fetch.OK {
		r.page, _ = g.parse.Read(&r.response)
	}
	if r.page != nil {
		r.body = maphash.Bytes(bodySeed, r.response.Body)
	}
	if g.lister != nil && r.page != nil && !r.page.NoFollow {
		r.named = g.lister.AddFeeds(ctx, r.response.FinalURL, page.Feeds(r.response.Source(), r.response.Body))
	}
	g.render(ctx, &r)
	g.keep(ctx, &r)
	g.study(&r)
	if r.response.NotFound != nil {
		r.missing, _ = page.Parse(r.response.FinalURL, page.ContentUTF8, r.response.NotFound) // nil on an error
	}
	return r
}

// study sets what a page says by itself, without other pages.
func (g *getter) study(r *fetched) {
	if r.page == nil {
		return
	}
	r.text = r.page.TextHash()
	kind := pagekind.Of(r.page)
	r.kind = &kind
	g.compare(r)
	if g.prepare != nil {
		r.prepared = g.prepare(r.page)
	}
}

// compare sets the simhash and, unless the hands made it, the sketch of a page.
func (g *getter) compare(r *fetched) {
	if !g.sketches {
		r.sketch = nil
		return
	}
	if r.sketch == nil || r.rendered {
		sketch := neardup.NewSketch(r.response.FinalURL, r.page.Text)
		r.sketch = &sketch
	}
	r.simhash = r.sketch.Simhash
}

var bodySeed = maphash.MakeSeed()

// read parses the page in an answer. It returns nil when there is none; an answer that cannot be parsed gets the outcome
// fetch.Type.
func read(r *fetch.Response) *page.Page {
	p, _ := work.Parser(work.HTML).Read(r)
	return p
}

// render runs the scripts of a page that is almost empty without them, within the budget for rendering. When it fails,
// the page stays as it was sent.
func (g *getter) render(ctx context.Context, r *fetched) {
	if r.page == nil || r.response.ContentType != "" || !page.NeedsScripts(r.page) {
		return
	}
	r.response.Reason = fetch.BlankReason
	if g.renderer == nil {
		return
	}
	if n := g.rendered.Add(1); g.renderPages > 0 && int(n) > g.renderPages {
		g.rendered.Add(-1)
		return
	}
	html, exchanges, err := g.renderer.Render(ctx, r.response.FinalURL, r.response.Body)
	r.response.Exchanges = append(r.response.Exchanges, exchanges...)
	for _, x := range exchanges {
		r.response.Bytes += x.Bytes
	}
	if err != nil {
		r.trouble = err
		return
	}
	if p, err := work.Parse(&r.response, html); err == nil {
		r.page, r.response.Body, r.response.Packed, r.response.Reason, r.rendered = p, html, nil, "", true
	}
}

// keep archives the exchanges, then frees their headers and bodies.
func (g *getter) keep(ctx context.Context, r *fetched) {
	x := r.response.Exchanges
	if g.archive != nil && len(x) > 0 {
		// Even while the crawl is being stopped, what was sent is archived.
		place, err := g.archive.Write(context.WithoutCancel(ctx), x)
		r.place = place
		if err != nil {
			r.trouble = err
		}
	}
	for i := range x {
		x[i].Header, x[i].RequestHeader, x[i].Body = nil, nil, nil
	}
}
