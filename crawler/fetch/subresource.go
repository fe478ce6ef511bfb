package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"nightjar/crawler/clock"
	"nightjar/crawler/weburl"
)

// Subresource is a file that a page needs to be rendered.
type Subresource struct {
	Status    int
	Header    http.Header // as sent; the body is decompressed
	Body      []byte      // nil unless the status is 200
	Exchanges []Exchange
}

// Subresource gets a file that a page needs, of at most limit bytes when decompressed. It follows the rules of Fetch,
// but accepts any content type and returns redirects instead of following them. accept is the request's Accept header.
// The error says why there is no answer; the exchanges are filled in even then.
func (l *Live) Subresource(ctx context.Context, raw, accept string, limit int64) (Subresource, error) {
	url, err := weburl.Canonical(raw)
	if err != nil {
		return Subresource{}, refuse("%v", err)
	}
	url = l.upgrade(weburl.Document(url))
	res := Response{URL: url, FinalURL: url}
	var p Subresource
	if err := l.checkURL(url); err != nil {
		return p, err
	}
	if !l.allowed(ctx, &res) {
		p.Exchanges = res.Exchanges
		return p, errors.New(res.Reason)
	}
	_, err = l.roundTrip(ctx, &res, requestSpec{purpose: ForSubresource, accept: accept}, func(answer *http.Response) error {
		p.Status, p.Header = answer.StatusCode, answer.Header
		if answer.StatusCode != http.StatusOK {
			return nil
		}
		body, truncated, err := readBody(asWire(answer.Body), answer.Header.Values("Content-Encoding"), limit)
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
		_, why := reason(err, "requesting "+weburl.Host(url))
		return p, errors.New(why)
	}
	return p, nil
}

// UserAgent is the User-Agent header of each request.
func (l *Live) UserAgent() string { return l.options.UserAgent }

// Clock is the clock that measures delays.
func (l *Live) Clock() clock.Clock { return l.clock }
