package text

import (
	"embed"
	"strings"
	"unicode/utf8"
)

// stopFiles has a file for each language, with the words that say nothing about a page's topic.
//
// The English ones are articles, pronouns, prepositions, conjunctions, auxiliary verbs, common adverbs, number words, the single
// letters, and the pieces that remain when letters-only words are cut at an apostrophe (don't: don, t). It is our own choice,
// compared with the lists of scikit-learn 1.2 (318 words) and gensim (337). Of theirs it leaves out nouns, verbs and adjectives
// that can be a topic (computer, fire, mill, system), units of measure, and words of other languages or misspelt (con, de, un,
// amoungst); a test names all 32. It has more forms of the same verbs, more adverbs, numbers, single letters and pieces of
// contractions.
//
// The lists of the other languages have the articles, pronouns, prepositions, conjunctions, auxiliary verbs and common adverbs
// that the stop words of Snowball have (snowballstem.org, by Martin Porter and others, BSD licence), written anew and without the
// words that can be a topic. Words of one letter are in none of them: they are all left out. Each list has some of the most
// frequent words of its language, so that it also tells which language a text is in.
//
//go:embed stopwords
var stopFiles embed.FS

// stopLists are the stop words of each language, and stopWords those of English.
var (
	stopLists = readStopLists()
	stopWords = stopLists[English]
)

func readStopLists() (lists [languages]map[string]bool) {
	for l := range languages {
		words, err := stopFiles.ReadFile("stopwords/" + strings.ToLower(l.String()) + ".txt")
		if err != nil {
			panic(err) // the file is missing in this package
		}
		lists[l] = make(map[string]bool)
		for w := range strings.FieldsSeq(string(words)) {
			lists[l][w] = true
		}
	}
	return lists
}

// StopWordIn reports whether a lower-case word is a stop word of a language. In all languages but English, so is each word
// of one letter of a script with spaces; in all languages, so is a single letter of Hiragana.
func StopWordIn(l Language, word string) bool {
	if stopLists[l][word] {
		return true
	}
	r, size := utf8.DecodeRuneInString(word)
	if size != len(word) {
		return false
	}
	switch scriptOf(r) {
	case spaced:
		return l != English
	case hiragana:
		return true
	}
	return false
}
