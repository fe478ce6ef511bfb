package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"nightjar/crawler/charset"
)

// acceptDocument is the Accept header of a request for a document.
const acceptDocument = "application/pdf,text/html,application/xhtml+xml,text/plain,application/x-bibtex,*/*;q=0.5"

// documentTime is the limit for the requests for one document together, without the waits for the host.
const documentTime = 10 * time.Minute

type documentKey struct{}

// Documents returns a context with which Live.Fetch gets a document that a person asked for: of any content type, and of
// up to limit bytes; a longer one has the outcome TooLarge. The request is never conditional. Response.Body is in UTF-8
// only when it is HTML or text; see Response.ContentType. All other rules are those for pages.
func Documents(ctx context.Context, limit int64) context.Context {
	return context.WithValue(ctx, documentKey{}, limit)
}

type refusingKey struct{}

// Refusing returns a context with which Live.Fetch requests no address that refuse reports, not even after a redirect.
func Refusing(ctx context.Context, refuse func(url string) bool) context.Context {
	return context.WithValue(ctx, refusingKey{}, refuse)
}

// refused reports whether an address must not be requested because of Refusing.
func refused(ctx context.Context, url string) bool {
	refuse, _ := ctx.Value(refusingKey{}).(func(url string) bool)
	return refuse != nil && refuse(url)
}

// documentLimit returns the limit of Documents, 0 for a page.
func documentLimit(ctx context.Context) int64 {
	limit, _ := ctx.Value(documentKey{}).(int64)
	return limit
}

// readDocument reads the answer to a request for a document into res.
func (res *Response) readDocument(status int, header http.Header, body io.Reader, limit int64) {
	wire := asWire(body)
	defer func() { res.Bytes += wire.n }()
	if res.Status = status; status != http.StatusOK {
		res.fail(Status, "the server answered %d %s", status, http.StatusText(status))
		return
	}
	res.ContentType, _ = contentTypeOf(header)
	raw, truncated, err := readBody(wire, header.Values("Content-Encoding"), limit)
	switch {
	case truncated && err == nil, errors.Is(err, errBomb), errors.Is(err, errTooLong):
		res.fail(TooLarge, "it is larger than %d MiB", limit>>20)
	case wire.err != nil:
		res.failNetwork(wire.err, "the answer was cut off")
	case errors.Is(err, errEncoding):
		res.fail(Type, "%v", err)
	case err != nil:
		res.failNetwork(err, "the answer was cut off")
	default:
		if res.Outcome, res.Body = OK, raw; isHTML(res.ContentType) || mediaType(res.ContentType) == "text/plain" {
			res.Body, res.Charset = charset.Decode(res.ContentType, raw)
			res.Refresh = refreshIn(header)
		}
	}
}
