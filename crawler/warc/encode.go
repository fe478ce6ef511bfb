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

// Compressors that were used before: a new one costs more than a page. A crawl on two cores has no time for more than the
// quickest level, and a record of few bytes, such as a request, is not worth the tables that deflating it needs.
var (
	quick  = compressors(gzip.BestSpeed)
	stored = compressors(gzip.NoCompression)
)

// smallRecord is the size in bytes up to which a record is only wrapped.
const smallRecord = 1536

func compressors(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		z, err := gzip.NewWriterLevel(nil, level)
		if err != nil {
			panic(err) // the level is one that there is
		}
		return z
	}}
}

// Append appends a record of WARC 1.1, as a gzip member of its own, to b: its named fields in order, and its block, which
// may come in parts. Content-Length is added here; fields without a value are left out. Nothing is kept of the parts. The
// error is for a block larger than MaxBlock or a header larger than MaxHeader, which no Reader of ours would take, and
// for a value that holds a line end; b is then as it was.
func Append(b *bytes.Buffer, fields []Field, block ...[]byte) error {
	return appendTo(b, quick, fields, block)
}

// AppendStored is Append for a block that is compressed itself: doing so again would cost time and save nothing.
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
			return fmt.Errorf("write WARC record: %s holds a line end", f.Name)
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
	z.Reset(b) // writing to memory does not fail
	_, _ = z.Write(head)
	for _, part := range block {
		_, _ = z.Write(part)
	}
	_, _ = z.Write([]byte("\r\n\r\n"))
	return z.Close()
}
