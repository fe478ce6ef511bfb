package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a query. What goes beyond them is left out.
const (
	MaxQuery  = 1000 // bytes
	MaxTerms  = 16
	MaxPhrase = 32 // words in quotes
)

// Query is what a person asks for: pages with each of the terms and with none of the others.
type Query struct {
	With    []Term
	Without []Term
}

// Term is words that follow one another on the page, at least one.
type Term []string

// Empty reports whether the query asks for nothing.
func (q Query) Empty() bool { return len(q.With) == 0 }

// Parse reads a query: words, phrases in double quotes, and -word or -"phrase" for what must not be on the page. Every
// text is a query; signs without words and a quote without its second one are no errors. A word that consists of several,
// such as tidal-range, asks for these one after the other.
func Parse(input string) Query {
	var q Query
	for rest := clip(input); rest != "" && len(q.With)+len(q.Without) < MaxTerms; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		without := len(rest) > 1 && rest[0] == '-'
		if without {
			rest = rest[1:]
		}
		var part string
		part, rest = next(rest)
		switch t := term(part); {
		case len(t) == 0:
		case without:
			q.Without = append(q.Without, t)
		default:
			q.With = append(q.With, t)
		}
	}
	return q
}

// clip shortens an input to MaxQuery bytes, between characters.
func clip(s string) string {
	if len(s) <= MaxQuery {
		return s
	}
	end := MaxQuery
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// next cuts the first word or phrase off an input.
func next(s string) (part, rest string) {
	for _, open := range []struct{ begin, end string }{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}} {
		if inner, ok := strings.CutPrefix(s, open.begin); ok {
			part, rest, _ = strings.Cut(inner, open.end)
			return part, rest
		}
	}
	end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}

func term(s string) Term {
	var t Term
	for token := range Tokens(s) {
		if t = append(t, token.Word); len(t) == MaxPhrase {
			break
		}
	}
	return t
}
