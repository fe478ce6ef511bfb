package fetch

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"nightjar/crawler/page"
)

// MaxBody is the size in bytes of the largest decompressed page body that is kept; longer ones are cut.
const MaxBody = 4 << 20

// A body that grows more than maxRatio times when decompressed, past freeGrowth bytes, is a bomb and not a page.
const (
	maxRatio   = 100
	freeGrowth = 1 << 20
)

var (
	errBomb     = errors.New("grows more than a hundredfold when decompressed")
	errEncoding = errors.New("content encoding")
)

// take reads the answer to a request for a page into res: status, type, and the body as UTF-8. agent is our product
// token, to which X-Robots-Tag may be addressed. The body is read only when it will be kept.
func (res *Response) take(status int, header http.Header, body io.Reader, agent string) {
	wire := onWire(body)
	defer func() { res.Bytes += wire.n }()
	res.Status = status
	if status != http.StatusOK {
		res.fail(Status, "the server answered %d %s", status, http.StatusText(status))
		return
	}
	contentType := header.Get("Content-Type")
	if contentType != "" && !isHTML(contentType) {
		res.fail(Type, "not HTML but %.60q", contentType)
		return
	}
	raw, truncated, err := readBody(wire, header.Values("Content-Encoding"), MaxBody)
	switch {
	case errors.Is(err, errBomb), errors.Is(err, errLong):
		res.fail(TooLarge, "the body %v", err)
		return
	case errors.Is(err, errEncoding):
		res.fail(Type, "%v", err)
		return
	case err != nil:
		res.failNetwork(err, "the answer broke off")
		return
	}
	if reason := notText(contentType, raw); reason != "" {
		res.fail(Type, "%s", reason)
		return
	}
	res.Outcome, res.Truncated = OK, truncated
	res.Body = page.UTF8(contentType, raw)
	res.validators(header)
	res.robotsTags(header, agent)
}

func (res *Response) fail(outcome Outcome, format string, args ...any) {
	res.Outcome, res.Reason = outcome, fmt.Sprintf(format, args...)
}

// isHTML reports whether a content type is one that is read.
func isHTML(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil { // parameters that do not parse; browsers look at what is before them
		kind, _, _ = strings.Cut(contentType, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// notText says why bytes that are called HTML are none: they are a picture, an archive or the like. An answer without
// a content type must look like HTML.
func notText(contentType string, body []byte) string {
	head := body[:min(len(body), 512)]
	found, _, _ := strings.Cut(http.DetectContentType(head), ";")
	switch {
	case contentType == "":
		if found != "text/html" && found != "text/xml" {
			return "no content type, and it looks like " + found
		}
	case strings.HasPrefix(found, "text/"):
	case found != "application/octet-stream":
		return "called HTML, but it looks like " + found
	default:
		controls := 0
		for _, b := range head {
			if b < ' ' && !strings.ContainsRune("\t\n\r\f\x1b", rune(b)) {
				controls++
			}
		}
		if controls*20 > len(head) && !strings.Contains(strings.ToLower(contentType), "utf-16") {
			return "called HTML, but it looks like binary data"
		}
	}
	return ""
}

// slack is how many bytes more than its decompressed size a compressed body may have.
const slack = 64 << 10

// readBody reads and decompresses a body, at most limit bytes. Reading one byte more tells a cut body from a whole one.
// With an error of the connection, body is what came before it.
func readBody(w *wire, encodings []string, limit int64) (body []byte, truncated bool, err error) {
	w.limit = limit + slack
	r, done, err := decoder(w, encodings)
	if err != nil {
		return nil, false, err
	}
	defer done()
	plain := r == io.Reader(w)
	b := buffers.Get().(*bytes.Buffer)
	if keep := w.keep; keep && plain { // what is sent is what is kept
		w.keep = false
		defer func() { w.raw = body }()
	}
	defer giveBack(b)
	for chunk := int64(64 << 10); ; {
		n, err := io.CopyN(b, r, min(chunk, limit+1-int64(b.Len())))
		size := int64(b.Len())
		switch {
		case !plain && size > freeGrowth && size > maxRatio*w.n:
			return nil, false, errBomb
		case size > limit:
			return bytes.Clone(b.Bytes()[:limit]), true, nil
		case err == io.EOF:
			return bytes.Clone(b.Bytes()), false, nil
		case err != nil:
			return bytes.Clone(b.Bytes()), true, err
		case n == 0:
			return nil, false, io.ErrNoProgress
		}
	}
}

// buffers are what bodies are read into before their size is known.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooled bounds what a pooled buffer holds on to.
const maxPooled = 1 << 20

func giveBack(b *bytes.Buffer) {
	if b.Cap() <= maxPooled {
		b.Reset()
		buffers.Put(b)
	}
}

// decoder undoes a content encoding. Only one is undone, and only of those that are asked for.
func decoder(r io.Reader, encodings []string) (io.Reader, func(), error) {
	nothing := func() {}
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(encodings, ",")))
	switch encoding {
	case "", "identity", "none", "utf-8":
		return r, nothing, nil
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, nil, fmt.Errorf("%w gzip: %v", errEncoding, err)
		}
		return z, func() { z.Close() }, nil
	case "br":
		return brotli.NewReader(r), nothing, nil
	case "zstd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
		if err != nil {
			return nil, nil, fmt.Errorf("%w zstd: %v", errEncoding, err)
		}
		return z, z.Close, nil
	}
	return nil, nil, fmt.Errorf("%w %.40q was not asked for", errEncoding, encoding)
}
