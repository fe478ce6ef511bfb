package search

import (
	"slices"
	"strings"

	"nightjar/crawler/texts"
	"nightjar/daemon/morning/search/words"
)

// snippetWords is the length of a snippet.
const snippetWords = 36

// Mark cuts a text into parts, so that the words of the terms are in parts of their own.
func Mark(text string, terms []words.Term) []SnippetPart {
	return parts(text, words.Find(slices.Collect(words.Tokens(text)), terms))
}

func parts(text string, hits []words.Span) []SnippetPart {
	var all []SnippetPart
	at := 0
	for _, h := range hits {
		if h.Start > at {
			all = append(all, SnippetPart{Text: text[at:h.Start]})
		}
		all = append(all, SnippetPart{Text: text[h.Start:h.End], Hit: true})
		at = h.End
	}
	if at < len(text) {
		all = append(all, SnippetPart{Text: text[at:]})
	}
	return all
}

// Snippet returns the passage of a text with the most of the terms, the earliest if there are several, with the terms
// marked; the beginning of the text if it has none of them.
func Snippet(text string, terms []words.Term) []SnippetPart {
	text = strings.Join(strings.Fields(text), " ")
	tokens := slices.Collect(words.Tokens(text))
	if len(tokens) == 0 {
		return nil
	}
	first := bestWindow(tokens, terms)
	last := min(first+snippetWords, len(tokens)) - 1
	start, end := tokens[first].Start, tokens[last].End
	if first == 0 {
		start = 0
	}
	if last == len(tokens)-1 {
		end = len(text)
	}
	passage := texts.Cut(text[start:end], 600)
	all := Mark(passage, terms)
	if start > 0 {
		all = slices.Insert(all, 0, SnippetPart{Text: "… "})
	}
	if start+len(passage) < len(text) {
		all = append(all, SnippetPart{Text: " …"})
	}
	return all
}

// bestWindow returns the token at which the best passage begins: a little before its first hit.
func bestWindow(tokens []words.Token, terms []words.Term) int {
	type hit struct{ at, term int }
	var hits []hit
	for k, t := range terms {
		for _, i := range words.Places(tokens, t) {
			hits = append(hits, hit{i, k})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return a.at - b.at })
	best, most := 0, 0
	for i, h := range hits {
		var seen [words.MaxTerms]bool
		score := 0
		for _, other := range hits[i:] {
			if other.at >= h.at+snippetWords-6 {
				break
			}
			if k := other.term % len(seen); !seen[k] {
				seen[k], score = true, score+10
			} else {
				score++
			}
		}
		if score > most {
			best, most = h.at, score
		}
	}
	return max(0, min(best-6, len(tokens)-snippetWords))
}
