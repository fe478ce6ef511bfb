package pagekind

import (
	"slices"
	"strings"
)

// placeholder is how one kind of placeholder page is recognised: a part of its title is a typical title, or its short text
// contains enough of the phrases.
type placeholder struct {
	name     string // in placeholders.txt
	titled   int    // words that a page with such a title has at most
	need     int    // different phrases in title or text
	words    int    // that a page with the phrases has at most
	password int    // most words of a page with a password field, 0 if that field does not count
	why      string
}

// suspect is a page that may be a placeholder.
type suspect struct {
	title    []string // its parts, in lower case
	text     string   // title and text, in lower case
	words    int
	password bool
}

func (k placeholder) is(c *suspect) bool {
	if k.password > 0 && c.password && c.words <= k.password {
		return true
	}
	if c.words <= k.titled {
		for _, part := range c.title {
			for _, t := range phrases()[k.name+" titles"] {
				if t.in(part) && t.expression().MatchString(part) {
					return true
				}
			}
		}
	}
	return c.words <= k.words && k.matches(c.text)
}

// matches reports whether a text contains enough different phrases.
func (k placeholder) matches(text string) bool {
	var found []string
	for _, p := range phrases()[k.name+" texts"] {
		if !p.in(text) {
			continue
		}
		for _, f := range p.expression().FindAllString(text, -1) {
			if slices.Contains(found, f) {
				continue
			}
			if found = append(found, f); len(found) >= k.need {
				return true
			}
		}
	}
	return false
}

// titleParts splits a title at the signs between the names of a page and its site, in lower case.
func titleParts(title string) []string {
	return strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return strings.ContainsRune("|–—·•»«/", r) })
}

// placeholders are the kinds of placeholder pages, the surest first.
var placeholders = []placeholder{
	{name: "person", titled: 150, need: 2, words: 150, why: "the page wants to know whether its reader is a person"},
	{name: "busy", titled: 150, need: 2, words: 80, why: "the host says that it was asked too often"},
	{name: "closed", titled: 150, need: 2, words: 120, why: "the page is closed to us"},
	{name: "login", titled: 120, need: 2, words: 110, password: 150, why: "the page asks for a login"},
	{name: "consent", titled: 200, need: 3, words: 200, why: "the page asks for consent before it shows anything"},
	{name: "missing", titled: 300, need: 2, words: 90, why: "the page says that what was asked for is not there"},
	{name: "moved", titled: 60, need: 2, words: 60, why: "the page only says that it has moved"},
	{name: "scripts", titled: 80, need: 1, words: 60, why: "the page shows nothing without scripts"},
	{name: "parked", titled: 250, need: 2, words: 120, why: "the domain is parked or the site is not there yet"},
}
