package fetch

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"nightjar/crawler/warc"
)

// maxWindow is the largest zstd window in bytes; RFC 9659 allows 8 MB.
const maxWindow = 8 << 20

// Decoders are large, so they are reused.
var (
	gzips   = sync.Pool{New: func() any { return new(gzip.Reader) }}
	brotlis = sync.Pool{New: func() any { return brotli.NewReader(emptyReader{}) }}
	zstds   = sync.Pool{New: func() any {
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			panic("fetch: zstd options") // constants
		}
		return z
	}}
)

// decoder decodes one content encoding: of those that requests accept, or deflate, which some servers send unasked. Like
// browsers, it ignores what follows the first member of a gzip body. Call done when r is no longer read.
func decoder(wire io.Reader, encodings []string) (r io.Reader, done func(), err error) {
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(encodings, ",")))
	switch encoding {
	case "", "identity", "none", "utf-8":
		return wire, func() {}, nil
	case "gzip", "x-gzip":
		z := gzips.Get().(*gzip.Reader)
		done = func() { _ = z.Reset(emptyReader{}); gzips.Put(z) } // emptyReader has no header: the error is expected
		if err := z.Reset(wire); err != nil {
			done()
			return nil, nil, fmt.Errorf("%w gzip: %w", errEncoding, err)
		}
		z.Multistream(false)
		return z, done, nil
	case "deflate":
		return inflated(wire)
	case "br":
		z := brotlis.Get().(*brotli.Reader)
		if err := z.Reset(wire); err != nil {
			return nil, nil, fmt.Errorf("%w br: %w", errEncoding, err)
		}
		return z, func() { _ = z.Reset(emptyReader{}); brotlis.Put(z) }, nil // Reset reads nothing
	case "zstd":
		z := zstds.Get().(*zstd.Decoder)
		if err := z.Reset(wire); err != nil {
			return nil, nil, fmt.Errorf("%w zstd: %w", errEncoding, err)
		}
		return z, func() { _ = z.Reset(nil); zstds.Put(z) }, nil // Reset(nil) cannot fail
	}
	return nil, nil, fmt.Errorf("%w %.40q was not requested", errEncoding, encoding)
}

// inflated decodes deflate, which RFC 9110, §8.4.1.2, wraps in zlib. As browsers do, it also takes it bare, as some servers send it.
func inflated(wire io.Reader) (r io.Reader, done func(), err error) {
	buffered := bufio.NewReader(wire)
	head, _ := buffered.Peek(2) // an error comes again
	if len(head) == 2 && head[0]&0xf == 8 && binary.BigEndian.Uint16(head)%31 == 0 {
		z, err := zlib.NewReader(buffered)
		if err != nil {
			return nil, nil, fmt.Errorf("%w deflate: %w", errEncoding, err)
		}
		return z, func() {}, nil
	}
	return flate.NewReader(buffered), func() {}, nil
}

// member returns what was read of the wire so far if that is one gzip member, with body as its content and at most half as
// large; otherwise nil.
func (w *wire) member(header http.Header, body []byte) []byte {
	const trailer = 8 // CRC-32 and size of the content, RFC 1952
	n := len(w.raw)
	if encoding := header.Get("Content-Encoding"); !strings.EqualFold(encoding, "gzip") || n < trailer || n > len(body)/2 {
		return nil
	}
	end := w.raw[n-trailer:]
	if binary.LittleEndian.Uint32(end) != crc32.ChecksumIEEE(body) || binary.LittleEndian.Uint32(end[4:]) != uint32(len(body)) {
		return nil // something follows
	}
	return w.raw[:n:n]
}

// Decoded returns what a recorded body is without its content encoding, at most MaxBlock bytes of WARC. With an error it
// returns what could be decoded.
func Decoded(header http.Header, body []byte) ([]byte, error) {
	r, done, err := decoder(bytes.NewReader(body), header.Values("Content-Encoding"))
	if err != nil {
		return nil, err
	}
	defer done()
	plain, err := io.ReadAll(io.LimitReader(r, warc.MaxBlock+1))
	if err == nil && len(plain) > warc.MaxBlock {
		err = errTooLong
	}
	if err != nil {
		err = fmt.Errorf("decode a recorded body: %w", err)
	}
	return plain, err
}

// emptyReader replaces the body in pooled decoders, so that they do not keep it alive.
type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, io.EOF }
