package trainingset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/weburl"
)

// Lengths in bytes at which texts of strangers are cut.
const (
	maxTitle   = 300
	maxSnippet = 600
	maxURL     = 2048
	maxQuery   = 400
)

// clean returns a text on one line, without control characters and invisible marks, of at most most bytes.
func clean(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Cc, r):
			return ' '
		case r == utf8.RuneError, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, s)
	return cut(strings.Join(strings.Fields(s), " "), most)
}

// cut shortens a text to at most most bytes, between characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return strings.TrimSpace(s[:most])
}

// webPage returns the canonical form of an address that may be a positive page: of the web, not too long, and without
// credentials. Whether its host may be contacted is for the fetcher to say.
func webPage(raw string) (string, bool) {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxURL {
		return "", false
	}
	url, err := weburl.Canonical(raw)
	if err != nil || len(url) > maxURL || weburl.Host(url) == "" || weburl.Secret(url) || weburl.Secret(raw) {
		return "", false
	}
	return url, true
}

// Query returns a title as it is sent to a search engine, without the quotes: words in small letters with single spaces
// between them. Signs go, since engines read some as commands (!images, :fr, site:x, -word, "); a hyphen, an apostrophe or a
// point inside a word stays. It is "" for a title without words.
func Query(title string) string {
	runes := []rune(strings.ToLower(clean(title, 4*maxQuery)))
	var b strings.Builder
	for i, r := range runes {
		inside := i > 0 && i < len(runes)-1 && wordy(runes[i-1]) && wordy(runes[i+1])
		if wordy(r) || inside && strings.ContainsRune("-'’.", r) {
			b.WriteRune(r)
		} else {
			b.WriteByte(' ')
		}
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	short := cut(text, maxQuery)
	if i := strings.LastIndexByte(short, ' '); i > 0 && len(short) < len(text) && text[len(short)] != ' ' {
		return short[:i] // no half word
	}
	return short
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }
