package reason

import (
	"unicode/utf8"

	"nightjar/model/text"
)

// token is a word of a text, by its place, and its stem as the model knows it, "" for a stop word.
type token struct {
	from, to int // bytes
	stem     string
}

// stemmer stems the words of a page as the model that judged it does, and remembers them.
type stemmer struct {
	language text.Language // of the page
	stems    map[string]string
}

func newStemmer(l text.Language) stemmer { return stemmer{l, map[string]string{}} }

// of is the stem of a lower-case word, "" for a stop word.
func (s stemmer) of(word string) string {
	stem, known := s.stems[word]
	if !known {
		for w := range text.WordsIn(s.language, word) {
			stem = text.StemIn(s.language, string(w))
			break
		}
		s.stems[word] = stem
	}
	return stem
}

// tokens lists the words of s as package text separates them, stop words among them. Words of scripts without spaces overlap.
func (s stemmer) tokens(in string) []token {
	var all []token
	for w, at := range text.Separated(in) {
		all = append(all, token{at.From, at.To, s.of(string(w))})
	}
	return all
}

// beside reports whether two words follow each other with nothing between them but a space or a hyphen, or overlap.
func beside(s string, a, b token) bool {
	if b.from < a.to {
		return true // they overlap
	}
	between := s[a.to:b.from]
	r, size := utf8.DecodeRuneInString(between)
	return size == len(between) && (r == ' ' || r == '-' || r == '\u00a0' || r == '\u2010' || r == '\u2011')
}
