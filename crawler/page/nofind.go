package page

import "strings"

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
	c, ok := suspectOf(p)
	if !ok {
		return ""
	}
	for i := range standing {
		if k := &standing[i]; k.is(c) {
			return k.why
		}
	}
	return ""
}

// SaysMissing reports whether a page says, in its title or in a few words, that what was asked for is not there.
func SaysMissing(p *Page) bool {
	c, ok := suspectOf(p)
	return ok && missing.is(c)
}

// suspectOf prepares a page to be recognised; ok is false for one that has too much to say.
func suspectOf(p *Page) (c *suspect, ok bool) {
	words := countWords(p.Text, manyWords)
	if words >= manyWords {
		return nil, false
	}
	return &suspect{titleParts(p.Title), strings.ToLower(p.Title + "\n" + p.Text), words, p.PasswordField}, true
}

// manyWords is the length from which a page is one of its own, whatever its words say.
const manyWords = 400

// countWords counts the words of a text, up to most.
func countWords(text string, most int) (n int) {
	eachWord(text, func(_, _ uint64) bool { n++; return n < most })
	return n
}
