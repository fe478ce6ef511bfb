// Package words says which words a text has for the search, and what a person's query asks for.
//
// Start with Tokens for a text and Parse for a query. A word is a run of letters, digits and marks: folded to lower case
// without accents, and English words to their stem, so that "barrages" finds "barrage". Each character of a script that is
// written without spaces is a word of its own; a query with several of them in a row asks for them in that order. Texts
// and queries go through the same code, so that a page's own words always find it. Neither can fail.
package words

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"nightjar/model/text"
)

// MaxWord is the length in bytes, about, at which a word is cut. Longer ones are keys and encoded data.
const MaxWord = 64

// Token is a word of a text.
type Token struct {
	Word       string // folded
	Start, End int    // bytes in the text
}

// Tokens yields the words of a text in order.
func Tokens(s string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		f := folder{stems: map[string]string{}}
		for start := 0; start < len(s); {
			r, size := utf8.DecodeRuneInString(s[start:])
			if !wordy(r, size) {
				start += size
				continue
			}
			end := start + size
			if !alone(r) {
				end = runEnd(s, end)
			}
			if word := f.fold(s[start:end]); word != "" && !yield(Token{word, start, end}) {
				return
			}
			start = end
		}
	}
}

// runEnd returns where a run of letters that started before i ends.
func runEnd(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !wordy(r, size) || alone(r) {
			break
		}
		i += size
	}
	return i
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

// folder folds words. It remembers stems, since a text repeats its words.
type folder struct{ stems map[string]string }

func (f folder) fold(word string) string {
	word, letters, ascii := lower(cut(word))
	if !ascii {
		word, letters = foldWide(word), false
		if isASCII(word) {
			word, letters, _ = lower(word) // an English word with an accent
		}
	}
	if !letters || len(word) < 3 {
		return word
	}
	stem, ok := f.stems[word]
	if !ok {
		stem = text.Stem(word)
		f.stems[word] = stem
	}
	return stem
}

// lower returns an ASCII word in lower case, whether it consists of letters alone, and whether it is ASCII at all.
func lower(word string) (_ string, letters, ascii bool) {
	letters = true
	for i := range len(word) {
		switch c := word[i]; {
		case c >= utf8.RuneSelf:
			return word, false, false
		case '0' <= c && c <= '9':
			letters = false
		}
	}
	return strings.ToLower(word), letters, true
}

// foldWide folds a word that is not ASCII: compatible forms to their usual one, lower case, no accents. What is left has
// only letters, digits and vowel signs, since a decomposition may bring in spaces and signs.
func foldWide(word string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(word) {
		r = unicode.ToLower(r)
		if !unicode.Is(unicode.Mn, r) && wordy(r, utf8.RuneLen(r)) {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// cut shortens a word to about MaxWord bytes, between characters.
func cut(word string) string {
	if len(word) <= MaxWord {
		return word
	}
	end := MaxWord
	for end > 0 && !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
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
