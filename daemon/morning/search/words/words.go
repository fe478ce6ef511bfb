// Package words says which words a text has for the search, and what a person's query asks for.
//
// Start with Tokens for a text and Parse for a query. A word is a run of letters, digits and marks: folded to lower case
// without accents, and English words to their stem, so that "barrages" finds "barrage". Letters with strokes and the like
// become plain ones, so that "Hauptstrasse" finds "Hauptstraße". What cannot be seen, such as a soft hyphen, does not part
// words. Each character of a script that is written without spaces is a word of its own; a query with several of them in a
// row asks for them in that order. Texts and queries go through the same code, so that a page's own words always find it.
// Neither can fail.
package words

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxWord is the length in bytes at which a word is cut. Longer ones are keys and encoded data.
const MaxWord = 64

// Token is a word of a text.
type Token struct {
	Word       string // folded, as it is indexed
	Whole      string // folded, but no stem
	Start, End int    // bytes in the text
}

// Tokens yields the words of a text in order.
func Tokens(s string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		f := newFolder()
		for start := 0; start < len(s); {
			r, size := utf8.DecodeRuneInString(s[start:])
			if !wordy(r, size) {
				start += size
				continue
			}
			end := runEnd(s, start+size, alone(r))
			if whole, stem := f.fold(s[start:end]); stem != "" && !yield(Token{stem, whole, start, end}) {
				return
			}
			start = end
		}
	}
}

// runEnd returns where a word ends whose first character ends at end. A word of one letter has only marks after it. Characters
// that cannot be seen belong to a word when it goes on after them.
func runEnd(s string, end int, letter bool) int {
	for i := end; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case letter && !unicode.Is(unicode.Inherited, r) && r != 'ﾞ' && r != 'ﾟ':
			return end
		case unicode.Is(unicode.Cf, r): // soft hyphens, joiners, marks of direction
		case !wordy(r, size) || alone(r):
			return end
		default:
			end = i
		}
	}
	return end
}

// wordy reports whether a decoded character belongs to words.
func wordy(r rune, size int) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	if r == utf8.RuneError && size == 1 {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// alone reports whether a character is a word of its own: its script is written without spaces.
func alone(r rune) bool {
	return r > 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar)
}

// Join returns the words of a text with spaces between them, as they are indexed.
func Join(s string) string {
	var b strings.Builder
	for t := range Tokens(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Word)
	}
	return b.String()
}

// List returns the words of a text.
func List(s string) []string {
	var all []string
	for t := range Tokens(s) {
		all = append(all, t.Word)
	}
	return all
}
