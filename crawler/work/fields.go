package work

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// Limits of the fields of a result.
const (
	maxWord      = 64   // bytes of names, outcomes and the like
	maxReason    = 1000 // bytes of reasons; longer ones are cut
	maxURL       = weburl.MaxLength
	maxLong      = 24 * time.Hour
	maxHops      = 16
	maxExchanges = 64
	maxFields    = 1000 // lines of a header
	maxHeader    = 64 << 10
	maxUTF8      = 3 * fetch.MaxBody // bytes of a body in UTF-8: a byte of another encoding may become three
	maxSent      = 12 << 20          // bytes of a body as sent
	maxRobots    = 1 << 20
	maxOrigins   = 8
	maxHeadings  = 500
	maxSide      = 512 // bytes of the surroundings of a link
	maxShingles  = 4000
	maxRow       = 1000 // failures in a row
	maxTotal     = 1 << 40
)

// result codes a result. Exchange.Worker is not in it: Result.From sets it. Nor is Response.Packed, which would have to be compared
// with the body.
func (c *coder) result(r *Result) {
	c.text(&r.Task, maxWord)
	c.number(&r.Attempt, maxRow)
	c.text(&r.URL, maxURL)
	c.text(&r.Worker, maxWord)
	c.number(&r.Parser, 1<<30)
	c.moment(&r.Began)
	c.moment(&r.Ended)
	c.response(&r.Response)
	c.facts(&r.Host, r.Response.NotFound)
	c.clipped(&r.Problem, maxReason)
	c.section(r)
}

func (c *coder) outcome(v *fetch.Outcome) { c.text((*string)(v), maxWord) }

func (c *coder) response(r *fetch.Response) {
	c.text(&r.URL, maxURL)
	c.text(&r.FinalURL, maxURL)
	c.texts(&r.Redirects, maxHops, maxURL)
	c.outcome(&r.Outcome)
	c.clipped(&r.Reason, maxReason)
	c.number(&r.Status, 999)
	c.bytes(&r.Body, maxUTF8)
	c.text(&r.Charset, maxWord)
	c.text(&r.Refresh, maxURL)
	c.flag(&r.Truncated)
	c.flag(&r.NoIndex)
	c.flag(&r.NoFollow)
	c.moment(&r.Until)
	c.total(&r.Bytes)
	c.span(&r.Took, maxLong)
	c.text(&r.Moved, maxURL)
	c.text(&r.RobotsAt, maxURL)
	c.text(&r.ContentType, 256)
	c.text(&r.ETag, 256)
	c.text(&r.LastModified, maxWord)
	c.flag(&r.NotModified)
	c.body(&r.NotFound, r.Body, maxUTF8)
	list(c, &r.Exchanges, maxExchanges, func(x *fetch.Exchange) { c.exchange(x, r.Body) })
}

// total codes a number of bytes.
func (c *coder) total(v *int64) { *v = c.long(*v, maxTotal) }

func (c *coder) exchange(x *fetch.Exchange, body []byte) {
	c.text(&x.URL, maxURL)
	c.text((*string)(&x.Purpose), maxWord)
	c.text(&x.Addr, maxWord)
	c.moment(&x.At)
	c.span(&x.Took, maxLong)
	c.number(&x.Status, 999)
	c.total(&x.Bytes)
	c.clipped(&x.Reason, maxReason)
	c.outcome(&x.Cut)
	c.text(&x.Proto, maxWord)
	c.header(&x.RequestHeader)
	c.header(&x.Header)
	c.body(&x.Body, body, maxSent)
	c.flag(&x.Truncated)
}

// header codes the lines of a header by name. The values are as they were sent, in any encoding.
func (c *coder) header(h *http.Header) {
	names := slices.Sorted(maps.Keys(*h))
	n, lines, size := c.count(len(names), maxFields), 0, 0
	if c.reads {
		if *h = nil; n > 0 {
			*h = make(http.Header)
		}
	}
	for i := range n {
		var name string
		var values []string
		if !c.reads {
			name, values = names[i], (*h)[names[i]]
		}
		c.raw(&name, maxHeader)
		list(c, &values, maxFields, func(v *string) { c.raw(v, maxHeader); size += len(*v) })
		if lines, size = lines+len(values), size+len(name); lines > maxFields || size > 2*maxHeader {
			c.fail("a header is too long")
		}
		if c.err != nil {
			return
		}
		if c.reads {
			(*h)[name] = values
		}
	}
}

func (c *coder) facts(h *HostFacts, notFound []byte) {
	list(c, &h.Robots, maxOrigins, func(r *Robots) {
		c.text(&r.Origin, maxURL)
		c.span(&r.Age, maxLong)
		c.span(&r.Keep, maxLong)
		c.bytes(&r.Body, maxRobots)
		c.outcome(&r.Outcome)
		c.clipped(&r.Reason, maxReason)
		c.span(&r.Delay, 365*maxLong)
	})
	c.flag(&h.Probed)
	c.body(&h.Missing, notFound, maxUTF8)
	c.span(&h.Rest, 365*maxLong)
	c.text((*string)(&h.Why), maxWord)
	c.number(&h.Busy, maxRow)
	c.number(&h.Failed, maxRow)
}

// parsed codes the page and the sketch of a result.
func (c *coder) parsed(r *Result) {
	has := r.Page != nil
	if c.flag(&has); has {
		if c.reads {
			r.Page = &page.Page{}
		}
		c.page(r.Page)
	}
	has = r.Sketch != nil
	if c.flag(&has); has {
		if c.reads {
			r.Sketch = &neardup.Sketch{}
		}
		c.word(&r.Sketch.Simhash)
		c.number(&r.Sketch.Words, maxShingles)
		list(c, &r.Sketch.Shingles, maxShingles, c.word)
		list(c, &r.Sketch.Numbers, maxShingles, c.word)
	}
}

func (c *coder) page(p *page.Page) {
	c.text(&p.URL, maxURL)
	c.text(&p.Title, page.MaxTitle)
	c.text(&p.Language, page.MaxTag)
	c.text(&p.Text, page.MaxText)
	list(c, &p.Links, page.MaxLinks, c.link)
	list(c, &p.Frames, page.MaxFrames, func(f *page.Frame) {
		c.text(&f.URL, maxURL)
		c.text(&f.Kind, maxWord)
	})
	c.texts(&p.Headings, maxHeadings, maxSide)
	c.number(&p.Repeats.Most, 1<<30)
	c.flag(&p.Repeats.Links)
	c.text(&p.Canonical, maxURL)
	c.flag(&p.NoIndex)
	c.flag(&p.NoFollow)
	c.moment(&p.Until)
	c.flag(&p.PasswordField)
	c.flag(&p.TextOnly)
	c.number(&p.Letters, 1<<30)
	c.number(&p.Scripts, 1<<30)
	c.flag(&p.Shell)
}

func (c *coder) link(l *page.Link) {
	c.text(&l.URL, maxURL)
	c.text(&l.Anchor, page.MaxAnchor)
	c.text(&l.Before, maxSide)
	c.text(&l.After, maxSide)
	c.text(&l.Around, maxSide)
	c.text(&l.Heading, maxSide)
	c.text(&l.Path, maxSide)
	c.flag(&l.Repeated)
	c.flag(&l.NoFollow)
}
