// Package warc reads and writes web archives (WARC 1.0 and 1.1, ISO 28500).
//
// NewReader goes through a file record by record and takes whatever is good in it: a record that is cut short, a
// damaged gzip member or garbage between records becomes a Problem, and reading goes on behind it. A record's Position
// lets ReadAt get it again without going through the file; Answer reads the HTTP answer in it. Append writes a record as a
// gzip member of its own, Writer the answers of a made-up or recorded web. Package archive keeps nights with them.
//
// A record's block is held in memory, so blocks larger than MaxBlock are skipped.
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

// Record is one record of an archive.
type Record struct {
	Version string               // "WARC/1.1"
	Header  textproto.MIMEHeader // named fields
	Block   []byte
	At      Position
	Size    int64 // bytes of the gzip member, when the record has one for itself, else 0
}

// Position says where a record is: in the gzip member (or, uncompressed, at the byte) at Offset of the file, behind
// Skip bytes of the member's content.
type Position struct{ Offset, Skip int64 }

// Problem is a part of an archive that could not be read.
type Problem struct {
	Offset int64 // in the file
	Reason string
}

func (p Problem) String() string { return fmt.Sprintf("at byte %d: %s", p.Offset, p.Reason) }

// Type is the kind of record: "response", "resource", "request", "warcinfo", "metadata", "revisit", "conversion".
func (r *Record) Type() string { return strings.ToLower(strings.TrimSpace(r.Header.Get("Warc-Type"))) }

// Target is the URL that the record is about. Some writers put it between angle brackets.
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

// ReadAt reads the record at a position that a Reader of the same file gave.
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
