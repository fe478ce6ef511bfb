package reason

import (
	"unicode"
	"unicode/utf8"

	"nightjar/model/text"
)

// token is a word of a text, by its place, and its stem as the model knows it, "" for a stop word.
type token struct {
	from, to int // bytes
	stem     string
}

// stemmer stems words, and remembers them.
type stemmer map[string]string

// of is the stem of one word as it is written, "" for a stop word.
func (s stemmer) of(written string) string {
	stem, known := s[written]
	if !known {
		for w := range text.Words(written) {
			stem = text.Stem(string(w))
			break
		}
		s[written] = stem
	}
	return stem
}

// tokens lists the words of s as package text separates them, stop words among them.
func (st stemmer) tokens(s string) []token {
	var all []token
	from := -1
	for i, r := range s {
		switch part := unicode.IsLetter(r); {
		case part && from < 0:
			from = i
		case !part && from >= 0 && !unicode.In(r, unicode.Mark, unicode.Cf):
			all = append(all, token{from, i, st.of(s[from:i])})
			from = -1
		}
	}
	if from >= 0 {
		all = append(all, token{from, len(s), st.of(s[from:])})
	}
	return all
}

// beside reports whether two words follow each other with nothing between them but a space or a hyphen.
func beside(s string, a, b token) bool {
	between := s[a.to:b.from]
	r, size := utf8.DecodeRuneInString(between)
	return size == len(between) && (r == ' ' || r == '-' || r == '\u00a0' || r == '\u2010' || r == '\u2011')
}
