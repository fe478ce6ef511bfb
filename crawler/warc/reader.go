package warc

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
)

// maxProblems bounds the work for a file of garbage.
const maxProblems = 1000

// errSkipped marks a record that is skipped although its size is known: reading continues after it.
var errSkipped = errors.New("skipped")

// Reader reads a WARC file, plain, compressed, or a mixture of both.
type Reader struct {
	file     io.ReaderAt
	size     int64
	next     int64 // offset of the next member or plain record
	start    int64 // offset of the open member
	raw      *counter
	zip      *gzip.Reader
	unzipped *counter
	content  *counter // the decompressed content of the open member
	zipped   bool
	inside   bool  // a member is open
	recordAt int64 // start of the current record in content
	problems []Problem
}

// NewReader reads the first size bytes of file.
func NewReader(file io.ReaderAt, size int64) *Reader { return &Reader{file: file, size: size} }

// Problems lists the parts that could not be read so far.
func (r *Reader) Problems() []Problem { return r.problems }

// Next returns the next complete record, and io.EOF after the last. It skips damage, see Problems; any other error is one
// of reading the file itself.
func (r *Reader) Next() (*Record, error) {
	for {
		if !r.inside {
			if err := r.open(); err == io.EOF || len(r.problems) >= maxProblems {
				return nil, io.EOF
			} else if err != nil {
				r.problem(err)
				if err := r.resync(); err != nil {
					return nil, err
				}
				continue
			}
		}
		rec, err := r.record()
		switch {
		case err == nil:
			return rec, nil
		case err == io.EOF:
			r.close()
		case errors.Is(err, errSkipped):
			r.problem(err)
		default:
			r.problem(err)
			if err := r.resync(); err != nil {
				return nil, err
			}
		}
	}
}

func (r *Reader) problem(err error) {
	if len(r.problems) == maxProblems-1 {
		err = fmt.Errorf("too many problems, the rest of the file is skipped; the last: %w", err)
	}
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, Problem{Offset: r.position().Offset, Reason: err.Error()})
	}
}

// open opens the gzip member, or the run of plain records, at r.next. It returns io.EOF at the end of the file.
func (r *Reader) open() error {
	head, err := r.skipPadding()
	if err != nil {
		return err
	}
	r.start, r.recordAt = r.next, 0
	section := io.NewSectionReader(r.file, r.start, r.size-r.start)
	if r.raw == nil {
		r.raw = &counter{r: bufio.NewReaderSize(section, 32<<10)}
	} else {
		r.raw.reset(section)
	}
	if r.zipped = bytes.HasPrefix(head, gzipMark[:2]); !r.zipped {
		r.content, r.inside = r.raw, true
		return nil
	}
	if r.zip == nil {
		r.zip = new(gzip.Reader)
	}
	if err := r.zip.Reset(r.raw); err != nil {
		return fmt.Errorf("gzip member: %w", unexpectedEOF(err))
	}
	r.zip.Multistream(false)
	if r.unzipped == nil {
		r.unzipped = &counter{r: bufio.NewReaderSize(r.zip, 32<<10)}
	} else {
		r.unzipped.reset(r.zip)
	}
	r.content, r.inside = r.unzipped, true
	return nil
}

// skipPadding moves r.next past line ends and zeros, and returns the next bytes.
func (r *Reader) skipPadding() ([]byte, error) {
	for buf := make([]byte, 512); ; {
		n, err := r.file.ReadAt(buf[:min(int64(len(buf)), max(0, r.size-r.next))], r.next)
		if n == 0 {
			if err == nil {
				err = io.EOF
			}
			return nil, err
		}
		head := bytes.TrimLeft(buf[:n], "\x00\r\n")
		r.next += int64(n - len(head))
		if len(head) > 0 {
			return head, nil
		}
	}
}

// close ends a member that was read to its end.
func (r *Reader) close() {
	r.inside = false
	r.next = r.start + max(r.raw.n, 1)
}

var (
	gzipMark = []byte{0x1f, 0x8b, 8}
	warcMark = []byte("WARC/")
)

// resync finds the next place after the start of the broken record where a record may begin. In a plain file it looks only
// for plain records first, because their blocks may contain gzip headers.
func (r *Reader) resync() error {
	from := r.position().Offset + 1
	r.inside = false
	marks := [][]byte{append([]byte("\n"), warcMark...)}
	if r.zipped {
		marks = append(marks, gzipMark)
	}
	for {
		at, err := r.find(from, marks)
		if err != nil {
			return err
		}
		if r.next = at; at < r.size || len(marks) > 1 {
			return nil
		}
		marks = [][]byte{gzipMark, gzipMark}
	}
}

// find returns the offset of the first of the marks at or after from, or the size of the file. The offset is after a
// mark's leading line feed.
func (r *Reader) find(from int64, marks [][]byte) (int64, error) {
	buf := make([]byte, 64<<10)
	for from < r.size {
		n, err := r.file.ReadAt(buf[:min(int64(len(buf)), r.size-from)], from)
		if n == 0 {
			if err == io.EOF {
				break
			}
			return 0, err
		}
		best := -1
		for _, mark := range marks {
			i := bytes.Index(buf[:n], mark)
			if i >= 0 && mark[0] == '\n' {
				i++
			}
			if i >= 0 && (best < 0 || i < best) {
				best = i
			}
		}
		if best >= 0 {
			return from + int64(best), nil
		}
		if n < len(buf) {
			break
		}
		from += int64(n - len(warcMark)) // a mark may cross two windows
	}
	return r.size, nil
}

// position is the position of the current record.
func (r *Reader) position() Position {
	if r.zipped {
		return Position{Offset: r.start, Skip: r.recordAt}
	}
	return Position{Offset: r.start + r.recordAt}
}

// All iterates over the complete records. An error of reading the file itself ends the iteration.
func (r *Reader) All() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			rec, err := r.Next()
			if err == io.EOF || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}
