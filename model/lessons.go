package model

import (
	"math"
	"slices"

	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// Lessons are the training examples that a crawl needs to go on learning where the training ended.
type Lessons struct {
	Pages      []Words // of each training page, same order as Bundle.Pages
	Background []Words // of the pages that represent the rest of the web
	Links      []LinkLesson
}

// Words says how often each feature occurs in a page: feature Index[i] occurs Count[i] times. Index ascends.
type Words struct {
	Index []int32
	Count []int32
}

// LinkLesson is a link of a training page, and where it leads.
type LinkLesson struct {
	From int // index into Bundle.Pages
	To   int // index into Bundle.Pages, -1 when the page was not visited
	webgraph.Link
}

// Limits on what a model keeps. Links to visited pages are kept first, then the others, one of each page in turn, so that
// a page with thousands of links does not crowd out the rest. Of the background the first pages are kept.
const (
	maxLinkLessons       = 20_000
	maxBackgroundLessons = 20_000
)

// lessons collects the lessons of the training.
func (t *Training) lessons() Lessons {
	pages := len(t.set.Pages)
	l := Lessons{Pages: t.words[:pages:pages], Links: linkLessons(t.set.Pages, maxLinkLessons)}
	if background := t.words[pages:]; len(background) > 0 {
		l.Background = background[:min(len(background), maxBackgroundLessons)]
	}
	return l
}

func linkLessons(pages []Page, most int) []LinkLesson {
	var all []LinkLesson
	longest := 0
	for from, p := range pages {
		longest = max(longest, len(p.Links))
		for _, l := range p.Links {
			if l.To >= 0 && len(all) < most {
				all = append(all, LinkLesson{from, l.To, l.Link})
			}
		}
	}
	for k := 0; k < longest && len(all) < most; k++ {
		for from, p := range pages {
			if k < len(p.Links) && p.Links[k].To < 0 && len(all) < most {
				all = append(all, LinkLesson{from, -1, p.Links[k].Link})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b LinkLesson) int { return a.From - b.From })
	return all
}

// countFeatures keeps the words of a page that are features.
func countFeatures(c text.Counts, index map[string]int32) Words {
	found := make([]uint64, 0, len(c))
	for term, n := range c {
		if i, ok := index[term]; ok && n > 0 {
			found = append(found, feature(i, n))
		}
	}
	return wordsOf(found)
}

// feature packs a term and its count into one number, so that they sort by term.
func feature(i int32, n int) uint64 { return uint64(i)<<32 | uint64(min(n, math.MaxInt32)) }

// wordsOf sorts the features and unpacks them.
func wordsOf(found []uint64) Words {
	if len(found) == 0 {
		return Words{}
	}
	slices.Sort(found)
	w := Words{Index: make([]int32, len(found)), Count: make([]int32, len(found))}
	for k, x := range found {
		w.Index[k], w.Count[k] = int32(x>>32), int32(x&math.MaxInt32)
	}
	return w
}

// Words counts the features of a text, in the language that its words show.
func (b *Bundle) Words(s string) Words {
	r := b.reading()
	stems, _ := r.words.NumberPage("", s)
	return wordsIn(stems, r.feature)
}

// WordsIn counts the features of a text in a language.
func (b *Bundle) WordsIn(l text.Language, s string) Words {
	var room [48]text.Counted
	return b.WordsOf(b.reading().words.Append(room[:0], l, s))
}

// WordsOf is Words for a text whose stems were counted by Bundle.Counter already: each stem once, in any order.
func (b *Bundle) WordsOf(stems []text.Counted) Words {
	r := b.reading()
	var room [48]uint64
	found := room[:0]
	for _, c := range stems {
		if c.Number < 0 {
			continue
		}
		if i := r.feature[c.Number]; i >= 0 {
			found = append(found, feature(i, c.Times))
		}
	}
	return wordsOf(found)
}

// Counter counts stems as the bundle does, and knows the numbers that it gives them. It is safe for concurrent use.
func (b *Bundle) Counter() *text.Counter { return b.reading().words }
