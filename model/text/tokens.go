package text

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// maxWord is the length in runes at which a word is cut before it is stemmed. No natural English word reaches it; it
// bounds the work on a page that is one endless run of letters.
const maxWord = 64

// Words yields the words of s in order: maximal runs of Unicode letters, in lower case, stop words left out, cut at 64
// runes. Combining marks and invisible format characters (soft hyphen, zero-width joiner) inside a word are dropped
// without ending it; everything else, invalid UTF-8 included, ends a word. The slice is only valid until the next word.
func Words(s string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		word := make([]byte, 0, 4*maxWord)
		runes := 0
		for _, r := range s {
			if r, part := letter(r); part {
				if r != 0 && runes < maxWord {
					word = utf8.AppendRune(word, r)
					runes++
				}
				continue
			}
			if runes > 0 && !stopWords[string(word)] && !yield(word) {
				return
			}
			word, runes = word[:0], 0
		}
		if runes > 0 && !stopWords[string(word)] {
			yield(word)
		}
	}
}

// letter gives the lower case of a letter. part says whether r belongs to a word; a mark or format character does, but
// adds nothing to it: then the rune is 0.
func letter(r rune) (lower rune, part bool) {
	switch {
	case 'a' <= r && r <= 'z':
		return r, true
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A', true
	case r < utf8.RuneSelf:
		return 0, false
	case unicode.IsLetter(r):
		return unicode.ToLower(r), true
	case unicode.In(r, unicode.Mark, unicode.Cf):
		return 0, true
	}
	return 0, false
}
