package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"nightjar/crawler/charset"
)

// acceptDocument is the Accept header of a request for a document.
const acceptDocument = "application/pdf,text/html,application/xhtml+xml,text/plain,application/x-bibtex,*/*;q=0.5"

// documentTime is the limit for the requests for one document together, without the waits for the host.
const documentTime = 10 * time.Minute

// MaxPDF is the maximum size in bytes of a PDF of which LiveOptions.Page makes a page; a text may have MaxBody.
const MaxPDF = 16 << 20

type documentKey struct{}

// Documents returns a context with which Live.Fetch gets a document that a person asked for: of any content type, and of
// up to limit bytes; a longer one has the outcome TooLarge. The request is never conditional. Response.Body is in UTF-8
// only when it is HTML, or text that looks like text; see Response.ContentType. All other rules are those for pages.
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
		text := isText(mediaType(res.ContentType)) && strings.HasPrefix(http.DetectContentType(raw), "text/")
		if res.Outcome, res.Body = OK, raw; text || isHTML(res.ContentType) {
			res.Body, res.Charset = charset.Decode(res.ContentType, raw)
			res.Refresh = refreshIn(header)
		}
	}
}

// pageLimit returns how many bytes of an answer are read to make a page of it with LiveOptions.Page, 0 for one of which none is made.
func (l *Live) pageLimit(header http.Header) int64 {
	contentType, _ := contentTypeOf(header)
	switch kind := mediaType(contentType); {
	case l.options.Page == nil:
		return 0
	case kind == "application/pdf" || kind == "application/x-pdf":
		return MaxPDF
	case isText(kind):
		return MaxBody
	}
	return 0
}

// isText reports whether a media type is that of a text that people read.
func isText(kind string) bool {
	return kind == "text/plain" || kind == "text/markdown" || kind == "text/x-markdown"
}

// makePage puts the page that LiveOptions.Page makes of a document in its place.
func (l *Live) makePage(ctx context.Context, res *Response) {
	want := "application/pdf"
	if isText(mediaType(res.ContentType)) {
		want = "text/"
	}
	if found := http.DetectContentType(res.Body); !strings.HasPrefix(found, want) {
		res.fail(Type, "declared as %.60q, but it looks like %s", res.ContentType, found)
	} else if page, err := l.options.Page(ctx, res.FinalURL, res.Body); ctx.Err() != nil {
		res.fail(Canceled, "the crawl was stopped")
	} else if err != nil {
		res.fail(Type, "%v", err)
	} else {
		res.Body, res.Charset = page, "utf-8"
		return
	}
	res.Body = nil
}
