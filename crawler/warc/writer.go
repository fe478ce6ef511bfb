package warc

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Writer writes a WARC file with each record as a separate gzip member, so that each can be read alone. Equal records give
// equal bytes: a record's ID is derived from its content.
type Writer struct {
	w io.Writer
}

// NewWriter makes a Writer that appends records to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Response writes the answer to a request for url. It writes the body unchanged, so header must not name an encoding that
// the body lacks, and sets Content-Length.
func (w *Writer) Response(url string, at time.Time, status int, header http.Header, body []byte) error {
	if url == "" || strings.ContainsAny(url, "\r\n \t") {
		return fmt.Errorf("write WARC response: %q is not a URL", url)
	}
	if status < 100 || status > 999 {
		return fmt.Errorf("write WARC response: status %d", status)
	}
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Del("Transfer-Encoding")
	header.Set("Content-Length", fmt.Sprint(len(body)))
	var block bytes.Buffer
	fmt.Fprintf(&block, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	if err := header.Write(&block); err != nil {
		return fmt.Errorf("write WARC response: %w", err)
	}
	block.WriteString("\r\n")
	block.Write(body)
	return w.write("response", url, at, "application/http;msgtype=response", block.Bytes(), body)
}

func (w *Writer) write(kind, url string, at time.Time, contentType string, block, payload []byte) error {
	date := at.UTC().Format("2006-01-02T15:04:05Z")
	sum := sha1.Sum(payload) // as other programs use; it need not be secure
	var b bytes.Buffer
	err := Append(&b, []Field{
		{"WARC-Type", kind},
		{"WARC-Target-URI", url},
		{"WARC-Date", date},
		{"WARC-Record-ID", "<" + recordID(kind, url, date, block).URN() + ">"},
		{"WARC-Payload-Digest", "sha1:" + base32.StdEncoding.EncodeToString(sum[:])},
		{"Content-Type", contentType},
	}, block)
	if err != nil {
		return err
	}
	if _, err := w.w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write WARC record: %w", err)
	}
	return nil
}

// recordID is a version 8 UUID derived from the content of the record.
func recordID(parts ...any) uuid.UUID {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%s\x00", p)
	}
	id := uuid.UUID(h.Sum(nil)[:16])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id
}
