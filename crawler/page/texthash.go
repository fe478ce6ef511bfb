package page

import (
	"crypto/sha256"
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// TextHash returns 64 bits of the SHA-256 of the page's text, ignoring case, white space and punctuation; 0 when nothing else is left.
func (p *Page) TextHash() int64 { return textHash(p.Text) }

func textHash(text string) int64 {
	words := appendWords(make([]byte, 0, len(text)), text)
	if len(words) == 0 {
		return 0
	}
	sum := sha256.Sum256(words)
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// appendWords appends the letters and digits of a text in lower case, with a space after each word.
func appendWords(b []byte, text string) []byte {
	inWord := false
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			b = append(b, byte(r))
			inWord = true
			continue
		case 'A' <= r && r <= 'Z':
			b = append(b, byte(r)+'a'-'A')
			inWord = true
			continue
		case r >= utf8.RuneSelf:
			if r = unicode.ToLower(r); unicode.IsLetter(r) || unicode.IsDigit(r) {
				b = utf8.AppendRune(b, r)
				inWord = true
				continue
			}
		}
		if inWord {
			b = append(b, ' ')
			inWord = false
		}
	}
	if inWord {
		b = append(b, ' ')
	}
	return b
}
