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

// fetched is what a worker hands back.
type fetched struct {
	entry    frontier.Entry
	at       time.Time
	probe    bool // only to see whether an answer comes
	response fetch.Response
	page     *page.Page      // nil when there is none to read
	missing  *page.Page      // what the host shows for what it has not, nil when not told
	text     int64           // hash of the text, 0 without
	body     uint64          // hash of the document as it was sent, 0 without; only of this process
	simhash  uint64          // of the text, of the live web and with a guard only
	sketch   *neardup.Sketch // with simhash
	rendered bool
	place    Place
	trouble  error // why nothing was archived, or not rendered
}

// getter gets pages. It may be used concurrently.
type getter struct {
	f           fetch.Fetcher
	clock       clock.Clock
	archive     Archive
	renderer    Renderer
	renderPages int          // pages whose scripts are run at most, 0 without limit
	rendered    atomic.Int32 // that were
	sketches    bool         // texts are compared with each other
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
	r.page = read(&r.response)
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
		r.missing, _ = page.Parse(r.response.FinalURL, page.ContentUTF8, r.response.NotFound) // without one nothing is known
	}
	return r
}

var bodySeed = maphash.MakeSeed()

// read parses the page that an answer holds, nil without one; an answer that cannot be parsed is none of a page.
func read(r *fetch.Response) *page.Page {
	if r.Outcome != fetch.OK {
		return nil
	}
	p, err := parse(r, r.Body)
	if err != nil {
		r.Outcome, r.Reason = fetch.Type, err.Error()
		return nil
	}
	return p
}

// parse reads a document that stands for an answer.
func parse(r *fetch.Response, html []byte) (*page.Page, error) {
	p, err := page.Parse(r.FinalURL, page.ContentUTF8, html)
	if err != nil {
		return nil, err
	}
	p.NoIndex = p.NoIndex || r.NoIndex || r.Expired(p.Until) || r.Expired(r.Until)
	p.NoFollow = p.NoFollow || r.NoFollow
	return p, nil
}

// render runs the scripts of a page that holds almost nothing without them, within the budget of such pages. When that
// fails the page stays as it was sent.
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

// keep archives what went over the wire and lets go of it.
func (g *getter) keep(ctx context.Context, r *fetched) {
	x := r.response.Exchanges
	if g.archive != nil && len(x) > 0 {
		// A crawl that is being stopped still keeps what was sent.
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
