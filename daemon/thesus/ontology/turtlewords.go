package ontology

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inName reports whether byte i of s begins a character of a name. Dots are, too, but do not end one.
func inName(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("_-:%·", r)
}

// name reads a prefixed name or the label of a node, "" if there is none.
func (r *turtleReader) name() string {
	var b strings.Builder
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		switch {
		case c == '\\' && r.pos+1 < len(r.src) && strings.IndexByte("_~.-!$&'()*+,;=/?#@%", r.src[r.pos+1]) >= 0:
			b.WriteByte(r.src[r.pos+1])
			r.pos += 2
		case inName(r.src, r.pos):
			_, size := utf8.DecodeRuneInString(r.src[r.pos:])
			b.WriteString(r.src[r.pos : r.pos+size])
			r.pos += size
		case c == '.':
			dots := 1
			for r.pos+dots < len(r.src) && r.src[r.pos+dots] == '.' {
				dots++
			}
			if !inName(r.src, r.pos+dots) {
				return b.String() // the dot ends the statement
			}
			b.WriteString(r.src[r.pos : r.pos+dots])
			r.pos += dots
		default:
			return b.String()
		}
	}
	return b.String()
}

// number reads a number as it is written.
func (r *turtleReader) number() string {
	start := r.pos
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		digit := r.pos+1 < len(r.src) && '0' <= r.src[r.pos+1] && r.src[r.pos+1] <= '9'
		if !('0' <= c && c <= '9' || strings.IndexByte("+-eE", c) >= 0 || c == '.' && digit) {
			break
		}
		r.pos++
	}
	return r.src[start:r.pos]
}

// address reads an address in < and >.
func (r *turtleReader) address() (string, error) {
	end := strings.IndexAny(r.src[r.pos+1:], "> \t\r\n<\"{}|^`")
	if end < 0 || r.src[r.pos+1+end] != '>' {
		return "", r.fault("%s is not an address that ends with >", r.rest())
	}
	text, err := r.unescape(r.src[r.pos+1 : r.pos+1+end])
	r.pos += end + 2
	return resolve(r.base, text), err
}

// literal reads a text in quotes with its language or type.
func (r *turtleReader) literal() (value, error) {
	quote := r.src[r.pos : r.pos+1]
	long := strings.Repeat(quote, 3)
	if strings.HasPrefix(r.src[r.pos:], long) {
		quote = long
	}
	start := r.pos + len(quote)
	end := start
	for ; end < len(r.src) && !strings.HasPrefix(r.src[end:], quote); end++ {
		switch {
		case r.src[end] == '\\':
			end++
		case r.src[end] == '\n' && len(quote) == 1:
			return value{}, r.fault("the text that begins with %s has no end on its line", r.rest())
		}
	}
	if end >= len(r.src) {
		return value{}, r.fault("the text that begins with %s has no end", r.rest())
	}
	for len(quote) == 3 && end+3 < len(r.src) && r.src[end+3] == quote[0] {
		end++ // quotes that belong to the text stand before the last three
	}
	text, err := r.unescape(r.src[start:end])
	if err != nil {
		return value{}, err
	}
	r.line += strings.Count(r.src[start:end], "\n")
	r.pos = end + len(quote)
	v := value{text: text, literal: true}
	switch rest := r.src[r.pos:]; {
	case strings.HasPrefix(rest, "@"):
		r.pos++
		if v.lang = strings.ToLower(r.name()); v.lang == "" {
			return v, r.fault("there is no language after the @ of %s", quoted(text))
		}
	case strings.HasPrefix(rest, "^^"):
		r.pos += 2
		_, err = r.resource("a type")
	}
	return v, err
}

// plainEscapes are the characters that a \ and a letter stand for.
var plainEscapes = map[byte]byte{'t': '\t', 'b': '\b', 'n': '\n', 'r': '\r', 'f': '\f', '"': '"', '\'': '\'', '\\': '\\'}

// unescape replaces the escapes of a text or address.
func (r *turtleReader) unescape(s string) (string, error) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", r.fault("a text ends with \\")
		}
		if c, ok := plainEscapes[s[i]]; ok {
			b.WriteByte(c)
			continue
		}
		digits := map[byte]int{'u': 4, 'U': 8}[s[i]]
		code, err := strconv.ParseUint(s[i+1:min(len(s), i+1+digits)], 16, 32)
		if digits == 0 || i+digits >= len(s) || err != nil || !utf8.ValidRune(rune(code)) {
			return "", r.fault("%s is no escape", quoted(s[i-1:min(len(s), i+1+digits)]))
		}
		b.WriteRune(rune(code))
		i += digits
	}
	return b.String(), nil
}
