// Package pagekind recognises pages that are never finds.
//
// Kind.NoFind says why a page is not shown: it asks not to be indexed, it repeats a few words (Stuffed), or it is a placeholder
// page (Placeholder): a login, a consent wall, a challenge, an error, a parked domain. SaysMissing recognises a soft 404 by
// its text.
package pagekind

import (
	"slices"
	"strings"

	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
)

// Kind is what a page's text says of its kind.
type Kind struct {
	NoFind  string // why the page is not shown however relevant it is, "" if it may be shown
	Stuffed bool   // see Stuffed
}

// Of reads a page.
func Of(p *page.Page) Kind {
	k := Kind{Stuffed: Stuffed(p)}
	switch {
	case p.NoIndex:
		k.NoFind = "the page asks not to be indexed"
	case k.Stuffed:
		k.NoFind = "the page repeats a few words over and over"
	default:
		k.NoFind = Placeholder(p)
	}
	return k
}

// Placeholder says what kind of placeholder page p is: a login, a consent wall, a challenge, an error, a parked domain.
// It returns "" for any other page. Pages about such topics are longer than placeholders.
func Placeholder(p *page.Page) string {
	c, ok := suspectOf(p)
	if !ok {
		return ""
	}
	for _, k := range placeholders {
		if k.is(c) {
			return k.why
		}
	}
	return ""
}

// SaysMissing reports whether the title or the short text of a page says that the requested page does not exist.
func SaysMissing(p *page.Page) bool {
	c, ok := suspectOf(p)
	return ok && slices.ContainsFunc(placeholders, func(k placeholder) bool { return k.name == "missing" && k.is(c) })
}

// suspectOf prepares a page for the test; ok is false if its text is too long for a placeholder.
func suspectOf(p *page.Page) (c *suspect, ok bool) {
	words := countWords(p.Text, manyWords)
	if words >= manyWords {
		return nil, false
	}
	return &suspect{titleParts(p.Title), strings.ToLower(p.Title + "\n" + p.Text), words, p.PasswordField}, true
}

// manyWords is the number of words from which a page is never a placeholder.
const manyWords = 400

// countWords counts the words of a text, up to most.
func countWords(text string, most int) (n int) {
	neardup.EachWord(text, func(_, _ uint64) bool { n++; return n < most })
	return n
}
