package page

// NoFind says why a page is not shown however relevant it looks, "" when it may be.
func NoFind(p *Page) string {
	if p.NoIndex {
		return "the page asks not to be indexed"
	}
	if Stuffed(p) {
		return "the page repeats a few words over and over"
	}
	return Stands(p)
}

// Stands says what a page is that stands where another one should be: a login, a wall of consent, a challenge, an
// error, a parked domain. It is "" for pages of their own. A page about such things has more to say than they have.
func Stands(p *Page) string {
	words := countWords(p.Text, manyWords)
	if words >= manyWords {
		return ""
	}
	title := titleParts(p.Title)
	for i := range standing {
		k := &standing[i]
		if k.is(p, title, words) {
			return k.why
		}
	}
	return ""
}

// SaysMissing reports whether a page says, in its title or in a few words, that what was asked for is not there.
func SaysMissing(p *Page) bool {
	words := countWords(p.Text, manyWords)
	return words < manyWords && missing.is(p, titleParts(p.Title), words)
}

// manyWords is the length from which a page is one of its own, whatever its words say.
const manyWords = 400

// countWords counts the words of a text, up to most.
func countWords(text string, most int) (n int) {
	eachWord(text, func(_, _ uint64) bool { n++; return n < most })
	return n
}
