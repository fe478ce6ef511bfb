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

// maxWindow bounds what a zstd body may have its reader remember; 8 MB is what RFC 9659 allows.
const maxWindow = 8 << 20

// Decoders are large, and used again.
var (
	gzips   = sync.Pool{New: func() any { return new(gzip.Reader) }}
	brotlis = sync.Pool{New: func() any { return brotli.NewReader(ended{}) }}
	zstds   = sync.Pool{New: func() any {
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			panic("fetch: zstd options") // constants
		}
		return z
	}}
)

// decoder undoes a content encoding. Only one is undone, and only of those that are asked for. What stands behind a gzip
// body is not looked at, as browsers do. done must be called when r is no longer read.
func decoder(wire io.Reader, encodings []string) (r io.Reader, done func(), err error) {
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(encodings, ",")))
	switch encoding {
	case "", "identity", "none", "utf-8":
		return wire, func() {}, nil
	case "gzip", "x-gzip":
		z := gzips.Get().(*gzip.Reader)
		done = func() { _ = z.Reset(ended{}); gzips.Put(z) } // there is nothing to read
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
		return z, func() { _ = z.Reset(ended{}); brotlis.Put(z) }, nil // it reads nothing yet
	case "zstd":
		z := zstds.Get().(*zstd.Decoder)
		if err := z.Reset(wire); err != nil {
			return nil, nil, fmt.Errorf("%w zstd: %w", errEncoding, err)
		}
		return z, func() { _ = z.Reset(nil); zstds.Put(z) }, nil // letting go cannot fail
	}
	return nil, nil, fmt.Errorf("%w %.40q was not asked for", errEncoding, encoding)
}

// ended is a body that has been read, for decoders to hold on to.
type ended struct{}

func (ended) Read([]byte) (int, error) { return 0, io.EOF }
