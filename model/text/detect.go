package text

import "unicode/utf8"

// speaks is a set of languages, one bit each.
type speaks uint32

// stopIn are the languages in which a word is a stop word. Words of one letter are not in it.
var stopIn = func() map[string]speaks {
	in := make(map[string]speaks, 4096)
	for l, list := range stopLists {
		for w := range list {
			if utf8.RuneCountInString(w) > 1 {
				in[w] |= 1 << l
			}
		}
	}
	return in
}()

// votes counts in how many words of a text each language has a stop word.
type votes struct {
	words int
	stop  [languages]int
}

func (v *votes) add(in speaks, times int) {
	v.words += times
	for l := 0; in != 0; l, in = l+1, in>>1 {
		if in&1 != 0 {
			v.stop[l] += times
		}
	}
}

// Limits on what the words of a text can tell.
const (
	fewStops  = 3  // with fewer stop words of any language they tell nothing
	stopShare = 12 // at least one in this many words must be one: in prose of these languages, one in two or three is
)

// language decides which language a text is in. Pages often declare the language of the template that they were made
// from, so that the text decides when it is clear: when the language that most stop words belong to has at least a third
// more of them than the declared one. Otherwise the declared language counts, and without one, the language with most stop
// words. A text with hardly any stop word is in the declared language, or else counts as English.
func (v *votes) language(declared string) Language {
	said, known := ParseLanguage(declared)
	best := said // English without a declaration
	for l := range languages {
		if v.stop[l] > v.stop[best] {
			best = l
		}
	}
	switch n := v.stop[best]; {
	case n < fewStops || n*stopShare < v.words:
		return said
	case known && v.stop[said]*4 >= n*3:
		return said
	}
	return best
}

// LanguageOf decides which language a text is in. declared is what its page declares, in any form that ParseLanguage reads,
// or "". A Counter decides the same.
func LanguageOf(declared, s string) Language {
	var v votes
	for w := range Separated(s) {
		v.add(stopIn[string(w)], 1)
	}
	return v.language(declared)
}
