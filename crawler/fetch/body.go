package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"nightjar/crawler/charset"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// MaxBody is the maximum size in bytes of a decompressed page body; longer ones are cut.
const MaxBody = 4 << 20

// A body that decompresses to more than freeGrowth bytes and more than maxRatio times its size is a bomb, not a page.
const (
	maxRatio   = 100
	freeGrowth = 1 << 20
)

var (
	errBomb     = errors.New("grows more than a hundredfold when decompressed")
	errEncoding = errors.New("content encoding")
)

// readAnswer reads the answer to a request for a page into res: status, type, and the body as UTF-8. agent is our
// product token, to which X-Robots-Tag may be addressed. The body is read only if it will be kept.
func (res *Response) readAnswer(status int, header http.Header, body io.Reader, agent string) {
	wire := asWire(body)
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
	case errors.Is(err, errBomb), errors.Is(err, errTooLong):
		res.fail(TooLarge, "the body %v", err)
		return
	case wire.err != nil:
		res.failNetwork(wire.err, "the answer was cut off")
		return
	case errors.Is(err, errEncoding):
		res.fail(Type, "%v", err)
		return
	case err != nil:
		res.failNetwork(err, "the answer was cut off")
		return
	}
	if reason := notText(contentType, unknown, raw); reason != "" {
		res.fail(Type, "%s", reason)
		return
	}
	res.Outcome, res.Truncated = OK, truncated
	res.Body, res.Charset = charset.Decode(contentType, raw)
	res.Refresh = refreshIn(header)
	if len(raw) > 0 && len(res.Body) == len(raw) && &res.Body[0] == &raw[0] && !truncated { // it was UTF-8
		res.Packed = wire.member(header, raw)
	}
	res.validators(header)
	res.robotsTags(header, agent)
}

// refreshIn is the header Refresh of an answer, "" if it is longer than any address.
func refreshIn(header http.Header) string {
	if value := page.HeaderRefresh(header.Get("Refresh")); len(value) <= weburl.MaxLength {
		return value
	}
	return ""
}

func (res *Response) fail(outcome Outcome, format string, args ...any) {
	res.Outcome, res.Reason = outcome, fmt.Sprintf(format, args...)
}

// maxOverhead is how many bytes a compressed body may be larger than the decompressed one.
const maxOverhead = 64 << 10

// readBody reads and decompresses at most limit bytes of a body. It reads one byte more to tell a cut body from a whole
// one. If the connection fails, body holds what came before.
func readBody(w *wire, encodings []string, limit int64) (body []byte, truncated bool, err error) {
	w.limit = limit + maxOverhead
	r, done, err := decoder(w, encodings)
	if err != nil {
		return nil, false, err
	}
	defer done()
	plain := r == io.Reader(w)
	var c chunks
	defer c.release()
	if keep := w.keep; keep && plain { // the body is its own copy for the archive
		w.keep = false
		defer func() { w.raw = body }()
	}
	for empty := 0; empty < maxEmpty; empty++ {
		if err := c.ask(w); err != nil {
			return c.bytes(), true, err
		}
		n, err := r.Read(c.next(limit + 1))
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
		case errors.Is(w.err, errTooLong): // decoders may return another error for it
			return nil, false, errTooLong
		case err != nil:
			return c.bytes(), true, err
		}
	}
	return nil, false, io.ErrNoProgress
}

// maxEmpty is how many times in a row a reader may return no byte.
const maxEmpty = 100

// chunks is the buffer for a body of unknown size.
type chunks struct {
	list []*[chunkSize]byte
	size int64
}

const chunkSize = 64 << 10

var pool = sync.Pool{New: func() any { return new([chunkSize]byte) }}

// roomPiece is how many bytes of a body are asked room for at once; see LiveOptions.Room.
const roomPiece = 4 * chunkSize

// ask asks for room before the next bytes, when there is none left.
func (c *chunks) ask(w *wire) error {
	if w.room == nil || c.size == 0 || c.size%roomPiece != 0 || c.size < int64(len(c.list))*chunkSize {
		return nil
	}
	w.err = w.room(w.ctx, roomPiece)
	if late, ok := errors.AsType[*errTimeout](context.Cause(w.ctx)); ok && w.err != nil {
		w.err = late
	}
	return w.err
}

// next is the space for the next bytes, so that the total stays within limit.
func (c *chunks) next(limit int64) []byte {
	used := c.size % chunkSize
	if c.size == int64(len(c.list))*chunkSize {
		c.list = append(c.list, pool.Get().(*[chunkSize]byte))
	}
	return c.list[len(c.list)-1][used:min(chunkSize, used+limit-c.size)]
}

// bytes is a copy of all bytes read.
func (c *chunks) bytes() []byte {
	all := make([]byte, 0, c.size)
	for _, chunk := range c.list {
		all = append(all, chunk[:min(chunkSize, c.size-int64(len(all)))]...)
	}
	return all
}

func (c *chunks) release() {
	for _, chunk := range c.list {
		pool.Put(chunk)
	}
}
