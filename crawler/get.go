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
)

// fetched is a worker's result.
type fetched struct {
	entry    frontier.Entry
	at       time.Time
	probe    bool // only to see whether an answer comes
	response fetch.Response
	page     *page.Page      // nil when the answer is not a readable page
	missing  *page.Page      // the host's page for unknown addresses, nil when it is not known
	text     int64           // hash of the text, 0 without text
	body     uint64          // hash of the document as sent, 0 without one; comparable only within this process
	simhash  uint64          // of the text; only on the live web or with a trap guard
	sketch   *neardup.Sketch // set together with simhash
	rendered bool
	place    Place
	trouble  error // why archiving or rendering failed
}

// getter fetches and parses pages. It may be used concurrently.
type getter struct {
	f           fetch.Fetcher
	clock       clock.Clock
	archive     Archive
	parse       Parser
	renderer    Renderer
	renderPages int          // maximum number of pages to render, 0 for no limit
	rendered    atomic.Int32 // pages rendered so far
	sketches    bool         // compute simhashes and sketches
}

// page fetches, parses, renders and archives a page.
func (g *getter) page(ctx context.Context, e frontier.Entry) fetched {
	r := fetched{entry: e, at: g.clock.Now(), response: g.f.Fetch(ctx, e.URL)}
	if r.response.FinalURL == "" {
		r.response.FinalURL = e.URL
	}
	if r.response.Outcome == fetch.OK {
		r.body = maphash.Bytes(bodySeed, r.response.Body)
	}
	r.page = readBy(g.parse, &r.response)
	g.render(ctx, &r)
	g.keep(ctx, &r)
	if r.page != nil {
		r.text = textHash(r.page.Text)
		if g.sketches {
			sketch := neardup.NewSketch(r.response.FinalURL, r.page.Text)
			r.sketch, r.simhash = &sketch, sketch.Simhash
		}
	}
	if r.response.NotFound != nil {
		r.missing, _ = page.Parse(r.response.FinalURL, page.ContentUTF8, r.response.NotFound) // nil on an error
	}
	return r
}

var bodySeed = maphash.MakeSeed()

// read parses the page in an answer. It returns nil when there is none; an answer that cannot be parsed gets the outcome
// fetch.Type.
func read(r *fetch.Response) *page.Page {
	return readBy(asHTML, r)
}

// asHTML is the usual Parser.
func asHTML(r *fetch.Response) (*page.Page, error) { return parse(r, r.Body) }

// readBy is read with a parser.
func readBy(parse Parser, r *fetch.Response) *page.Page {
	if r.Outcome != fetch.OK {
		return nil
	}
	p, err := parse(r)
	if err != nil {
		r.Outcome, r.Reason = fetch.Type, err.Error()
		return nil
	}
	return p
}

// parse parses the document of an answer, as sent or as rendered, and applies the robots directives of its headers.
func parse(r *fetch.Response, html []byte) (*page.Page, error) {
	p, err := page.Parse(r.FinalURL, page.ContentUTF8, html)
	if err != nil {
		return nil, err
	}
	p.Documents()
	p.NoIndex = p.NoIndex || r.NoIndex || r.Expired(p.Until) || r.Expired(r.Until)
	p.NoFollow = p.NoFollow || r.NoFollow
	return p, nil
}

// render runs the scripts of a page that is almost empty without them, within the budget for rendering. When it fails,
// the page stays as it was sent.
func (g *getter) render(ctx context.Context, r *fetched) {
	if g.renderer == nil || r.page == nil || !page.NeedsScripts(r.page) {
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
	if p, err := parse(&r.response, html); err == nil {
		r.page, r.response.Body, r.rendered = p, html, true
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
