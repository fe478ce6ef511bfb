package page

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"nightjar/crawler/texts"
)

const (
	maxBar       = 200 // letters of a navigation bar
	maxBarLink   = 25  // letters for each of its links
	maxFurniture = 300 // letters of a copyright notice or the like
)

// lookalikes marks the lines that look like navigation or like the end of every page of a site:
//
//   - links before the first heading or running text of the page, when they are a small part of it; no linked
//     headings but the first, which name articles
//   - a line of links whose words are all of navWords: "Back to top"
//   - a bar of at least three links, parted by signs such as | or partly of navWords
//   - at the end of the page: copyright, licence, "last modified", who keeps the page
func (r *reader) lookalikes(sure []int) {
	all := r.lines
	mark := func(i int) { sure[i] = max(sure[i], lookalike) }
	begin, before := 0, 0
	for begin < len(all) && !all[begin].running() && (all[begin].heading == 0 || all[begin].linkOnly()) {
		if all[begin].linkOnly() && sure[begin] == content {
			before += all[begin].letters
		}
		begin++
	}
	few := begin < len(all) && before*3 <= r.regions[0].letters
	for i, l := range all {
		if l.linkOnly() && (few && i < begin && l.heading < 2 || r.isBar(l)) {
			mark(i)
		}
	}
	for i := len(all) - 1; i > 0; i-- {
		switch l := all[i]; {
		case sure[i] > content:
		case l.letters <= maxFurniture && l.heading == 0 && isFurnitureLine(r.text[l.start:l.end]):
			mark(i)
		case l.letters >= runningLetters:
			return
		}
	}
}

// isFurnitureLine reports whether furniture matches a line. It matches few, so all others are ruled out by their first three
// letters and two words.
func isFurnitureLine(text []byte) bool {
	begin := 0
	for begin < len(text) && text[begin] < utf8.RuneSelf && weight(rune(text[begin])) == 0 {
		begin++
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return furniture.Match(text)
		}
	}
	if len(text) < begin+2 {
		return false
	}
	first := [3]byte{text[begin] | 0x20, text[begin+1] | 0x20, ' '} // in lower case
	if first[1] != ')' && begin+2 < len(text) {
		first[2] = text[begin+2] | 0x20
	}
	return (furnitureStarts[first] || containsFold(text, "rights reserved") || containsFold(text, "under ")) && furniture.Match(text)
}

// furnitureStarts are the first three characters of what furniture finds at the beginning of a line, after all signs; of (c)
// the last two.
var furnitureStarts = func() map[[3]byte]bool {
	starts := make(map[[3]byte]bool)
	for begin := range texts.Words("c) cop las thi pag doc sit web mai upd mod all pow gen bui cre com ret bes you vis") {
		three := [3]byte{' ', ' ', ' '}
		copy(three[:], begin)
		starts[three] = true
	}
	return starts
}()

// containsFold reports whether an ASCII text contains a word in lower case, whatever the case of its letters.
func containsFold(text []byte, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && strings.EqualFold(string(text[i:i+len(word)]), word) {
			return true
		}
	}
	return false
}

// furniture are words that identify the last lines of a page as boilerplate.
var furniture = regexp.MustCompile(`(?i)^\W*(©|\(c\)|copyright\b|last (modified|updated?|changed?|revised|revision|edited)\b|` +
	`(this )?(page|document|site|web ?site) (was |is |were )?(last |design|created|generated|maintained|built|updated|modified|hosted)|` +
	`maintained by|updated\b|modified\b|all rights reserved|powered by|generated (by|on|at)|built (with|by)|created (with|by|using)|` +
	`web ?site design|page design|webmaster|comments? (to|about)|retrieved from|best viewed|you are (visitor|visit)|visitors?:)|` +
	`all rights reserved|\b(is|are|content) (available|licen[sc]ed) under (the|a|cc)\b`)

// isBar reports whether a line that consists of links is a navigation bar.
func (r *reader) isBar(l line) bool {
	if l.letters > maxBar {
		return false
	}
	text := r.text[l.start:l.end]
	nav, words := 0, 0
	for word := range bytes.FieldsFuncSeq(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		words++
		if isNavWord(word) {
			nav++
		}
	}
	if nav == words {
		return true
	}
	return l.links >= 3 && l.letters <= l.links*maxBarLink && (nav*3 >= words || bytes.ContainsAny(text, "|·•»›>[]«←→"))
}

// isNavWord reports whether a word is one of navWords, in any case.
func isNavWord(word []byte) bool {
	var lower [maxNavWord]byte
	if len(word) > 2*maxNavWord { // a letter that is not ASCII may have an ASCII small one
		return false
	}
	n := copy(lower[:], word)
	for i, c := range lower[:n] {
		if c >= utf8.RuneSelf || n < len(word) {
			return navWords[string(bytes.ToLower(word))]
		}
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return navWords[string(lower[:n])]
}

const maxNavWord = 16 // more than the longest of navWords has

// navWords are the words of navigation links on any site.
var navWords = texts.Words(`a an and at back begin beginning bottom close contents continue edit end feedback first forward go help here home
	homepage in index last link links log login logout main map menu more navigation new next of on our out page pages permalink
	prev previous print read register return search show hide sign site sitemap skip start table the this to toc top up`)

// isFurniture reports whether a link is a tool, not text: a heading's link to itself, "[edit]", "skip to content".
func isFurniture(n *html.Node) bool {
	if n.DataAtom != atom.A || n.FirstChild == nil || n.FirstChild.Type != html.TextNode {
		return false
	}
	text := strings.TrimSpace(n.FirstChild.Data)
	switch text {
	case "¶", "#", "§", "\U0001F517":
		return n.FirstChild.NextSibling == nil
	}
	return len(text) > 5 && strings.EqualFold(text[:5], "skip ") && strings.HasPrefix(attr(n, "href"), "#")
}
