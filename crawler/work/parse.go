package work

import (
	"fmt"

	"nightjar/crawler/fetch"
	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
)

// Parser returns the page of an answer whose outcome is fetch.OK. It may be called concurrently. Each call returns a page of its
// own.
type Parser func(r *fetch.Response) (*page.Page, error)

// HTML is the usual Parser.
func HTML(r *fetch.Response) (*page.Page, error) { return Parse(r, r.Body) }

// Parse parses the document of an answer, as sent or as rendered, and applies the robots directives of its headers.
func Parse(r *fetch.Response, html []byte) (*page.Page, error) {
	p, err := page.ParseFrom(r.Source(), html)
	if err != nil {
		return nil, err
	}
	p.Documents()
	p.NoIndex = p.NoIndex || r.NoIndex || r.Expired(p.Until) || r.Expired(r.Until)
	p.NoFollow = p.NoFollow || r.NoFollow
	return p, nil
}

// Read parses the page in an answer. It returns nil when there is none; an answer that cannot be parsed gets the outcome
// fetch.Type, and problem says how the parser broke down, "" if it did not.
func (parse Parser) Read(r *fetch.Response) (p *page.Page, problem string) {
	if r.Outcome != fetch.OK {
		return nil, ""
	}
	defer func() {
		if broke := recover(); broke != nil {
			p, problem = nil, fmt.Sprintf("reading the page failed: %.200v", broke)
			r.Outcome, r.Reason = fetch.Type, problem
		}
	}()
	p, err := parse(r)
	if err != nil {
		r.Outcome, r.Reason = fetch.Type, err.Error()
		return nil, ""
	}
	return p, ""
}

// read parses the page of a result, and makes its sketch if one is wanted.
func (r *Result) read(parse Parser, sketches bool) {
	r.Page, r.Problem = parse.Read(&r.Response)
	if r.Page != nil && sketches {
		s := neardup.NewSketch(r.Response.FinalURL, r.Page.Text)
		r.Sketch = &s
	}
}

// ReadPage sets the page and the sketch of a result whose response is fetched.
func (r *Result) ReadPage() { r.read(HTML, true) }
