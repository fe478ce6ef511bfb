package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
)

// record reads the next record of the open member. It returns io.EOF at the member's end, and an error that wraps
// errSkipped for a record that is skipped although its size is known.
func (r *Reader) record() (*Record, error) {
	if err := r.content.skipLineEnds(); err != nil {
		r.recordAt = r.content.n
		return nil, r.headerError(err)
	}
	r.recordAt = r.content.n
	rec, length, err := r.header()
	if err != nil {
		return nil, err
	}
	if length > MaxBlock {
		if _, err := io.CopyN(io.Discard, r.content, length); err != nil {
			return nil, fmt.Errorf("record of %d bytes is truncated: %w", length, unexpectedEOF(err))
		}
		return nil, fmt.Errorf("%w: record of %d bytes is larger than %d", errSkipped, length, MaxBlock)
	}
	var block bytes.Buffer // grows with the data, not with the claimed length
	if n, err := io.CopyN(&block, r.content, length); err != nil {
		return nil, fmt.Errorf("record is truncated, %d of %d bytes: %w", n, length, unexpectedEOF(err))
	}
	rec.Block = block.Bytes()
	// Only the checksum at the end of a gzip member verifies its content.
	switch err := r.content.skipLineEnds(); {
	case err == io.EOF:
		if r.zipped && r.recordAt == 0 {
			rec.Size = r.raw.n
		}
	case err == nil:
		if head, _ := r.content.r.Peek(len(warcMark)); r.zipped && !bytes.Equal(head, warcMark) {
			return nil, errors.New("record is damaged: other data follows it in its gzip member")
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		r.problem(fmt.Errorf("the file ends after the record, before the end of its gzip member"))
		r.close()
	default:
		return nil, fmt.Errorf("record is damaged: %w", err)
	}
	return rec, nil
}

// headerError is the reason why no record begins here; the clean end of a member stays io.EOF.
func (r *Reader) headerError(err error) error {
	if err == io.EOF {
		return err
	}
	return fmt.Errorf("damaged: %w", err)
}

// header reads the version line and the named fields, and returns the length of the block.
func (r *Reader) header() (*Record, int64, error) {
	head, err := r.content.r.Peek(len(warcMark))
	if !r.zipped && bytes.HasPrefix(head, gzipMark[:2]) {
		return nil, 0, io.EOF // compressed records follow plain ones
	}
	if !bytes.Equal(head, warcMark) {
		if err != nil && err != io.EOF {
			return nil, 0, fmt.Errorf("damaged: %w", err)
		}
		return nil, 0, errors.New("no WARC record begins here")
	}
	left := MaxHeader
	if _, err := r.content.line(&left); err != nil { // the version, such as "WARC/1.1"
		return nil, 0, fmt.Errorf("record header: %w", err)
	}
	rec := &Record{Header: textproto.MIMEHeader{}, At: r.position()}
	last := ""
	for {
		line, err := r.content.line(&left)
		switch {
		case err != nil:
			return nil, 0, fmt.Errorf("record header: %w", err)
		case line == "":
			length, err := strconv.ParseInt(rec.Header.Get("Content-Length"), 10, 64)
			if err != nil || length < 0 {
				return nil, 0, fmt.Errorf("record without a valid Content-Length: %.40q", rec.Header.Get("Content-Length"))
			}
			return rec, length, nil
		case (line[0] == ' ' || line[0] == '\t') && last != "": // folded
			values := rec.Header[last]
			values[len(values)-1] += " " + strings.TrimSpace(line)
		default:
			if name, value, ok := strings.Cut(line, ":"); ok {
				last = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
				rec.Header[last] = append(rec.Header[last], strings.TrimSpace(value))
			}
		}
	}
}

// unexpectedEOF turns io.EOF within a record into io.ErrUnexpectedEOF.
func unexpectedEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// counter is a buffered reader that counts the bytes read from it. It is an io.ByteReader, so that gzip reads no byte
// beyond the end of a member.
type counter struct {
	r *bufio.Reader
	n int64
}

func (c *counter) reset(r io.Reader) { c.r.Reset(r); c.n = 0 }

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// skipLineEnds skips the empty lines between records.
func (c *counter) skipLineEnds() error {
	for {
		b, err := c.r.Peek(1)
		if len(b) == 0 {
			return err
		}
		if b[0] != '\r' && b[0] != '\n' {
			return nil
		}
		if _, err := c.ReadByte(); err != nil {
			return err
		}
	}
}

// line reads one line without its end; left is the number of bytes that the header may still have.
func (c *counter) line(left *int) (string, error) {
	var line []byte
	for {
		part, err := c.r.ReadSlice('\n')
		c.n += int64(len(part))
		if *left -= len(part); *left < 0 {
			return "", fmt.Errorf("longer than %d bytes", MaxHeader)
		}
		line = append(line, part...)
		switch err {
		case nil:
			return strings.TrimRight(string(line), "\r\n"), nil
		case bufio.ErrBufferFull:
		default:
			return "", unexpectedEOF(err)
		}
	}
}
