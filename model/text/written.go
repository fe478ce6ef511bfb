package text

import "iter"

// Span is where a word stands in a text: the bytes from From up to To.
type Span struct{ From, To int }

// Written yields the words of s in order with where each stands, so that s[at.From:at.To] is the word as it is written.
// Word is as Words yields it, but stop words are among them. The slice is only valid until the next word.
func Written(s string) iter.Seq2[[]byte, Span] {
	return separated(s, false)
}

// StopWord reports whether a lower-case word is a stop word.
func StopWord(word string) bool { return stopWords[word] }
