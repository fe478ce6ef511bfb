package text

import (
	"iter"
	"unicode"
)

// maxWord is the length in runes at which a word is cut before it is stemmed. No natural English word reaches it; it
// bounds the work on a page that is one endless run of letters.
const maxWord = 64

// Words yields the words of s in order: maximal runs of Unicode letters, in lower case, stop words left out, cut at 64
// runes. Combining marks and invisible format characters (soft hyphen, zero-width joiner) inside a word are dropped
// without ending it; everything else, invalid UTF-8 included, ends a word. The slice is only valid until the next word.
func Words(s string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for w := range Written(s) {
			if !stopWords[string(w)] && !yield(w) {
				return
			}
		}
	}
}

// ShortWords yields the words of s like Words, but each cut at 20 runes as stems are: the words of [HMM] §2.2.1 step 1 as they
// are written, for what is not stemmed.
func ShortWords(s string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for w := range Words(s) {
			if !yield(cut(w, maxStem)) {
				return
			}
		}
	}
}

// lowerASCII is the lower case of each ASCII letter, and 0 for every other byte.
var lowerASCII = func() (table [256]byte) {
	for c := byte('a'); c <= 'z'; c++ {
		table[c], table[c-'a'+'A'] = c, c
	}
	return table
}()

// letter gives the lower case of a letter beyond ASCII. part says whether r belongs to a word; a mark or format character
// does, but adds nothing to it: then the rune is 0.
func letter(r rune) (lower rune, part bool) {
	switch {
	case unicode.IsLetter(r):
		return unicode.ToLower(r), true
	case unicode.In(r, unicode.Mark, unicode.Cf):
		return 0, true
	}
	return 0, false
}
