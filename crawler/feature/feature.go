package feature

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"nightjar/crawler/page"
	"nightjar/model/text"
)

// Limits of what Page and Link return.
const (
	MaxBytes = 325 // of one feature: H= and four words
	MaxPage  = maxTextWords + maxTitleWords + maxHeadWords + maxHeadings + maxSets + maxRepeats + maxAddress
	MaxLink  = maxAnchor + 2*maxSide + maxAddress + 3 // features: n=, host= and inrep besides
)

const (
	maxTextWords  = 5000 // different words of the text
	maxTitleWords = 50   // words of the title
	maxHeadWords  = 2000 // words of all headings
	maxHeadings   = 500  // headings
	maxHeading    = 4    // words of a heading for H=
	maxRepeats    = 3    // features of repeated structure
	maxAnchor     = 50   // words of an anchor text
	maxSide       = 30   // words before a link, and after it
	maxCounted    = 5    // words of an anchor text that are told apart by number
)

// Reader lists the features of a page and its links. Words are in the language of the page; the zero value takes it for English.
type Reader struct {
	language text.Language
}

// Of returns the reader of a page.
func Of(p *page.Page) Reader { return Reader{text.LanguageOf(p.Language, p.Text)} }

// Page returns the features of the page, sorted, each once. There are at most MaxPage.
func (r Reader) Page(p *page.Page, sets Sets) []string {
	l := list{make([]string, 0, 256), r}
	l.words("t=", p.Title, maxTitleWords)
	l.headings(p.Headings)
	for _, name := range sets.named(p.Headings) {
		l.add("hset=", name)
	}
	l.repeats(p.Repeats)
	l.address(splitURL(p.URL))
	l.text(p.Text)
	return l.sorted()
}

// Link returns the features of p.Links[i], sorted, each once. There are at most MaxLink.
func (r Reader) Link(p *page.Page, i int) []string {
	link := &p.Links[i]
	l := list{make([]string, 0, 48), r}
	l.words("a=", link.Anchor, maxAnchor)
	l.words("b=", link.Before, maxSide)
	l.words("f=", link.After, maxSide)
	count := 0
	for range strings.FieldsSeq(link.Anchor) {
		if count++; count == maxCounted {
			break
		}
	}
	l.number("n=", count, maxCounted)
	to := splitURL(link.URL)
	if to.host == splitURL(p.URL).host {
		l.add("host=", "same")
	} else {
		l.add("host=", "other")
	}
	if link.Repeated {
		l.add("inrep", "")
	}
	l.address(to)
	return l.sorted()
}

// list collects features.
type list struct {
	all []string
	in  Reader
}

func (l *list) add(kind, value string) { l.all = append(l.all, kind+value) }

// shortWords yields the words of a text of the page.
func (l *list) shortWords(s string) iter.Seq[[]byte] { return text.ShortWordsIn(l.in.language, s) }

// number adds a number, or most when it is larger.
func (l *list) number(kind string, n, most int) { l.add(kind, strconv.Itoa(min(n, most))) }

// words adds the first words of a text.
func (l *list) words(kind, s string, most int) {
	for w := range l.shortWords(s) {
		if most--; most < 0 {
			return
		}
		l.all = append(l.all, kind+string(w))
	}
}

// text adds the words of the text of a page. They are told apart before a string is made of each, because most of them are
// there many times.
func (l *list) text(s string) {
	seen := make(map[string]struct{}, 256)
	for w := range l.shortWords(s) {
		if _, ok := seen[string(w)]; ok {
			continue
		}
		if len(seen) == maxTextWords {
			return
		}
		f := "w=" + string(w)
		seen[f[2:]] = struct{}{}
		l.all = append(l.all, f)
	}
}

// headings adds the words of headings, and short headings as a whole.
func (l *list) headings(headings []string) {
	read := 0
	for _, h := range headings[:min(len(headings), maxHeadings)] {
		whole, words := []byte("H="), 0
		for w := range l.shortWords(h) {
			if read == maxHeadWords {
				return
			}
			read++
			l.all = append(l.all, "h="+string(w))
			if words++; words > maxHeading {
				continue
			}
			if words > 1 {
				whole = append(whole, ' ')
			}
			whole = append(whole, w...)
		}
		if words > 0 && words <= maxHeading {
			l.all = append(l.all, string(whole))
		}
	}
}

// repeats adds the features of repeated structure.
func (l *list) repeats(r page.Repeats) {
	if r.Most == 0 {
		return
	}
	l.add("rep", "")
	if r.Links {
		l.add("rep.a", "")
	}
	for _, class := range []int{32, 16, 8, 4} {
		if r.Most >= class {
			l.number("rep=", class, class)
			return
		}
	}
}

func (l list) sorted() []string {
	slices.Sort(l.all)
	return slices.Compact(l.all)
}
