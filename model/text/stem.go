package text

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
)

// maxStem is the length in runes at which a stem is cut, [HMM] §2.2.1 step 1.
const maxStem = 20

// Stem is the Snowball English (Porter2) stem of a lower-case word, cut at 20 runes.
//
// The stemmer is blevesearch/snowballstem v0.9.0, which the Snowball compiler made from the algorithm as it was before
// Snowball 3.0. Of the 42,649 words of the vocabulary in snowball-data, 57 get another stem than the list there, which is
// that of Snowball 3.1; testdata/stemmer_differs.txt names them. 40 go back to changes in 3.0 (it keeps apart organ,
// organic, organism and organize; even and evening; emerge and emergency; later and lateral; past and paste; universe,
// universal and university; add and ad; it takes -ogist to -og), 17 to changes in 3.1 (it keeps apart intern, internal,
// international and internment). kljensen/snowball v0.10.0 has the same 57 and one more.
func Stem(word string) string {
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return cut(env.Current(), maxStem)
}

// stemmers are the Snowball stemmers of the languages, of the same library.
var stemmers = [languages]func(*snowballstem.Env) bool{
	English: english.Stem, German: german.Stem, Dutch: dutch.Stem, French: french.Stem, Spanish: spanish.Stem,
	Italian: italian.Stem, Portuguese: portuguese.Stem, Swedish: swedish.Stem, Danish: danish.Stem,
	Norwegian: norwegian.Stem, Finnish: finnish.Stem, Hungarian: hungarian.Stem, Russian: russian.Stem,
}

// StemIn is the Snowball stem of a lower-case word of a language, cut at 20 runes. A word of a script without spaces is its
// own stem. Russian ё becomes е first, as most texts print it so.
func StemIn(l Language, word string) string {
	if unspaced(word) {
		return cut(word, maxStem)
	}
	if l == Russian {
		word = strings.ReplaceAll(word, "ё", "е")
	}
	env := snowballstem.NewEnv(word)
	stemmers[l](env)
	if env.Current() == "" {
		return cut(word, maxStem)
	}
	return cut(env.Current(), maxStem)
}

// unspaced reports whether a word begins with a letter of a script without spaces.
func unspaced(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return r >= utf8.RuneSelf && scriptOf(r) > spaced
}

// cut shortens s to n runes.
func cut[T string | []byte](s T, n int) T {
	if len(s) <= n {
		return s
	}
	for i := range string(s) {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
