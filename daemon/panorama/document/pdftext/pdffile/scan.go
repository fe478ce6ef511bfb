package pdffile

import (
	"bytes"
	"strconv"
)

// object is an object of a file. The same number may stand several times in it: the last one counts.
type object struct {
	number, generation int
	value              any
	data               []byte // of a stream
	stream             bool
	cut                bool // the end of the stream is missing, or its length is wrong
}

// scanner finds the objects of a file.
type scanner struct {
	b       []byte
	lengths map[int]int // numbers that stand in objects of their own
	work    int         // bytes that may still be read
	objects []object
	trailer dict
	damaged bool // a stream is cut
}

// scan finds the objects and the trailers of a file.
func scan(b []byte) *scanner {
	s := &scanner{b: b, lengths: map[int]int{}, work: 8*len(b) + 1<<20, trailer: dict{}}
	for at := 0; ; {
		number, _, start, ok := s.header(at)
		if !ok {
			break
		}
		p := parser{b: b[:min(len(b), start+40)], at: start}
		if n, ok := p.value(); ok {
			if r, isRaw := n.(raw); isRaw {
				if length, err := strconv.Atoi(string(r)); err == nil {
					s.lengths[number] = length
				}
			}
		}
		at = start
	}
	for at := 0; len(s.objects) < maxObjects && s.work > 0; {
		number, generation, start, ok := s.header(at)
		if !ok {
			break
		}
		at = s.object(number, generation, start)
		s.work -= at - start
	}
	s.trailers()
	return s
}

// header finds the next "12 0 obj" from a place on, and returns where it ends.
func (s *scanner) header(at int) (number, generation, end int, ok bool) {
	for {
		i := bytes.Index(s.b[at:], []byte("obj"))
		if i < 0 {
			return 0, 0, 0, false
		}
		end = at + i + len("obj")
		generation, before, one := intBefore(s.b, at+i)
		number, _, two := intBefore(s.b, before)
		if one && two && before < at+i {
			return number, generation, end, true
		}
		at = end
	}
}

// intBefore reads the number that ends before a place, with white space between, and returns where it begins.
func intBefore(b []byte, end int) (n, begin int, ok bool) {
	for end > 0 && space(b[end-1]) {
		end--
	}
	begin = end
	for begin > 0 && end-begin < 10 && b[begin-1] >= '0' && b[begin-1] <= '9' {
		begin--
	}
	n, err := strconv.Atoi(string(b[begin:end]))
	return n, begin, err == nil
}

// object reads the object whose header ends at a place, and returns where to go on.
func (s *scanner) object(number, generation, start int) (next int) {
	p := parser{b: s.b, at: start}
	v, ok := p.value()
	if !ok {
		s.work -= min(maxString, len(s.b)-start)
		return start
	}
	o := object{number: number, generation: generation, value: v}
	head, isDict := v.(dict)
	p.skip()
	if isDict && bytes.HasPrefix(s.b[p.at:], []byte("stream")) {
		from := p.at + len("stream")
		if bytes.HasPrefix(s.b[from:], []byte("\r\n")) {
			from += 2
		} else if from < len(s.b) && (s.b[from] == '\n' || s.b[from] == '\r') {
			from++
		}
		o.stream = true
		o.data, o.cut, p.at = s.data(head, from)
		s.damaged = s.damaged || o.cut
	}
	s.objects = append(s.objects, o)
	return p.at
}

// data returns the bytes of a stream that begins at a place: as many as its dictionary says if it ends there, else up to the
// next word that ends it.
func (s *scanner) data(head dict, from int) (data []byte, cut bool, next int) {
	endstream := []byte("endstream")
	if n, ok := s.length(head["Length"]); ok && n >= 0 && n <= len(s.b)-from {
		after := bytes.TrimLeft(s.b[from+n:min(len(s.b), from+n+20)], " \t\r\n\f\x00")
		if bytes.HasPrefix(after, endstream) {
			return s.b[from : from+n], false, from + n
		}
	}
	end := bytes.Index(s.b[from:], endstream)
	if other := bytes.Index(s.b[from:], []byte("endobj")); end < 0 {
		if end = other; end < 0 {
			return s.b[from:], true, len(s.b)
		}
	}
	next = from + end
	data = bytes.TrimSuffix(s.b[from:next], []byte("\n"))
	return bytes.TrimSuffix(data, []byte("\r")), true, next
}

func (s *scanner) length(v any) (n int, ok bool) {
	switch v := v.(type) {
	case raw:
		n, err := strconv.Atoi(string(v))
		return n, err == nil
	case ref:
		n, ok = s.lengths[v.number]
	}
	return n, ok
}

// trailers reads what all trailers say; of several, the last one that names a catalog counts. Tables of objects that are
// streams are trailers, too.
func (s *scanner) trailers() {
	add := func(d dict) {
		for _, key := range []name{"Root", "Encrypt", "ID"} {
			if v, ok := d[key]; ok {
				s.trailer[key] = v
			}
		}
	}
	for _, o := range s.objects {
		if d, ok := o.value.(dict); ok && d["Type"] == name("XRef") {
			add(d)
		}
	}
	word := []byte("trailer")
	for at := bytes.Index(s.b, word); at >= 0; {
		p := parser{b: s.b, at: at + len(word)}
		if v, _ := p.value(); v != nil {
			if d, ok := v.(dict); ok {
				add(d)
			}
		}
		s.work -= p.at - at
		i := bytes.Index(s.b[at+len(word):], word)
		if i < 0 || s.work < 0 {
			break
		}
		at += len(word) + i
	}
}
