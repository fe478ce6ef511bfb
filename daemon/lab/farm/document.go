package farm

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
)

// document is a page, compressed.
type document struct {
	zipped []byte
	etag   string
}

// newDocument compresses a page.
func newDocument(html []byte) *document {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(html)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic("farm: compress in memory: " + err.Error())
	}
	sum := fnv.New64a()
	sum.Write(b.Bytes())
	return &document{zipped: bytes.Clone(b.Bytes()), etag: fmt.Sprintf(`"%016x"`, sum.Sum64())}
}

// html is the decompressed page.
func (d *document) html() []byte {
	z, err := gzip.NewReader(bytes.NewReader(d.zipped))
	if err != nil {
		panic("farm: " + err.Error())
	}
	html, err := io.ReadAll(z)
	if err != nil {
		panic("farm: " + err.Error())
	}
	return html
}

// split splits an http address into host and path with query.
func split(url string) (host, path string) {
	host, path, _ = strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	return host, "/" + path
}

// mixed hashes numbers (splitmix64).
func mixed(numbers ...uint64) uint64 {
	var h uint64
	for _, n := range numbers {
		h += n + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// share turns a hash into a number in [0, 1).
func share(h uint64) float64 { return float64(h>>11) / (1 << 53) }
