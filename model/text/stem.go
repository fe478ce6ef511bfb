package text

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
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
