package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"nightjar/crawler/clock"
	"nightjar/crawler/weburl"
)

// Part is a file that a page needs to be rendered.
type Part struct {
	URL       string // canonical
	Status    int
	Header    http.Header // as it was sent; the body is no longer encoded
	Body      []byte      // nil but for status 200
	Exchanges []Exchange
}

// Part gets one file that a page needs, at most limit bytes of it decompressed: by the rules of Fetch, except that
// redirects are told and not followed, and that any type of content will do. accept is the request's header. The error
// says why there is no answer; the exchanges are filled in all the same.
func (l *Live) Part(ctx context.Context, raw, accept string, limit int64) (Part, error) {
	url, err := weburl.Canonical(raw)
	if err != nil {
		return Part{URL: raw}, refuse("%v", err)
	}
	url = l.upgrade(url)
	res := Response{URL: url, FinalURL: url}
	p := Part{URL: url}
	if err := l.gate(url); err != nil {
		return p, err
	}
	if !l.allowed(ctx, &res) {
		p.Exchanges = res.Exchanges
		return p, errors.New(res.Reason)
	}
	_, err = l.ask(ctx, &res, question{purpose: ForPart, accept: accept}, func(answer *http.Response) error {
		p.Status, p.Header = answer.StatusCode, answer.Header
		if answer.StatusCode != http.StatusOK {
			return nil
		}
		body, truncated, err := readBody(onWire(answer.Body), answer.Header.Values("Content-Encoding"), limit)
		switch {
		case err != nil:
			return err
		case truncated:
			return fmt.Errorf("larger than %d bytes", limit)
		}
		p.Body = body
		return nil
	})
	p.Exchanges = res.Exchanges
	if err != nil {
		_, why := reason(err, "asking "+weburl.Host(url))
		return p, errors.New(why)
	}
	return p, nil
}

// UserAgent is what is sent with each request.
func (l *Live) UserAgent() string { return l.options.UserAgent }

// Clock is what delays are told by.
func (l *Live) Clock() clock.Clock { return l.clock }
