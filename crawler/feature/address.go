package feature

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/texts"
)

// Limits of an address.
const (
	maxTokens    = 50            // tokens
	maxToken     = 20            // characters of one
	maxExtension = 5             // characters
	maxParts     = 5             // parts of a path that are told apart
	maxAddress   = maxTokens + 3 // features: u=~, x= and d= besides
)

// address is an http or https URL in parts.
type address struct {
	host  string // with its port
	path  string // from its first slash, or ""
	query string
}

func splitURL(url string) address {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return address{}
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	at := strings.IndexByte(rest, '/')
	if at < 0 {
		at = len(rest)
	}
	return address{host: rest[:at], path: rest[at:], query: query}
}

// address adds the features of an address.
func (l *list) address(a address) {
	tokens := 0
	for _, part := range [2]string{a.path, a.query} {
		for token := range strings.FieldsFuncSeq(part, separates) {
			if tokens++; tokens > maxTokens {
				break
			}
			if strings.Contains(token, "~") {
				l.add("u=", "~")
			}
			if token != "~" {
				l.add("u=", texts.First(strings.ToLower(token), maxToken))
			}
		}
	}
	if x := extension(a.path); x != "" {
		l.add("x=", x)
	}
	l.number("d=", parts(a.path), maxParts)
}

// separates says where an address is cut into tokens. Other punctuation stays, as in [CRF] §5.3.2. Canonical addresses have
// no white space or control characters.
func separates(r rune) bool {
	switch r {
	case '/', '-', '_', '.', '?', '=', '&', '+', ',', '%', utf8.RuneError:
		return true
	}
	if r < utf8.RuneSelf {
		return r <= ' ' || r == '\x7f'
	}
	return !unicode.IsGraphic(r) || unicode.IsSpace(r)
}

// parts counts the parts of a path that are not empty.
func parts(path string) int {
	n := 0
	for part := range strings.SplitSeq(path, "/") {
		if part != "" {
			n++
		}
	}
	return n
}

// extension is the end of a path after its last dot, in lower case: up to five letters and digits, at least one of them a
// letter. "" means that there is none.
func extension(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 || len(name)-dot-1 > maxExtension {
		return ""
	}
	x := strings.ToLower(name[dot+1:])
	const letters, digits = "abcdefghijklmnopqrstuvwxyz", "0123456789"
	if strings.Trim(x, letters+digits) != "" || !strings.ContainsAny(x, letters) {
		return ""
	}
	return x
}
