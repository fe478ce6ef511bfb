package robots

import (
	"errors"
	"strconv"
	"strings"

	"nightjar/crawler/weburl"
)

const upperHex = "0123456789ABCDEF"

// PathOf is the part of a canonical URL after the origin, which robots.txt rules are matched with.
func PathOf(url string) string {
	path := strings.TrimPrefix(url, weburl.Origin(url))
	if path == "" {
		path = "/"
	}
	return path
}

// escapePath escapes a rule like a URL: octets outside ASCII are escaped, with uppercase digits (RFC 9309, 2.2.2).
func escapePath(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		return upperEscapes(s)
	}
	b := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); i++ {
		switch c, ok := escaped(s, i); {
		case ok:
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
			i += 2
		case s[i] >= 0x80:
			b = append(b, '%', upperHex[s[i]>>4], upperHex[s[i]&15])
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

// upperEscapes writes escapes with uppercase digits.
func upperEscapes(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := []byte(s)
	for i := range b {
		if c, ok := escaped(s, i); ok {
			b[i+1], b[i+2] = upperHex[c>>4], upperHex[c&15]
		}
	}
	return string(b)
}

// plainPath decodes the escapes of characters that RFC 3986 calls unreserved.
func plainPath(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, ok := escaped(s, i)
		if !ok || !unreserved(c) {
			b = append(b, s[i])
			continue
		}
		b = append(b, c)
		i += 2
	}
	return string(b)
}

// escaped decodes the escape %xx at s[i].
func escaped(s string, i int) (c byte, ok bool) {
	if s[i] != '%' || i+2 >= len(s) {
		return 0, false
	}
	n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
	return byte(n), err == nil
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

func isRange(err error) bool { return errors.Is(err, strconv.ErrRange) }
