package operators

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// rest is the text that is still to be read.
func (p *parser) rest() string { return p.text[p.at:] }

// skip moves behind white space.
func (p *parser) skip() {
	p.at = len(p.text) - len(strings.TrimLeftFunc(p.rest(), unicode.IsSpace))
}

// next returns the next character behind white space, 0 at the end.
func (p *parser) next() rune {
	p.skip()
	r, size := utf8.DecodeRuneInString(p.rest())
	if size == 0 {
		return 0
	}
	return r
}

// take moves behind a character if it is the next one.
func (p *parser) take(r rune) bool {
	if p.next() != r {
		return false
	}
	p.at += utf8.RuneLen(r)
	return true
}

// here is a fault at the place that is read.
func (p *parser) here(format string, args ...any) *Fault {
	return faultAt(p.text, p.at, format, args...)
}

// expect moves behind a character, which must be the next one.
func (p *parser) expect(r rune, what string) *Fault {
	if p.take(r) {
		return nil
	}
	return p.here("expected %s, found %s", what, p.found())
}

// found names what is next, for a message.
func (p *parser) found() string {
	p.skip()
	if p.rest() == "" {
		return "the end"
	}
	text := p.rest()
	if end := strings.IndexFunc(text, unicode.IsSpace); end > 0 {
		text = text[:end]
	}
	if runes := []rune(text); len(runes) > 20 {
		text = string(runes[:20]) + "…"
	}
	return "“" + text + "”"
}

// name reads a run of letters and digits, "" when there is none.
func (p *parser) name() string {
	p.skip()
	end := strings.IndexFunc(p.rest(), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(p.rest())
	}
	text := p.rest()[:end]
	p.at += end
	return text
}

// keyword moves behind one of the language's words if it is the next one and is followed by a character that after holds.
func (p *parser) keyword(text string, after rune) bool {
	start := p.at
	if strings.EqualFold(p.name(), text) && (after == 0 || p.take(after)) {
		return true
	}
	p.at = start
	return false
}

// bracketOf is the opening bracket of each closing one.
var bracketOf = map[rune]rune{')': '(', ']': '[', '}': '{'}

// bare reads up to white space, a comma, or a closing bracket that was not opened in it.
func (p *parser) bare() string {
	open := map[rune]int{}
	for i, r := range p.rest() {
		opened := bracketOf[r]
		if unicode.IsSpace(r) || r == ',' || opened != 0 && open[opened] == 0 {
			text := p.rest()[:i]
			p.at += i
			return text
		}
		if opened != 0 {
			open[opened]--
		} else if r == '(' || r == '[' || r == '{' {
			open[r]++
		}
	}
	text := p.rest()
	p.at = len(p.text)
	return text
}

// quoted reads a string, whose first quotation mark is next.
func (p *parser) quoted() (string, *Fault) {
	start := p.at
	p.take('"')
	var b strings.Builder
	escaped := false
	for i, r := range p.rest() {
		switch {
		case escaped && r != '"' && r != '\\':
			return "", faultAt(p.text, p.at+i, `expected " or \ behind \; write \\ for \`)
		case escaped:
			escaped = false
			b.WriteRune(r)
		case r == '\\':
			escaped = true
		case r == '"':
			p.at += i + 1
			return b.String(), nil
		default:
			b.WriteRune(r)
		}
	}
	return "", faultAt(p.text, start, `this quotation mark has no second one`)
}

// label reads the name of something: a string, or a bare text.
func (p *parser) label(what string) (string, *Fault) {
	start := p.at
	text := ""
	if p.next() == '"' {
		var f *Fault
		if text, f = p.quoted(); f != nil {
			return "", f
		}
	} else {
		text = p.bare()
	}
	if text = strings.TrimSpace(text); text == "" {
		return "", faultAt(p.text, start, "expected the name of %s", what)
	}
	return text, nil
}
