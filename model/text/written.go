package text

import (
	"iter"
	"unicode/utf8"
)

// Span is where a word stands in a text: the bytes from From up to To.
type Span struct{ From, To int }

// Written yields the words of s in order with where each stands, so that s[at.From:at.To] is the word as it is written.
// Word is as Words yields it, but stop words are among them. The slice is only valid until the next word.
func Written(s string) iter.Seq2[[]byte, Span] {
	return func(yield func(word []byte, at Span) bool) {
		word := make([]byte, 0, maxWord*utf8.UTFMax)
		runes, at := 0, Span{}
		for i := 0; i < len(s); {
			r, size := rune(lowerASCII[s[i]]), 1
			part := r != 0
			if s[i] >= utf8.RuneSelf {
				r, size = utf8.DecodeRuneInString(s[i:])
				r, part = letter(r)
			}
			switch {
			case part && r != 0:
				if runes == 0 {
					at.From = i
				}
				if runes < maxWord {
					word = utf8.AppendRune(word, r)
				}
				runes++
				at.To = i + size
			case part && runes > 0:
				at.To = i + size
			case !part && runes > 0:
				if !yield(word, at) {
					return
				}
				word, runes = word[:0], 0
			}
			i += size
		}
		if runes > 0 {
			yield(word, at)
		}
	}
}

// StopWord reports whether a lower-case word is a stop word.
func StopWord(word string) bool { return stopWords[word] }
