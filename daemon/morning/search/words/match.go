package words

import (
	"slices"
	"strings"
)

// Span is a part of a text in bytes.
type Span struct{ Start, End int }

// Find returns where the terms occur in a text whose words are tokens, in order, without overlaps.
func Find(tokens []Token, terms []Term) []Span {
	longest := map[int]int{}
	for _, t := range terms {
		for _, i := range Places(tokens, t) {
			longest[i] = max(longest[i], len(t.Words))
		}
	}
	var all []Span
	for i := 0; i < len(tokens); i++ {
		if n := longest[i]; n > 0 {
			all = append(all, Span{tokens[i].Start, tokens[i+n-1].End})
			i += n - 1
		}
	}
	return all
}

// Places returns the tokens at which a term begins: whole words or, if there are none, longer words that begin with it.
func Places(tokens []Token, t Term) []int {
	var whole, longer []int
	for i, k := range tokens {
		switch {
		case at(tokens[i:], t.Words):
			whole = append(whole, i)
		case t.Start != "" && strings.HasPrefix(k.Whole, t.Start):
			longer = append(longer, i)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return longer
}

// at reports whether words stand at the beginning of tokens.
func at(tokens []Token, words []string) bool {
	return len(words) <= len(tokens) && slices.EqualFunc(tokens[:len(words)], words, func(k Token, w string) bool { return k.Word == w })
}
