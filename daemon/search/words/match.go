package words

import "slices"

// Span is a part of a text in bytes.
type Span struct{ Start, End int }

// Find returns where the terms occur in a text whose words are tokens, in order, without overlaps.
func Find(tokens []Token, terms []Term) []Span {
	var all []Span
	for i := 0; i < len(tokens); i++ {
		longest := 0
		for _, t := range terms {
			if len(t) > longest && at(tokens[i:], t) {
				longest = len(t)
			}
		}
		if longest > 0 {
			all = append(all, Span{tokens[i].Start, tokens[i+longest-1].End})
			i += longest - 1
		}
	}
	return all
}

// at reports whether a term begins at the first token.
func at(tokens []Token, t Term) bool {
	return len(t) <= len(tokens) && slices.EqualFunc(tokens[:len(t)], t, func(k Token, w string) bool { return k.Word == w })
}
