package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"nightjar/crawler/charset"
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
	contentType, unknown := contentTypeOf(header)
	if !unknown && !isHTML(contentType) {
		res.fail(Type, "not HTML but %.60q", contentType)
		return
	}
	raw, truncated, err := readBody(wire, header.Values("Content-Encoding"), MaxBody)
	switch {
	case errors.Is(err, errBomb), errors.Is(err, errLong):
		res.fail(TooLarge, "the body %v", err)
		return
	case wire.err != nil:
		res.failNetwork(wire.err, "the answer broke off")
		return
	case errors.Is(err, errEncoding):
		res.fail(Type, "%v", err)
		return
	case err != nil:
		res.failNetwork(err, "the answer broke off")
		return
	}
	if reason := notText(contentType, unknown, raw); reason != "" {
		res.fail(Type, "%s", reason)
		return
	}
	res.Outcome, res.Truncated = OK, truncated
	res.Body = charset.UTF8(contentType, raw)
	res.validators(header)
	res.robotsTags(header, agent)
}

func (res *Response) fail(outcome Outcome, format string, args ...any) {
	res.Outcome, res.Reason = outcome, fmt.Sprintf(format, args...)
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
	var c chunks
	defer c.giveBack()
	if keep := w.keep; keep && plain { // what is sent is what is kept
		w.keep = false
		defer func() { w.raw = body }()
	}
	for empty := 0; empty < maxEmpty; empty++ {
		n, err := r.Read(c.room(limit + 1))
		if c.size += int64(n); n > 0 {
			empty = 0
		}
		switch {
		case !plain && c.size > freeGrowth && c.size > maxRatio*w.n:
			return nil, false, errBomb
		case c.size > limit:
			return c.bytes()[:limit], true, nil
		case err == io.EOF:
			return c.bytes(), false, nil
		case errors.Is(w.err, errLong): // decoders may call it by another name
			return nil, false, errLong
		case err != nil:
			return c.bytes(), true, err
		}
	}
	return nil, false, io.ErrNoProgress
}

// maxEmpty is how many times in a row a reader may return nothing.
const maxEmpty = 100

// chunks are what a body is read into before its size is known.
type chunks struct {
	list []*[chunkSize]byte
	size int64
}

const chunkSize = 64 << 10

var pool = sync.Pool{New: func() any { return new([chunkSize]byte) }}

// room is where to read the next bytes to, so that there are at most limit.
func (c *chunks) room(limit int64) []byte {
	used := c.size % chunkSize
	if c.size == int64(len(c.list))*chunkSize {
		c.list = append(c.list, pool.Get().(*[chunkSize]byte))
	}
	return c.list[len(c.list)-1][used:min(chunkSize, used+limit-c.size)]
}

// bytes is a copy of all that was read.
func (c *chunks) bytes() []byte {
	all := make([]byte, 0, c.size)
	for _, chunk := range c.list {
		all = append(all, chunk[:min(chunkSize, c.size-int64(len(all)))]...)
	}
	return all
}

func (c *chunks) giveBack() {
	for _, chunk := range c.list {
		pool.Put(chunk)
	}
}
