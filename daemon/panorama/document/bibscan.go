package document

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// bib is a place in a bibliography.
type bib struct {
	s       string
	at      int
	strings map[string]string // what @string defined
	defined int               // bytes of it
	skipped bool              // a part of the entry could not be read
}

var (
	errBrace = errors.New("its last brace is missing")
	// entryStart finds the begin of an entry where a line begins. Other lines may begin with an @, too, such as in an abstract.
	entryStart = regexp.MustCompile(`^[ \t]*@[ \t]*[A-Za-z]+\s{0,9}(?:\{|\(\s*[^\s()]*\s*[,=])`)
	// fieldStart finds the name of a field. Some programs write names of several words; some files lack the =.
	fieldStart = regexp.MustCompile(`^([^\s{}(),="#%@\\]+(?:[ \t]+[^\s{}(),="#%@\\:]+){0,3})\s*(?::?=+\s*|\{)`)
)

// seek goes to the next @. What is between entries is a comment.
func (p *bib) seek() bool {
	i := strings.IndexByte(p.s[p.at:], '@')
	if i < 0 {
		return false
	}
	p.at += i
	return true
}

// recover goes on behind a bad entry: at the next entry that begins a line.
func (p *bib) recover(start int) {
	for at := start + 1; ; {
		i := strings.IndexByte(p.s[at:], '\n')
		if i < 0 {
			p.at = len(p.s)
			return
		}
		if at += i + 1; p.beginsAt(at) {
			p.at = at
			return
		}
	}
}

// beginsAt reports whether an entry begins at i, where a line begins.
func (p *bib) beginsAt(i int) bool {
	return (i == 0 || p.s[i-1] == '\n') && entryStart.MatchString(p.s[i:min(len(p.s), i+100)])
}

// begins reports whether p.at is the @ of an entry that begins a line.
func (p *bib) begins() bool {
	from := p.at
	for from > max(0, p.at-80) && (p.s[from-1] == ' ' || p.s[from-1] == '\t') {
		from--
	}
	return p.at < len(p.s) && p.s[p.at] == '@' && p.beginsAt(from)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (p *bib) space() {
	for p.at < len(p.s) && isSpace(p.s[p.at]) {
		p.at++
	}
}

func (p *bib) peek() byte {
	p.space()
	if p.at == len(p.s) {
		return 0
	}
	return p.s[p.at]
}

// between is peek where a field or a comma may stand, so that % begins a comment.
func (p *bib) between() byte {
	for p.peek() == '%' {
		i := strings.IndexByte(p.s[p.at:], '\n')
		if i < 0 {
			p.at = len(p.s)
			return 0
		}
		p.at += i
	}
	return p.peek()
}

func (p *bib) word() string {
	p.space()
	from := p.at
	for p.at < len(p.s) && !isSpace(p.s[p.at]) && strings.IndexByte(`{}(),="#%@\`, p.s[p.at]) < 0 {
		p.at++
	}
	return p.s[from:p.at]
}

// entry reads what begins with the @ at p.at. Without fields, it was no reference.
func (p *bib) entry() (kind string, fields map[string]string, err error) {
	p.at++
	kind = strings.ToLower(p.word())
	open := p.peek()
	if kind == "" || open != '{' && open != '(' {
		return kind, nil, nil // an @ in a comment between entries, as in an address of mail
	}
	closing := byte('}')
	if open == '(' {
		closing = ')'
	}
	if kind == "comment" || kind == "preamble" {
		_, err := p.braced(open, closing, true, func() bool { return true })
		return kind, nil, err
	}
	p.at++
	if kind != "string" {
		p.key()
	}
	fields = map[string]string{}
	if err := p.fields(fields, closing); err != nil {
		return kind, nil, err
	}
	if kind == "string" {
		for k, v := range fields {
			if p.defined += len(k) + len(v); p.defined <= maxStrings {
				p.strings[k] = v
			}
		}
		return kind, nil, nil
	}
	return kind, fields, nil
}

// key goes behind the key of an entry, if it has one.
func (p *bib) key() {
	p.space()
	i := strings.IndexAny(p.s[p.at:], ",}\n=")
	if i < 0 || p.s[p.at+i] != '=' {
		p.at += max(i, 0)
		return
	}
	if words := strings.Fields(p.s[p.at : p.at+i]); len(words) > 1 {
		p.at += len(words[0]) // no comma after the key
	}
}

func (p *bib) fields(into map[string]string, closing byte) error {
	for {
		switch c := p.between(); {
		case c == closing:
			p.at++
			return nil
		case c == ',':
			p.at++
			continue
		case c == 0 || p.begins():
			return errBrace
		}
		m := fieldStart.FindStringSubmatch(p.s[p.at:min(len(p.s), p.at+400)])
		if m == nil {
			p.skip(closing)
			continue
		}
		p.at += len(strings.TrimSuffix(m[0], "{"))
		value, err := p.value(closing)
		if err != nil {
			return err
		}
		name := strings.ToLower(strings.TrimSuffix(m[1], ":"))
		if _, twice := into[name]; !twice && len(into) < 200 && value != "" {
			into[name] = value
		}
	}
}

// skip goes to the next comma or line of an entry.
func (p *bib) skip(closing byte) {
	p.skipped = true
	for p.at++; p.at < len(p.s) && p.s[p.at] != ',' && p.s[p.at] != '\n' && p.s[p.at] != closing; {
		p.at++
	}
}

// value reads braces, quotes, words and numbers, joined by #.
func (p *bib) value(closing byte) (string, error) {
	var b strings.Builder
	for {
		one, err := p.part(closing)
		if err != nil {
			return "", err
		}
		if b.Len()+len(one) > maxValue {
			return "", fmt.Errorf("a value is longer than 64 KiB")
		}
		b.WriteString(one)
		if p.peek() != '#' {
			return b.String(), nil
		}
		p.at++
	}
}

// part reads a part of a value. Most files put a backslash before a mark that closes nothing, and some do not, as in "C:\".
// What follows tells which it is.
func (p *bib) part(closing byte) (string, error) {
	switch p.peek() {
	case '{':
		end := func() bool { return p.followed(closing) }
		return p.either(func() (string, error) { return p.braced('{', '}', true, end) }, func() (string, error) { return p.braced('{', '}', false, end) })
	case '"':
		return p.either(func() (string, error) { return p.quoted(false, func() bool { return p.followedByField(closing) }) },
			func() (string, error) { return p.quoted(true, func() bool { return p.followed(closing) }) })
	}
	return p.bare(closing), nil
}

// either reads in one way or, if that fails, in the other.
func (p *bib) either(one, other func() (string, error)) (string, error) {
	from := p.at
	s, err := one()
	if err == nil {
		return s, nil
	}
	at := p.at
	p.at = from
	if s, err := other(); err == nil {
		return s, nil
	}
	p.at = at
	return "", err
}

// bare reads a value without marks: the name of a string, a number, or words up to a comma or the end of the line.
func (p *bib) bare(closing byte) string {
	from := p.at
	if p.begins() || p.named() {
		return "" // the value is missing, and something else begins
	}
	w := p.word()
	if v, ok := p.strings[strings.ToLower(w)]; ok {
		return v
	}
	if w != "" && (p.peek() == '#' || p.followed(closing)) {
		return w
	}
	p.at = from
	for p.at < len(p.s) && p.s[p.at] != ',' && p.s[p.at] != '\n' && p.s[p.at] != closing {
		p.at++
	}
	return strings.TrimSpace(p.s[from:p.at])
}

// followed reports whether what stands at p.at can follow a value: a comma, the end of the entry, or another field without a
// comma before it. It leaves p.at.
func (p *bib) followed(closing byte) bool {
	at := p.at
	defer func() { p.at = at }()
	switch c := p.between(); c {
	case ',', '#', closing:
		return true
	case 0:
		return false
	}
	return p.named()
}

// followedByField is followed for a place where a comma may be part of the value.
func (p *bib) followedByField(closing byte) bool {
	at := p.at
	defer func() { p.at = at }()
	c := p.between()
	if c != ',' {
		return p.followed(closing)
	}
	for ; c == ','; c = p.between() {
		p.at++
	}
	return c == closing || c == 0 || p.begins() || p.named()
}

// named reports whether a field begins at p.at.
func (p *bib) named() bool { return fieldStart.MatchString(p.s[p.at:min(len(p.s), p.at+400)]) }

// braced reads from an opening mark to the one that closes it. A new entry at the begin of a line says that one is missing.
func (p *bib) braced(open, closing byte, escapes bool, followed func() bool) (string, error) {
	p.space()
	from, depth := p.at+1, 0
	for end := min(len(p.s), from+16*maxValue); p.at < end; p.at++ {
		switch c := p.s[p.at]; {
		case c == '\\' && escapes:
			p.at++
		case c == '@' && p.begins():
			return "", errors.New("a brace is missing")
		case c == open:
			depth++
		case c == closing:
			if depth--; depth > 0 {
				continue
			}
			if p.at++; followed() {
				return p.s[from : p.at-1], nil
			}
			return "", errors.New("a brace or a comma is missing")
		}
	}
	p.at = min(p.at, len(p.s))
	return "", errors.New("a brace is missing")
}

// quoted reads to the first quotation mark that what may follow a value follows.
func (p *bib) quoted(escapes bool, followed func() bool) (string, error) {
	p.at++
	from, depth := p.at, 0
	for end := min(len(p.s), from+16*maxValue); p.at < end; p.at++ {
		switch c := p.s[p.at]; {
		case c == '\\' && escapes:
			p.at++
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '@' && p.begins():
			return "", errors.New("a quotation mark is missing")
		case c == '"' && depth == 0:
			if p.at++; followed() {
				return p.s[from : p.at-1], nil
			}
			p.at--
		}
	}
	p.at = min(p.at, len(p.s))
	return "", errors.New("a quotation mark is missing")
}
