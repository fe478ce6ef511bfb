package crawler

import (
	"slices"
	"strings"
)

// snippetLength is how many runes of a page's text a find shows.
const snippetLength = 280

// Snippet is what a find shows of the page's text.
func (f *Fetch) Snippet() string { return snippet(f.Page.Text, f.Title) }

// runningWords is from how many words on a line of a page's text is taken for writing and not for navigation.
const runningWords = 12

// snippet is what a page says first, cut between words: from its first line of running text on, or from its beginning
// when it has none. text has a line for each block of the page.
func snippet(text, title string) string {
	lines := strings.Split(text, "\n")
	if len(lines) > 0 && strings.Join(strings.Fields(title), " ") == lines[0] {
		lines = lines[1:]
	}
	start := slices.IndexFunc(lines, func(l string) bool { return len(strings.Fields(l)) >= runningWords })
	text = strings.Join(lines[max(start, 0):], " ")
	runes := []rune(text)
	if len(runes) <= snippetLength {
		return text
	}
	short := string(runes[:snippetLength])
	if space := strings.LastIndexByte(short, ' '); space > snippetLength/2 {
		short = short[:space]
	}
	return short + " …"
}
