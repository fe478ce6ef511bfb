package document

import (
	"strings"
	"unicode"
)

// stopWords are frequent words of a language that are rare in the others.
var stopWords = map[string]string{
	"en": "the of and for with from to on by an is are that this which using at as",
	"de": "der die das und für mit von zur zum im des dem ein eine einer über auf bei durch ist nicht den",
	"fr": "le la les des du et pour une dans sur par avec aux est sont au qui",
	"es": "el los las del y para por una con en al sobre como su",
	"it": "il lo gli della delle dei di e per con nel nella una sul sulla che",
	"nl": "het een van voor met op bij naar uit zijn en de niet over aan",
	"pt": "o os as do da dos das e para por uma com em no na sobre",
}

var stopLanguages = func() map[string][]string {
	m := map[string][]string{}
	for lang, words := range stopWords {
		for _, w := range strings.Fields(words) {
			m[w] = append(m[w], lang)
		}
	}
	return m
}()

// language guesses the language of a text by its stop words: at least three, and half more than of the next language.
func language(s string) string {
	scores := map[string]float64{}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words[:min(len(words), 20_000)] {
		langs := stopLanguages[w]
		for _, l := range langs {
			scores[l] += 1 / float64(len(langs))
		}
	}
	best, first, second := "", 0.0, 0.0
	for lang, n := range scores {
		switch {
		case n > first:
			best, first, second = lang, n, first
		case n > second:
			second = n
		}
	}
	if first < 3 || first < 1.5*second {
		return ""
	}
	return best
}
