package api

import (
	"strings"
	"unicode"
)

// Plain returns a stranger's text as one line without characters that a person cannot see: control characters, those
// that turn the direction of writing, and the tag characters in which a page could hide instructions to an assistant.
// Joiners stay, since emoji and several scripts need them.
func Plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar, hidden(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.Join(strings.Fields(text), " ")
}

// hidden reports whether a character is invisible and changes how others are shown or read.
func hidden(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F || r == 0xFEFF || r == 0x200B ||
		r >= 0xE0000 && r <= 0xE0FFF || r >= 0xFFF0 && r <= 0xFFFB || r&0xFFFE == 0xFFFE
}
