// Package pagekind recognises pages that are never finds.
//
// NoFind says why a page is not shown: it asks not to be indexed, it repeats a few words (Stuffed), or it is a placeholder
// page (Placeholder): a login, a consent wall, a challenge, an error, a parked domain. SaysMissing tells a page that is
// not there although its status says it is.
package pagekind

import (
	"strings"

	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
)

// NoFind says why a page is not shown however relevant it looks, "" when it may be.
func NoFind(p *page.Page) string {
	if p.NoIndex {
		return "the page asks not to be indexed"
	}
	if Stuffed(p) {
		return "the page repeats a few words over and over"
	}
	return Placeholder(p)
}

// Placeholder says what kind of placeholder page p is: a login, a consent wall, a challenge, an error, a parked domain.
// It is "" for a page with content of its own. A page about such things is longer than they are.
func Placeholder(p *page.Page) string {
	c, ok := suspectOf(p)
	if !ok {
		return ""
	}
	for i := range placeholders {
		if k := &placeholders[i]; k.is(c) {
			return k.why
		}
	}
	return ""
}

// SaysMissing reports whether a page says, in its title or in a few words, that what was asked for is not there.
func SaysMissing(p *page.Page) bool {
	c, ok := suspectOf(p)
	return ok && missing.is(c)
}

// suspectOf prepares a page to be recognised; ok is false for one that has too much to say.
func suspectOf(p *page.Page) (c *suspect, ok bool) {
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
	neardup.EachWord(text, func(_, _ uint64) bool { n++; return n < most })
	return n
}
