package page

import (
	"slices"
	"strings"
)

// snippetLength is the maximum number of runes of a page's text in a find.
const snippetLength = 280

// Snippet is what a find with this title shows of the page's text: its start, cut between words, from the first line of prose, or
// from the very beginning if it has none.
func (p *Page) Snippet(title string) string { return snippet(p.Text, title) }

// runningWords is the minimum number of words for a line of text to count as prose and not as navigation.
const runningWords = 12

// snippet is Snippet of a text with a line for each block of the page.
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
