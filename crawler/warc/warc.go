// Package warc reads and writes WARC files (WARC 1.0 and 1.1, ISO 28500).
//
// NewReader reads a file record by record. A truncated record, a damaged gzip member or garbage between records becomes a
// Problem, and reading continues after it. ReadAt reads one record at a known Position; Answer parses the HTTP answer in
// it. Append writes a record as a separate gzip member; Writer writes the answers of a made-up web or a recording. Package
// archive stores nights with them. A record's block is held in memory, so blocks larger than MaxBlock are skipped.
//
// The package is our own because no maintained Go library could be used: readers stop at damage, and the writer of
// nlnwa/gowarc syncs the file after each record and leaves half a record when the disk is full.
package warc

import (
	"fmt"
	"io"
	"net/textproto"
	"strings"
)

// MaxBlock is the size in bytes of the largest block that is read.
const MaxBlock = 32 << 20

// MaxHeader is the size in bytes of the largest record header that is read.
const MaxHeader = 64 << 10

// Record is one record of a WARC file.
type Record struct {
	Header textproto.MIMEHeader // named fields
	Block  []byte
	At     Position
	Size   int64 // bytes of the gzip member, 0 unless the record has its own
}

// Position is the position of a record: after Skip bytes of the content of the gzip member at Offset of the file. In an
// uncompressed file, Skip bytes after Offset.
type Position struct{ Offset, Skip int64 }

// Problem is a part of a WARC file that could not be read.
type Problem struct {
	Offset int64 // in the file
	Reason string
}

func (p Problem) String() string { return fmt.Sprintf("at byte %d: %s", p.Offset, p.Reason) }

// Type is the kind of record: "response", "resource", "request", "warcinfo", "metadata", "revisit", "conversion".
func (r *Record) Type() string { return strings.ToLower(strings.TrimSpace(r.Header.Get("Warc-Type"))) }

// Target is the URL of the record, without the angle brackets of some writers.
func (r *Record) Target() string {
	return unbracket(r.Header.Get("Warc-Target-Uri"))
}

func unbracket(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		s = s[1 : len(s)-1]
	}
	return s
}

// ReadAt reads the record at a position from a Reader of the same file.
func ReadAt(file io.ReaderAt, size int64, at Position) (*Record, error) {
	r := NewReader(file, size)
	r.next = at.Offset
	if err := r.open(); err != nil {
		return nil, fmt.Errorf("read WARC record at byte %d: %w", at.Offset, err)
	}
	if _, err := io.CopyN(io.Discard, r.content, at.Skip); err != nil {
		return nil, fmt.Errorf("read WARC record at byte %d: %w", at.Offset, err)
	}
	rec, err := r.record()
	if err != nil {
		return nil, fmt.Errorf("read WARC record at byte %d: %w", at.Offset, err)
	}
	return rec, nil
}
