package pdffile

import (
	"bytes"
	"strconv"
)

// A value is nil, a name, a raw token (a number, true, false), a text, a ref, an array or a dict.
type (
	name  string // as it is written, without the slash
	raw   string
	text  string
	ref   struct{ number int }
	array []any
	dict  map[name]any
)

// parser reads values.
type parser struct {
	b     []byte
	at    int
	depth int
}

func space(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func delimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// skip goes over white space and comments.
func (p *parser) skip() {
	for p.at < len(p.b) {
		switch c := p.b[p.at]; {
		case space(c):
			p.at++
		case c == '%':
			for p.at < len(p.b) && p.b[p.at] != '\n' && p.b[p.at] != '\r' {
				p.at++
			}
		default:
			return
		}
	}
}

// word reads a run of other characters than white space and delimiters.
func (p *parser) word() string {
	from := p.at
	for p.at < len(p.b) && !space(p.b[p.at]) && !delimiter(p.b[p.at]) {
		p.at++
	}
	return string(p.b[from:p.at])
}

// value reads the next value. It stops before a keyword that is no value, and at the end.
func (p *parser) value() (v any, ok bool) {
	p.skip()
	if p.at >= len(p.b) || p.depth > maxDepth {
		return nil, false
	}
	p.depth++
	defer func() { p.depth-- }()
	switch c := p.b[p.at]; {
	case c == '/':
		p.at++
		return name(p.word()), true
	case c == '(':
		return p.literal()
	case bytes.HasPrefix(p.b[p.at:], []byte("<<")):
		p.at += 2
		return p.dict()
	case c == '<':
		return p.hex()
	case c == '[':
		p.at++
		return p.array()
	case delimiter(c):
		return nil, false
	}
	return p.token()
}

// token reads a number, a reference, true, false or null.
func (p *parser) token() (any, bool) {
	from := p.at
	w := p.word()
	switch {
	case w == "null":
		return nil, true
	case w == "true" || w == "false":
		return raw(w), true
	case w == "" || !bytes.ContainsAny([]byte(w[:1]), "+-.0123456789"):
		p.at = from
		return nil, false
	}
	if n, err := strconv.Atoi(w); err == nil && n >= 0 {
		after := p.at
		p.skip()
		if _, err := strconv.Atoi(p.word()); err == nil {
			p.skip()
			if p.word() == "R" {
				return ref{n}, true
			}
		}
		p.at = after
	}
	if _, err := strconv.ParseFloat(w, 64); err != nil {
		w = "0"
	}
	return raw(w), true
}

func (p *parser) array() (any, bool) {
	all := array{}
	for {
		if v, ok := p.value(); ok {
			all = append(all, v)
			continue
		}
		if p.at < len(p.b) && p.b[p.at] == ']' {
			p.at++
		}
		return all, true
	}
}

// dict reads a dictionary after its beginning. One that does not end ends where something else begins.
func (p *parser) dict() (any, bool) {
	all := dict{}
	for {
		p.skip()
		if bytes.HasPrefix(p.b[p.at:], []byte(">>")) {
			p.at += 2
			return all, true
		}
		if p.at >= len(p.b) || p.b[p.at] != '/' {
			if _, ok := p.value(); !ok {
				return all, true
			}
			continue // no key: a value too many
		}
		p.at++
		key := name(p.word())
		v, ok := p.value()
		if ok {
			all[key] = v
		}
	}
}

func (p *parser) hex() (any, bool) {
	end := bytes.IndexByte(p.b[p.at:min(len(p.b), p.at+2*maxString)], '>')
	if end < 0 {
		return nil, false
	}
	out := unHex(p.b[p.at+1 : p.at+end])
	p.at += end + 1
	return text(out), true
}

// escapes are the characters after a backslash that stand for others.
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

func (p *parser) literal() (any, bool) {
	var out []byte
	depth := 0
	for i := p.at; i < len(p.b) && len(out) < maxString; i++ {
		c := p.b[i]
		switch c {
		case '(':
			if depth++; depth == 1 {
				continue
			}
		case ')':
			if depth--; depth == 0 {
				p.at = i + 1
				return text(out), true
			}
		case '\\':
			var add []byte
			if add, i = escape(p.b, i+1); len(add) > 0 {
				out = append(out, add...)
			}
			continue
		}
		out = append(out, c)
	}
	return nil, false
}

// escape reads what stands after a backslash, and returns its last place.
func escape(b []byte, i int) (out []byte, last int) {
	if i >= len(b) {
		return nil, i
	}
	c := b[i]
	switch {
	case c == '\r' && i+1 < len(b) && b[i+1] == '\n':
		return nil, i + 1
	case c == '\r' || c == '\n':
		return nil, i
	case escapes[c] != 0:
		return []byte{escapes[c]}, i
	case c < '0' || c > '7':
		return []byte{c}, i
	}
	n := 0
	for last = i; last < min(i+3, len(b)) && b[last] >= '0' && b[last] <= '7'; last++ {
		n = n<<3 | int(b[last]-'0')
	}
	return []byte{byte(n)}, last - 1
}
