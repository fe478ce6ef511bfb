package pagekind

import (
	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
)

// Limits of what is stuffed, as shares of the first stuffedWords words. Of 11,400 pages of universities, manuals and an
// encyclopedia, six are below them: lists of constants, tables of versions, an index.
const (
	stuffedWords = 200
	leastStuffed = 100 // words; shorter texts are not judged
	fewWords     = 0.16
	lessWords    = 0.3 // in a text without the small words that hold sentences together
)

// smallWords are the words that every English text of a hundred words contains.
var smallWords = hashes(`the of and to in a is for on with by or from at this that as be are it`)

func hashes(words string) map[uint64]bool {
	all := map[uint64]bool{}
	neardup.EachWord(words, func(word, _ uint64) bool { all[word] = true; return true })
	return all
}

// Stuffed reports whether a page repeats a few words over and over, to rank high in searches for them. A table of numbers
// repeats the words of its rows, and is none.
func Stuffed(p *page.Page) bool {
	words, small := 0, 0
	seen := make(map[uint64]struct{}, stuffedWords)
	neardup.EachWord(p.Text, func(word, folded uint64) bool {
		if folded == neardup.Number {
			return true
		}
		words++
		seen[word] = struct{}{}
		if smallWords[word] {
			small++
		}
		return words < stuffedWords
	})
	if words < leastStuffed {
		return false
	}
	share := float64(len(seen)) / float64(words)
	repeats := share < fewWords || share < lessWords && small*100 <= words
	return repeats && len(neardup.NewSketch(p.URL, p.Text).Numbers) == 0
}
