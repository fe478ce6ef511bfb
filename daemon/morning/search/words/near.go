package words

import (
	"slices"
	"strings"
	"unicode"

	"nightjar/model/text"
)

// endings are what stems of English words lack. With them and the words themselves, 95 of 100 beginnings that are longer than
// the stem find it (vocabulary of the Snowball project).
var endings = strings.Fields("abilities ables ancies ant ational ements ences ently ibilities ically icities ingly ional ities ively iveness izations ly ness ously")

// Stems returns the stems of longer words that begin with a word while their stems do not: that of "university" for
// "universit". The index has only stems.
func Stems(start string) []string {
	var all []string
	known := map[string]bool{}
	for _, ending := range endings {
		for n := 1; n < len(ending) && n < len(start)-2; n++ {
			base, ok := strings.CutSuffix(start, ending[:n])
			if !ok {
				continue
			}
			if stem := text.Stem(base + ending); !strings.HasPrefix(stem, start) && len(stem) > 2 && !known[stem] {
				known[stem], all = true, append(all, stem)
			}
		}
	}
	return all
}

// Lengths in letters of the words whose typing errors Near undoes. Shorter words are near too many others.
const (
	minNear = 4
	maxNear = 24
)

// alphabets are the letters of scripts, folded.
var alphabets = [...]string{
	"abcdefghijklmnopqrstuvwxyz", "αβγδεζηθικλμνξοπρστυφχψω", "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґўјљњћџђ", "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
	"ابتثجحخدذرزسشصضطظعغفقكلمنهويپچژگ",
}

// Near returns the words of which a folded word is one typing error away: a letter too many, two exchanged, one missing, one
// wrong, in this order. It returns none for words that are short, very long or not of letters.
func Near(word string) []Token {
	in := []rune(word)
	if len(in) < minNear || len(in) > maxNear || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return nil
	}
	var letters []rune
	for _, alphabet := range alphabets {
		if strings.ContainsAny(word, alphabet) {
			letters = append(letters, []rune(alphabet)...)
		}
	}
	f, all, known := newFolder(), []Token(nil), map[string]bool{word: true}
	add := func(to int, middle []rune, from int) {
		w := string(slices.Concat(in[:to], middle, in[from:]))
		if known[w] {
			return
		}
		known[w] = true
		if whole, stem := f.fold(w); whole == w {
			all = append(all, Token{Word: stem, Whole: w})
		}
	}
	for i := range in {
		add(i, nil, i+1)
	}
	for i := range len(in) - 1 {
		add(i, []rune{in[i+1], in[i]}, i+2)
	}
	for i := range len(in) + 1 {
		for _, r := range letters {
			add(i, []rune{r}, i)
		}
	}
	for i := range in {
		for _, r := range letters {
			add(i, []rune{r}, i+1)
		}
	}
	return all
}
