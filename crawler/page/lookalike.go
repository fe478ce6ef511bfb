package page

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

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
		case l.letters <= maxFurniture && l.heading == 0 && furniture.Match(r.text[l.start:l.end]):
			mark(i)
		case l.letters >= runningLetters:
			return
		}
	}
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
		if navWords[string(bytes.ToLower(word))] {
			nav++
		}
	}
	if nav == words {
		return true
	}
	return l.links >= 3 && l.letters <= l.links*maxBarLink && (nav*3 >= words || bytes.ContainsAny(text, "|·•»›>[]«←→"))
}

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
