package model

import (
	"math"
	"slices"

	"nightjar/model/logistic"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// Lessons is what a model learned from, as far as a crawl needs it to go on learning where the training ended.
type Lessons struct {
	Pages      []Words // of each training page, same order as Bundle.Pages
	Background []Words // of the pages that stand for the rest of the web
	Links      []LinkLesson
}

// Words is how often each feature occurs in a page: Count[i] times the one of number Index[i]; numbers ascend.
type Words struct {
	Index []int32
	Count []int32
}

// LinkLesson is a hyperlink of a training page, and where it led.
type LinkLesson struct {
	From int // index into Bundle.Pages
	To   int // index into Bundle.Pages, -1 when the page was not visited
	webgraph.Link
}

// maxLinkLessons bounds the links that a model keeps: those to visited pages come first, then the others in turns, so that
// one page with thousands of them does not keep out the rest. Of the background the first pages are kept.
const (
	maxLinkLessons       = 20_000
	maxBackgroundLessons = 20_000
)

// lessons keeps what was learned from.
func (t *Training) lessons() Lessons {
	l := Lessons{Links: linkLessons(t.set.Pages, maxLinkLessons)}
	index := t.features.index()
	for _, c := range t.counts {
		l.Pages = append(l.Pages, countFeatures(c, index))
	}
	for _, c := range t.background[:min(len(t.background), maxBackgroundLessons)] {
		l.Background = append(l.Background, countFeatures(c, index))
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

// countFeatures keeps of a page's words those that are features.
func countFeatures(c text.Counts, index map[string]int32) Words {
	found := make([]uint64, 0, len(c))
	for term, n := range c {
		if i, ok := index[term]; ok && n > 0 {
			found = append(found, feature(i, n))
		}
	}
	return wordsOf(found)
}

// feature is a term and its count in one number.
func feature(i int32, n int) uint64 { return uint64(i)<<32 | uint64(min(n, math.MaxInt32)) }

// wordsOf are features in the order of their terms. It sorts the list.
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

// Row weighs a page's words as the model's classifiers read them; see Features.
func (f *Features) Row(w Words) logistic.Row { return f.weigh(w) }

// Words counts the features of a text.
func (b *Bundle) Words(s string) Words {
	r := b.reading()
	if len(s) > shortText {
		return countFeatures(r.words.Count(s), r.features)
	}
	var room [48]text.Counted
	return b.WordsOf(r.words.Append(room[:0], s))
}

// WordsOf is Words of a text whose stems were counted, each once, in any order.
func (b *Bundle) WordsOf(stems []text.Counted) Words {
	r := b.reading()
	var room [48]uint64
	found := room[:0]
	for _, c := range stems {
		if i, ok := r.features[c.Stem]; ok {
			found = append(found, feature(i, c.Times))
		}
	}
	return wordsOf(found)
}

// shortText is up to how many bytes a text's words are counted in a list, as those of links are.
const shortText = 400
