package text

import "iter"

// WordsIn yields the words of s in order, without the stop words of a language: runs of letters in lower case, cut at 64
// letters, and bigrams in scripts without spaces. It separates words as Counter does. The slice is
// only valid until the next word.
func WordsIn(l Language, s string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for w := range Separated(s) {
			if !StopWordIn(l, string(w)) && !yield(w) {
				return
			}
		}
	}
}

// ShortWordsIn yields the words of s like WordsIn, but each cut at 20 letters as stems are.
func ShortWordsIn(l Language, s string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for w := range WordsIn(l, s) {
			if !yield(cut(w, maxStem)) {
				return
			}
		}
	}
}
