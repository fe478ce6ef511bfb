package fetch

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
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

// decoder decodes one content encoding, of those that requests accept. Like browsers, it ignores what follows the first
// member of a gzip body. Call done when r is no longer read.
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

// emptyReader replaces the body in pooled decoders, so that they do not keep it alive.
type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, io.EOF }
