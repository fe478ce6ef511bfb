package htmltree

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxName  = 32  // bytes of the names that are looked up as atoms
	maxAttrs = 100 // attributes of an element; comparing the names of more takes too long
)

// scanTag reads a tag from its name on. ok is false for one without end or with too much in it. Attributes of an end tag
// are skipped.
func (p *parser) scanTag(start bool) (ok bool) {
	p.scanName()
	p.tag.attrs, p.tag.selfClosing = nil, false
	var room [8]html.Attribute
	attrs := room[:0]
	last := -1 // where the value of the last attribute ends
	for {
		p.skipSpace()
		if p.i >= len(p.s) {
			return false
		}
		if p.s[p.i] == '>' {
			break
		}
		key, from, to, ok := p.scanAttr()
		if !ok {
			return false
		}
		if !start || key == "" || slices.ContainsFunc(attrs, func(a html.Attribute) bool { return a.Key == key }) {
			continue
		}
		if len(attrs) == maxAttrs {
			return false
		}
		attrs = append(attrs, html.Attribute{Key: key, Val: unescapeValue(p.s[from:to])})
		last = to
	}
	if len(attrs) > 0 {
		p.tag.attrs = p.attrs.some(len(attrs))
		copy(p.tag.attrs, attrs)
	}
	// The slash of <p a=/> belongs to the value.
	p.tag.selfClosing = p.s[p.i-1] == '/' && (last < 0 || p.i != last)
	p.i++
	return true
}

// scanName reads the name of a tag.
func (p *parser) scanName() {
	var name [maxName]byte
	from := p.i
	for ; p.i < len(p.s); p.i++ {
		c := p.s[p.i]
		if isSpace(c) || c == '/' || c == '>' {
			break
		}
		if n := p.i - from; n < maxName {
			name[n] = lower(c)
		}
	}
	p.tag.atom = atom.Lookup(name[:min(p.i-from, maxName)])
	if p.tag.atom != 0 && p.i-from <= maxName {
		p.tag.name = p.tag.atom.String()
	} else {
		p.tag.atom, p.tag.name = 0, lowerASCII(p.s[from:p.i])
	}
}

// scanAttr reads an attribute. Its value is s[from:to]. key is "" for a slash. ok is false if the document ends.
func (p *parser) scanAttr() (key string, from, to int, ok bool) {
	start := p.i
	for p.i < len(p.s) && !endsKey(p.s[p.i]) || p.i == start && p.s[p.i] == '=' {
		p.i++
	}
	key = lowerASCII(p.s[start:p.i])
	from, to = p.i, p.i
	p.skipSpace()
	if p.i >= len(p.s) {
		return key, from, to, false
	}
	switch p.s[p.i] {
	case '/':
		p.i++
		return key, from, to, true
	case '=':
		p.i++
	default:
		return key, from, to, true
	}
	p.skipSpace()
	if p.i >= len(p.s) {
		return key, from, to, false
	}
	switch c := p.s[p.i]; c {
	case '>':
		return key, from, to, true
	case '"', '\'':
		from = p.i + 1
		n := strings.IndexByte(p.s[from:], c)
		if n < 0 {
			return key, from, from, false
		}
		p.i = from + n + 1
		return key, from, from + n, true
	}
	from = p.i
	for p.i < len(p.s) && !isSpace(p.s[p.i]) && p.s[p.i] != '>' {
		p.i++
	}
	return key, from, p.i, true
}

func endsKey(c byte) bool { return isSpace(c) || c == '=' || c == '/' || c == '>' }

func (p *parser) skipSpace() {
	for p.i < len(p.s) && isSpace(p.s[p.i]) {
		p.i++
	}
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// lowerASCII makes ASCII letters small and leaves all others.
func lowerASCII(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for k := range b {
				b[k] = lower(b[k])
			}
			return string(b)
		}
	}
	return s
}

// unescape decodes the character references of a text.
func unescape(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return html.UnescapeString(s)
}

// unescapeValue decodes the character references of an attribute's value. There, &copy=1 and &copyright are no references.
func unescapeValue(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	if !plainReferences(s) {
		return unescapeAnyValue(s)
	}
	return strings.ReplaceAll(s, "&amp;", "&")
}

// plainReferences reports whether &amp; is the only reference in an attribute's value.
func plainReferences(s string) bool {
	for {
		_, after, ok := strings.Cut(s, "&")
		if !ok {
			return true
		}
		n := 0
		for n < len(after) && (isLetter(after[n]) || '0' <= after[n] && after[n] <= '9') {
			n++
		}
		switch s = after[n:]; {
		case n == 0 && !strings.HasPrefix(s, "#"):
		case n > 0 && strings.HasPrefix(s, "="):
		case after[:n] == "amp" && strings.HasPrefix(s, ";"):
		default:
			return false
		}
	}
}

// unescapeAnyValue is unescapeValue by the tokenizer of x/net, which has the list of names.
func unescapeAnyValue(s string) string {
	quote := `"`
	if strings.Contains(s, quote) {
		quote = "'"
		if strings.Contains(s, quote) { // it was without quotes
			quote = ""
		}
	}
	z := html.NewTokenizer(strings.NewReader("<a b=" + quote + s + quote + ">"))
	z.Next()
	_, value, _ := z.TagAttr()
	return string(value)
}
