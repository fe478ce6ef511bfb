package wordnet

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Bounds of what is read. WordNet 3.0 has a data.noun of 15 MB with lines of up to 12 kB, 82,115 noun synsets,
// 117,798 nouns and at most 59 senses a word.
const (
	maxFile   = 256 << 20
	maxLine   = 256 << 10
	maxLines  = 1 << 20 // synsets of a file, words of an index, irregular forms
	maxSenses = 1000    // senses of a word
)

// FileError says where a file breaks the format, or that it could not be read.
type FileError struct {
	File   string // its name in the dict folder
	Offset int64  // bytes before the line
	Err    error
}

// Error names the file, the byte and the next step.
func (e *FileError) Error() string {
	return fmt.Sprintf("%s, byte %d: %v (the file is damaged or not WordNet's: get WordNet again)", e.File, e.Offset, e.Err)
}

// Unwrap is what is wrong.
func (e *FileError) Unwrap() error { return e.Err }

// lines reads a file line by line.
type lines struct {
	file   string
	from   *bufio.Reader
	offset int64 // of the line that was read last
	next   int64 // of the line to read next
	count  int   // lines without the heading
}

func newLines(file string, r io.Reader) *lines {
	return &lines{file: file, from: bufio.NewReaderSize(r, maxLine)}
}

// wrong is a FileError at the line that was read last.
func (l *lines) wrong(format string, args ...any) error {
	return &FileError{File: l.file, Offset: l.offset, Err: fmt.Errorf(format, args...)}
}

// line returns the next line without its end, or io.EOF. It holds until the next call. Lines that begin with two spaces
// are the licence and are skipped.
func (l *lines) line() ([]byte, error) {
	for {
		l.offset = l.next
		line, err := l.from.ReadSlice('\n')
		l.next += int64(len(line))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, l.wrong("the line has more than %d bytes", maxLine)
		case err != nil && !errors.Is(err, io.EOF):
			return nil, &FileError{File: l.file, Offset: l.offset, Err: err}
		case err != nil && len(line) == 0:
			return nil, io.EOF
		case l.next > maxFile:
			return nil, l.wrong("the file has more than %d bytes", maxFile)
		}
		if bytes.HasPrefix(line, []byte("  ")) || len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if l.count++; l.count > maxLines {
			return nil, l.wrong("the file has more than %d lines", maxLines)
		}
		return bytes.TrimRight(line, " \r\n"), nil
	}
}

// fields reads the fields of a line, which spaces separate. After the end each field is empty.
type fields struct{ rest []byte }

func (f *fields) next() []byte {
	f.rest = bytes.TrimLeft(f.rest, " ")
	i := bytes.IndexByte(f.rest, ' ')
	if i < 0 {
		i = len(f.rest)
	}
	field := f.rest[:i]
	f.rest = f.rest[i:]
	return field
}

// number reads a number in [0, 2³²) in base 10 or 16. An empty field, another character or a larger number is not one.
func (f *fields) number(base int) (uint32, bool) {
	n, err := strconv.ParseUint(string(f.next()), base, 32)
	return uint32(n), err == nil
}

// isOffset says whether the next field is an offset as a data file writes it, with 8 digits, and is at.
func (f *fields) isOffset(at int64) bool {
	before := len(f.rest)
	n, ok := f.number(10)
	return ok && before-len(f.rest) == 8 && int64(n) == at
}
