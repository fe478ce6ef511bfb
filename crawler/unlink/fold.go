package unlink

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// rounds is how many times escapes are decoded: an address inside of an address inside of an attribute.
const rounds = 3

// fold returns a text in lower case with its escapes decoded: %xx, numeric entities and those of ASCII characters of
// addresses, \uxxxx, \xxx and \/. Characters in full width become those of ASCII. The result shares no memory with the text.
func fold(text []byte) []byte { return folded(text, &plain) }

// folded is fold with a table of what becomes of bytes.
func folded(text []byte, table *[256]byte) []byte {
	folded, again := foldOnce(text, table)
	for round := 1; again && round < rounds && bytes.ContainsAny(folded, `%&\`); round++ {
		folded, again = foldOnce(folded, table)
	}
	if bytes.ContainsFunc(folded, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return bytes.ToLower(folded)
	}
	return folded
}

// What becomes of a byte in the tables of folded, besides its lower case.
const (
	special = 1 // it may begin an escape or a character in full width
	left    = 2 // it is left out
)

// plain is the table of fold, joined one that leaves out what parsers of URLs do.
var plain, joined = tables()

func tables() (plain, joined [256]byte) {
	for i := range plain {
		plain[i] = lower(byte(i))
	}
	plain[1], plain[2] = ' ', ' '
	for _, c := range []byte{'%', '&', '\\', 0xef, 0xe3} {
		plain[c] = special
	}
	joined = plain
	for _, c := range []byte("\t\n\r") {
		joined[c] = left
	}
	return plain, joined
}

// foldOnce decodes one level of escapes, and reports whether any was decoded.
func foldOnce(text []byte, table *[256]byte) (folded []byte, decoded bool) {
	folded = make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		c := table[text[i]]
		if c > left {
			folded = append(folded, c)
			i++
			continue
		}
		if c == left {
			i++
			continue
		}
		r, n := unescape(text[i:])
		switch {
		case n == 0:
			folded = append(folded, text[i])
			i++
			continue
		case r < 0: // a byte of a character
			folded = append(folded, lower(byte(-r)))
		case r < utf8.RuneSelf:
			folded = append(folded, lower(byte(r)))
		default:
			folded = utf8.AppendRune(folded, r)
		}
		decoded = decoded || text[i] < utf8.RuneSelf
		i += n
	}
	return folded, decoded
}

// unescape decodes what stands at the beginning of a text and returns its length, 0 for none. A byte above ASCII is negative.
func unescape(text []byte) (r rune, n int) {
	switch text[0] {
	case '%':
		if h := hex(text[1:], 2); h >= 0 {
			if h >= utf8.RuneSelf {
				h = -h
			}
			return rune(h), 3
		}
	case '&':
		return entity(text)
	case '\\':
		return escape(text)
	default:
		return wide(text)
	}
	return 0, 0
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// hex reads n hexadecimal digits; it returns -1 when there are fewer.
func hex(text []byte, n int) int {
	if len(text) < n {
		return -1
	}
	value, err := strconv.ParseUint(string(text[:n]), 16, 32)
	if err != nil {
		return -1
	}
	return int(value)
}

// named are the entities of characters that stand in addresses.
var named = map[string]rune{"amp": '&', "period": '.', "sol": '/', "colon": ':', "num": '#', "quest": '?', "equals": '=',
	"percnt": '%', "commat": '@', "Tab": '\t', "NewLine": '\n', "bsol": '\\', "lowbar": '_'}

// entity decodes the entity at the beginning of a text and returns its length, 0 for none.
func entity(text []byte) (r rune, n int) {
	const most = 12 // bytes of an entity
	head := text[1:min(len(text), most)]
	end := 0
	for end < len(head) && (lower(head[end]) >= 'a' && lower(head[end]) <= 'z' || head[end] >= '0' && head[end] <= '9' || end == 0 && head[end] == '#') {
		end++
	}
	name := head[:end]
	semicolon := 0
	if end < len(head) && head[end] == ';' {
		semicolon = 1
	}
	if len(name) > 0 && name[0] != '#' {
		r, ok := named[string(name)]
		if !ok || semicolon == 0 && string(name) != "amp" {
			return 0, 0
		}
		return r, 1 + end + semicolon
	}
	value, digits := 0, 0
	base, from := 10, 1
	if len(name) > 1 && lower(name[1]) == 'x' {
		base, from = 16, 2
	}
	for i := from; i < len(name); i++ {
		d := hex(name[i:], 1)
		if d < 0 || d >= base {
			end = i
			semicolon = 0
			break
		}
		value, digits = value*base+d, digits+1
	}
	if digits == 0 || value == 0 || value > utf8.MaxRune {
		return 0, 0
	}
	return rune(value), 1 + end + semicolon
}

// escape decodes an escape of JavaScript or JSON at the beginning of a text and returns its length, 0 for none.
func escape(text []byte) (r rune, n int) {
	if len(text) < 2 {
		return 0, 0
	}
	switch text[1] {
	case '/':
		return '/', 2
	case 'u':
		if h := hex(text[2:], 4); h > 0 {
			return rune(h), 6
		}
	case 'x':
		if h := hex(text[2:], 2); h > 0 {
			return rune(h), 4
		}
	}
	return 0, 0
}

// wide returns the ASCII character of one in full width at the beginning of a text, and the length of the latter.
func wide(text []byte) (r rune, n int) {
	r, n = utf8.DecodeRune(text)
	switch {
	case r >= 0xff01 && r <= 0xff5e:
		return r - 0xff01 + '!', n
	case r == 0x3002 || r == 0xff61: // full stops, which also separate labels
		return '.', n
	}
	return 0, 0
}
