package scrub

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"
)

// decode returns an attribute's value with its character references decoded. In attributes, a name without a semicolon is no
// reference when a letter, a digit or "=" follows (HTML standard §13.2.5.73): in "?a=1&copy=2" it is a parameter.
func decode(raw []byte) string {
	text := string(raw)
	if bytes.IndexByte(raw, '&') < 0 {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		n := strings.IndexFunc(after, func(r rune) bool { return !(r < utf8.RuneSelf && alphanumeric(byte(r)) || r == '#') })
		if n < 0 {
			n = len(after)
		}
		end := n
		if n < len(after) && after[n] == ';' {
			end++
		}
		b.WriteString(reference("&"+after[:end], n < len(after) && after[n] == '='))
		text = after[end:]
	}
}

// reference decodes one character reference and returns other text unchanged. assigned says that "=" follows.
func reference(text string, assigned bool) string {
	decoded := html.UnescapeString(text)
	if strings.HasPrefix(text, "&#") || utf8.RuneCountInString(decoded) == 1 && !assigned || len(decoded) > 1 && decoded[len(decoded)-1] != ';' && text[len(text)-1] == ';' {
		return decoded
	}
	return text
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
