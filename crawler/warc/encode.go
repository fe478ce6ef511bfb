package warc

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Field is a named field of a record's header.
type Field struct{ Name, Value string }

// Pools of compressors, because a new one costs more than compressing a page. A crawl on two cores has no time for more
// than the fastest level, and for a small record, such as a request, the tables of deflate are not worth their cost.
var (
	quick  = compressors(gzip.BestSpeed)
	stored = compressors(gzip.NoCompression)
)

// smallRecord is the size in bytes up to which a record is stored without compression.
const smallRecord = 1536

func compressors(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		z, err := gzip.NewWriterLevel(nil, level)
		if err != nil {
			panic(err) // the level is valid
		}
		return z
	}}
}

// Append appends a WARC 1.1 record to b as a separate gzip member: its named fields in order, Content-Length, and its
// block, which may come in parts and is not retained. Fields without a value are left out. For a block larger than
// MaxBlock, a header larger than MaxHeader, which a Reader would skip, or a value with a line end, Append returns an error
// and leaves b unchanged.
func Append(b *bytes.Buffer, fields []Field, block ...[]byte) error {
	return appendTo(b, quick, fields, block)
}

// AppendStored is Append without compression, for a block that is already compressed.
func AppendStored(b *bytes.Buffer, fields []Field, block ...[]byte) error {
	return appendTo(b, stored, fields, block)
}

func appendTo(b *bytes.Buffer, pool *sync.Pool, fields []Field, block [][]byte) error {
	size := 0
	for _, part := range block {
		size += len(part)
	}
	if size > MaxBlock {
		return fmt.Errorf("write WARC record: block of %d bytes is larger than %d", size, MaxBlock)
	}
	head := make([]byte, 0, 1024)
	head = append(head, "WARC/1.1\r\n"...)
	for _, f := range fields {
		if strings.ContainsAny(f.Value, "\r\n") {
			return fmt.Errorf("write WARC record: %s contains a line end", f.Name)
		}
		if f.Value != "" {
			head = append(append(append(append(head, f.Name...), ": "...), f.Value...), "\r\n"...)
		}
	}
	head = fmt.Appendf(head, "Content-Length: %d\r\n\r\n", size)
	if len(head) > MaxHeader {
		return fmt.Errorf("write WARC record: header of %d bytes is larger than %d", len(head), MaxHeader)
	}
	if len(head)+size <= smallRecord {
		pool = stored
	}
	z := pool.Get().(*gzip.Writer)
	defer pool.Put(z)
	z.Reset(b) // writing to memory cannot fail
	_, _ = z.Write(head)
	for _, part := range block {
		_, _ = z.Write(part)
	}
	_, _ = z.Write([]byte("\r\n\r\n"))
	return z.Close()
}
