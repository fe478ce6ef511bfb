package work

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// coder writes the fields of a result into out, or reads them from in: one description of a message serves both directions. A
// number is a varint, a text or a list its length and then its content. After an error, everything else is read as empty.
type coder struct {
	reads bool
	in    []byte
	out   []byte
	err   error
}

var errShort = errors.New("the message ends early")

func (c *coder) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
	c.in = nil
}

// long codes a number from 0 to most.
func (c *coder) long(n, most int64) int64 {
	if !c.reads {
		if n < 0 || n > most {
			c.fail("%d is not within 0 and %d", n, most)
			return 0
		}
		c.out = binary.AppendUvarint(c.out, uint64(n))
		return n
	}
	v, used := binary.Uvarint(c.in)
	switch {
	case c.err != nil:
		return 0
	case used <= 0:
		c.fail("%w", errShort)
		return 0
	case v > uint64(most):
		c.fail("%d is more than %d", v, most)
		return 0
	}
	c.in = c.in[used:]
	return int64(v)
}

func (c *coder) count(n, most int) int { return int(c.long(int64(n), int64(most))) }

func (c *coder) number(v *int, most int) { *v = c.count(*v, most) }

func (c *coder) flag(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	*v = c.count(n, 1) == 1
}

// span codes a duration from 0 to most.
func (c *coder) span(v *time.Duration, most time.Duration) {
	*v = time.Duration(c.long(int64(max(*v, 0)), int64(most)))
}

// moment codes a time with its nanoseconds, in UTC. One before 1970 becomes the start of 1970.
func (c *coder) moment(v *time.Time) {
	has := !v.IsZero()
	if c.flag(&has); !has {
		*v = time.Time{}
		return
	}
	s := c.long(max(v.Unix(), 0), maxSeconds)
	n := c.long(int64(v.Nanosecond()), int64(time.Second)-1)
	if c.reads {
		*v = time.Unix(s, n).UTC()
	}
}

// maxSeconds is the end of the year 9999, in seconds since 1970.
const maxSeconds = 253402300799

// word codes eight bytes.
func (c *coder) word(v *uint64) {
	switch {
	case !c.reads:
		c.out = binary.LittleEndian.AppendUint64(c.out, *v)
	case len(c.in) < 8:
		c.fail("%w", errShort)
		*v = 0
	default:
		*v, c.in = binary.LittleEndian.Uint64(c.in), c.in[8:]
	}
}

// bytes codes at most `most` bytes. When it reads, v becomes a part of the message, nil for none.
func (c *coder) bytes(v *[]byte, most int) {
	n := c.count(len(*v), most)
	switch {
	case !c.reads:
		c.out = append(c.out, (*v)[:n]...)
	case n > len(c.in):
		c.fail("%w", errShort)
		*v = nil
	case n == 0:
		*v = nil
	default:
		*v, c.in = c.in[:n:n], c.in[n:]
	}
}

// raw codes a text of any bytes.
func (c *coder) raw(v *string, most int) {
	if !c.reads {
		c.count(len(*v), most)
		c.out = append(c.out, *v...)
		return
	}
	var b []byte
	c.bytes(&b, most)
	*v = string(b)
}

// text codes a text as valid UTF-8.
func (c *coder) text(v *string, most int) {
	if !c.reads && !utf8.ValidString(*v) {
		s := strings.ToValidUTF8(*v, "?")
		v = &s
	}
	if c.raw(v, most); c.reads && !utf8.ValidString(*v) {
		c.fail("a text is not UTF-8")
		*v = ""
	}
}

// clipped is text for a string that may be too long: it is cut to `most` bytes.
func (c *coder) clipped(v *string, most int) {
	s := *v
	if !c.reads && len(s) > most {
		for s = s[:most]; !utf8.ValidString(s) && len(s) > most-utf8.UTFMax; {
			s = s[:len(s)-1]
		}
	}
	if c.text(&s, most); c.reads {
		*v = s
	}
}

// list codes at most `most` elements.
func list[T any](c *coder, v *[]T, most int, each func(*T)) {
	n := c.count(len(*v), most)
	if c.reads {
		if *v = nil; n > len(c.in) { // an element takes a byte at least, so that a lie about their number takes no memory
			c.fail("%w", errShort)
			return
		}
		if n > 0 {
			*v = make([]T, 0, n)
		}
	}
	for i := range n {
		if c.err != nil {
			return
		}
		if c.reads {
			var one T
			*v = append(*v, one)
		}
		each(&(*v)[i])
	}
}

// texts codes a list of texts.
func (c *coder) texts(v *[]string, most, long int) {
	list(c, v, most, func(s *string) { c.text(s, long) })
}
