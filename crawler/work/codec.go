package work

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
)

// Limits of a message with a result, in bytes.
const (
	MaxMessage = 8<<20 - 64<<10 // compressed; the stream takes 8 MiB with headers
	maxPlain   = 24 << 20       // decompressed
	maxWindow  = 8 << 20        // of the compression
)

// magic begins each message; the byte after it is Version.
const magic = "NJR"

// ErrVersion says that a message is of another version.
var ErrVersion = errors.New("a message of another version")

// packers compress, and unpackers decompress. Both are used for whole messages only.
var packers = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20), zstd.WithEncoderConcurrency(2))
})

var unpackers = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxPlain), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(2))
})

// Encode makes a message of a result. If it would be too long, what only the archive wants is left out first, then the parsed
// page, and at last the page itself, whose outcome is then fetch.TooLarge.
func Encode(r *Result) ([]byte, error) {
	less, why := *r, error(nil)
	c := &coder{}
	for _, leave := range []func(*Result){
		func(*Result) {}, leaveParts, leaveBodies, leaveParsed, leavePage,
	} {
		leave(&less)
		c.out, c.err = c.out[:0], nil
		c.result(&less)
		if why = c.err; why != nil || len(c.out) > maxPlain {
			continue
		}
		pack, err := packers()
		if err != nil {
			return nil, fmt.Errorf("encode the result: %w", err)
		}
		if data := pack.EncodeAll(c.out, append(make([]byte, 0, 256+len(c.out)/4), magic+string(rune(Version))...)); len(data) <= MaxMessage {
			return data, nil
		}
	}
	if why == nil {
		why = fmt.Errorf("it is longer than %d bytes", MaxMessage)
	}
	return nil, fmt.Errorf("encode the result for %.200s: %w", r.URL, why)
}

// strip copies the exchanges of a result and changes those that it may.
func strip(r *Result, may func(*fetch.Exchange) bool) {
	r.Response.Exchanges = slices.Clone(r.Response.Exchanges)
	for i := range r.Response.Exchanges {
		if x := &r.Response.Exchanges[i]; may(x) {
			x.Truncated = x.Truncated || len(x.Body) > 0
			x.Header, x.RequestHeader, x.Body = nil, nil, nil
		}
	}
}

// leaveParts leaves out the headers and bodies of all exchanges except those for the page.
func leaveParts(r *Result) {
	strip(r, func(x *fetch.Exchange) bool { return x.Purpose != fetch.ForPage && x.Purpose != fetch.ForRedirect })
}

// leaveBodies leaves out the headers and bodies of all exchanges, and the page for missing addresses.
func leaveBodies(r *Result) {
	strip(r, func(*fetch.Exchange) bool { return true })
	r.Response.NotFound, r.Host.Probed, r.Host.Missing = nil, false, nil
}

// leaveParsed leaves out what the parser made of the page.
func leaveParsed(r *Result) { r.Page, r.Sketch = nil, nil }

// leavePage leaves out the page.
func leavePage(r *Result) {
	r.Response.Body = nil
	r.Response.Outcome, r.Response.Reason = fetch.TooLarge, "the page is too large to be sent to the crawl"
}

// Decode reads a message of Encode, which may come from a stranger: every size is bounded, and all texts are UTF-8. It shares
// memory with the result only, not with data. A page that another version of the parser read is left out. Call Check before the
// result is used.
func Decode(data []byte) (Result, error) {
	var r Result
	switch {
	case len(data) > MaxMessage:
		return r, fmt.Errorf("decode a result: it is longer than %d bytes", MaxMessage)
	case len(data) <= len(magic) || string(data[:len(magic)]) != magic:
		return r, errors.New("decode a result: not a result")
	case data[len(magic)] != Version:
		return r, fmt.Errorf("decode a result: %w: %d", ErrVersion, data[len(magic)])
	}
	unpack, err := unpackers()
	if err != nil {
		return r, fmt.Errorf("decode a result: %w", err)
	}
	plain, err := unpack.DecodeAll(data[len(magic)+1:], nil)
	if err != nil {
		return r, fmt.Errorf("decode a result: %w", err)
	}
	c := &coder{reads: true, in: plain}
	c.result(&r)
	if c.err == nil && len(c.in) > 0 {
		c.fail("%d bytes follow the result", len(c.in))
	}
	if c.err != nil {
		return Result{}, fmt.Errorf("decode a result: %w", c.err)
	}
	return r, nil
}

// From sets which worker a result came from, as the dispatcher knows it.
func (r *Result) From(worker string) {
	r.Worker = worker
	for i := range r.Response.Exchanges {
		r.Response.Exchanges[i].Worker = worker
	}
}

// section codes a page and its sketch, apart from the rest: a reader with another parser cannot read it, and leaves it out.
func (c *coder) section(r *Result) {
	inner := &coder{reads: c.reads}
	if !c.reads {
		inner.parsed(r)
		if c.err == nil {
			c.err = inner.err
		}
	}
	if c.bytes(&inner.out, maxPlain); !c.reads || r.Parser != page.Version {
		return
	}
	if inner.in = inner.out; len(inner.in) == 0 && c.err != nil {
		return
	}
	if inner.parsed(r); inner.err == nil && len(inner.in) > 0 {
		inner.fail("%d bytes follow the page", len(inner.in))
	}
	if inner.err != nil {
		c.fail("%w", inner.err)
	}
}

// body codes bytes that are often the same as others of the message.
func (c *coder) body(v *[]byte, same []byte, most int) {
	shared := len(same) > 0 && bytes.Equal(*v, same)
	if c.flag(&shared); !shared {
		c.bytes(v, most)
	} else if c.reads {
		*v = same
	}
}
