package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

// Limits of a query. What goes beyond them is left out.
const (
	MaxQuery  = 1000 // bytes
	MaxTerms  = 16   // sites are terms, too
	MaxPhrase = 32   // words in quotes
)

// Query is what a person asks for: pages with each of the terms and with none of the others, on one of the sites and on none
// of the others.
type Query struct {
	With, Without       []Term
	Sites, WithoutSites []string // hosts, with the hosts below them
}

// Term is words that a query asks for.
type Term struct {
	Words    []string // that follow one another on the page, at least one
	Start    string   // a single word, folded but no stem, with which a longer word may begin; "" if it may not
	From, To int      // bytes of the query
}

// Empty reports whether the query asks for nothing.
func (q Query) Empty() bool { return len(q.With)+len(q.Sites) == 0 }

func (q Query) size() int {
	return len(q.With) + len(q.Without) + len(q.Sites) + len(q.WithoutSites)
}

// Parse reads a query: words, phrases in double quotes, site:example.org, and a minus before each of these for what must not
// be. Every text is a query; signs without words and a quote without its second one are no errors. A word that consists of
// several, such as tidal-range, asks for these one after the other.
func Parse(input string) Query {
	var q Query
	input = texts.Cut(input, MaxQuery)
	for rest := input; rest != "" && q.size() < MaxTerms; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		without := len(rest) > 1 && rest[0] == '-'
		if without {
			rest = rest[1:]
		}
		if site, after := cutSite(rest); site != "" {
			q.Sites, q.WithoutSites = appendTo(q.Sites, q.WithoutSites, site, without)
			rest = after
			continue
		}
		part, after, quoted := next(rest)
		t := newTerm(part, !quoted && !without)
		t.From, t.To = len(input)-len(rest), len(input)-len(after)
		if rest = after; len(t.Words) > 0 {
			q.With, q.Without = appendTo(q.With, q.Without, t, without)
		}
	}
	return q
}

// appendTo appends a part of a query to what must be or to what must not be.
func appendTo[T any](with, without []T, part T, not bool) ([]T, []T) {
	if not {
		return with, append(without, part)
	}
	return append(with, part), without
}

// cutSite cuts "site:" with the name or an address of a site off an input. It returns "" when the input begins with
// something else.
func cutSite(s string) (site, rest string) {
	const operator = "site:"
	if len(s) < len(operator) || !strings.EqualFold(s[:len(operator)], operator) {
		return "", s
	}
	part, rest, quoted := next(strings.TrimLeftFunc(s[len(operator):], unicode.IsSpace))
	if quoted {
		return "", s
	}
	return Site(part), rest
}

// Site returns the host that a person means, who may paste an address: in lower case and ASCII, without www and without a
// port. It returns "" for what names no host.
func Site(s string) string {
	s = strings.TrimSpace(s)
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
	}
	address, err := weburl.Canonical("http://" + strings.TrimLeft(s, "*./"))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.Trim(weburl.Host(address), "."), "www.")
}

// next cuts the first word or phrase off an input.
func next(s string) (part, rest string, quoted bool) {
	for _, open := range []struct{ begin, end string }{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}} {
		if inner, ok := strings.CutPrefix(s, open.begin); ok {
			part, rest, _ = strings.Cut(inner, open.end)
			return part, rest, true
		}
	}
	end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
	if end < 0 {
		return s, "", false
	}
	return s[:end], s[end:], false
}

// newTerm returns the term of a part of a query. A single word may be the beginning of a longer one when it is open.
func newTerm(s string, open bool) Term {
	var t Term
	for token := range Tokens(s) {
		if t.Words = append(t.Words, token.Word); len(t.Words) == MaxPhrase {
			break
		}
		t.Start = token.Whole
	}
	if !open || len(t.Words) != 1 || !begins(t.Start) {
		t.Start = ""
	}
	return t
}

// begins reports whether a word may be the beginning of others: it has three letters, or two syllables of Hangul. Numbers are
// no beginnings, and a word in a script without spaces is a single letter.
func begins(word string) bool {
	n := utf8.RuneCountInString(word)
	first, _ := utf8.DecodeRuneInString(word)
	return (n >= 3 || n == 2 && unicode.Is(unicode.Hangul, first)) && !strings.ContainsFunc(word, unicode.IsNumber)
}
