package model

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"math"
)

// Lessons are most of a bundle's bytes, and addresses and the words around links repeat: they are deflated, which makes
// them a third as long.
const (
	leastDeflated = 4 << 10  // bytes of a block that is worth it
	mostDeflated  = 32 << 20 // bytes of a block at most, so that a small file cannot unpack into all memory
	deflateLevel  = 5        // the slower ones gain less than 2 %
)

// lessons passes over what a model learned from.
func lessons(c coder, l *Lessons) {
	c.block(func(c coder) {
		slice(c, &l.Pages, 1, func(w *Words) { wordCounts(c, w) })
		atMost(maxBackgroundLessons, c, &l.Background, 1, func(w *Words) { wordCounts(c, w) })
		atMost(maxLinkLessons, c, &l.Links, 7, func(k *LinkLesson) {
			c.int(&k.From)
			c.int(&k.To)
			for _, s := range []*string{&k.URL, &k.Anchor, &k.Around, &k.Heading, &k.Path} {
				c.string(s)
			}
		})
	})
}

// wordCounts codes each word by its distance from the one before, and its count. What is no such number is read as one
// that no bundle may hold. Writing changes nothing: a bundle may be read meanwhile.
func wordCounts(c coder, w *Words) {
	n := c.length(len(w.Index), 2)
	if len(w.Index) != n {
		w.Index, w.Count = make([]int32, n), make([]int32, n)
	}
	last := int32(0)
	for i, f := range w.Index {
		gap, count := uint64(f-last), uint64(w.Count[i])
		c.uint64(&gap)
		c.uint64(&count)
		if last += int32(min(gap, math.MaxInt32)); last != f {
			w.Index[i] = last
		}
		if count > math.MaxInt32 {
			count = 0
		}
		if int32(count) != w.Count[i] {
			w.Count[i] = int32(count)
		}
	}
}

// block writes fields as one piece, deflated where that pays.
func (e *encoder) block(fields func(coder)) {
	inner := &encoder{}
	fields(inner)
	deflated := len(inner.buf) >= leastDeflated && len(inner.buf) <= mostDeflated
	content := inner.buf
	if deflated {
		var b bytes.Buffer
		w, err := flate.NewWriter(&b, deflateLevel)
		if err == nil {
			_, err = w.Write(inner.buf)
			err = errors.Join(err, w.Close())
		}
		if err != nil {
			panic("model: " + err.Error()) // no such level, or memory that cannot be written to
		}
		content = b.Bytes()
	}
	e.bool(&deflated)
	e.length(len(content), 1)
	e.buf = append(e.buf, content...)
}

// block reads a piece, and nothing but it.
func (d *decoder) block(fields func(coder)) {
	deflated := false
	d.bool(&deflated)
	n := d.length(0, 1)
	content := d.buf[:n]
	d.buf = d.buf[n:]
	if deflated {
		var err error
		if content, err = inflate(content); err != nil {
			d.fail("a deflated part cannot be read: " + err.Error())
			return
		}
	}
	inner := &decoder{buf: content}
	fields(inner)
	switch {
	case inner.err != nil:
		d.fail(inner.err.Error())
	case len(inner.buf) != 0:
		d.fail("a part is longer than what it holds")
	}
}

// inflate unpacks at most mostDeflated bytes.
func inflate(packed []byte) ([]byte, error) {
	from := bytes.NewReader(packed)
	content, err := io.ReadAll(io.LimitReader(flate.NewReader(from), mostDeflated+1))
	switch {
	case err != nil:
		return nil, err
	case len(content) > mostDeflated:
		return nil, errors.New("it is too long")
	case from.Len() != 0:
		return nil, errors.New("something follows it")
	}
	return content, nil
}
