package groups

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"nightjar/model/spherical"
	"nightjar/model/tfidf"
)

// Page is what is known of a page. Each part may be empty.
type Page struct {
	Text    map[string]int // words of its text, with how often it has them
	Links   map[string]int // words of links to it, with how many pages use them
	Sources []int64        // numbers of the pages that link to it, all different
}

// Set is pages as vectors.
type Set struct {
	said    []map[string]float64 // of each page: its words with their weights
	vectors []tfidf.Vector
	columns int
}

// New weighs pages. Text, words of links and sources are vectors of TF-IDF, each scaled to length 1, side by side: the
// similarity of two pages is the mean of the cosines of the parts that they have.
func New(pages []Page) *Set {
	s := &Set{said: make([]map[string]float64, len(pages)), vectors: make([]tfidf.Vector, len(pages))}
	for i := range pages {
		s.said[i] = map[string]float64{}
	}
	text := part[string]{of: func(p Page) map[string]int { return p.Text }, least: 2, said: s.said}
	links := part[string]{of: func(p Page) map[string]int { return p.Links }, least: 1, said: s.said}
	sources := part[int64]{of: func(p Page) map[int64]int {
		all := make(map[int64]int, len(p.Sources))
		for _, from := range p.Sources {
			all[from] = 1
		}
		return all
	}, least: 2}
	text.add(s, pages)
	links.add(s, pages)
	sources.add(s, pages)
	for i, v := range s.vectors {
		s.vectors[i] = v.Unit()
	}
	return s
}

// part is a part of pages: words, or sources.
type part[T cmp.Ordered] struct {
	of    func(Page) map[T]int
	least int                  // pages that have a term that counts
	said  []map[string]float64 // nil for what is no words
}

// add puts a part beside those that pages have. A term weighs (1 + ln n)·ln(N/df), where df of the N pages have it.
func (p part[T]) add(s *Set, pages []Page) {
	df := map[T]int{}
	for _, page := range pages {
		for term := range p.of(page) {
			df[term]++
		}
	}
	column := map[T]int32{}
	for i, term := range slices.Sorted(maps.Keys(df)) {
		column[term] = int32(s.columns + i)
	}
	s.columns += len(df)
	for i, page := range pages {
		terms := p.of(page)
		var v tfidf.Vector
		for _, term := range slices.Sorted(maps.Keys(terms)) {
			if weight := (1 + math.Log(float64(terms[term]))) * math.Log(float64(len(pages))/float64(df[term])); df[term] >= p.least && weight > 0 {
				v.Index, v.Value = append(v.Index, column[term]), append(v.Value, weight)
				if p.said != nil {
					p.said[i][any(term).(string)] += weight
				}
			}
		}
		v = v.Unit()
		s.vectors[i].Index, s.vectors[i].Value = append(s.vectors[i].Index, v.Index...), append(s.vectors[i].Value, v.Value...)
	}
}

// Word is a word with its weight.
type Word struct {
	Word   string
	Weight float64
}

// Words are the n weightiest words of a page's text and of links to it; the first has the weight 1.
func (s *Set) Words(page, n int) []Word { return first(s.said[page], n) }

// Describable reports whether anything tells a page from others.
func (s *Set) Describable(page int) bool { return len(s.vectors[page].Index) > 0 }

// first are the n weightiest words, of equal ones the alphabetically first. The first weight is 1.
func first(weights map[string]float64, n int) []Word {
	all := make([]Word, 0, len(weights))
	for word, weight := range weights {
		all = append(all, Word{word, weight})
	}
	slices.SortFunc(all, func(a, b Word) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Word, b.Word)) })
	all = slices.Clone(all[:min(len(all), n)])
	for i := len(all) - 1; i >= 0; i-- {
		all[i].Weight /= all[0].Weight
	}
	return all
}

// Names gives the n words that set each group of a level apart from all other pages. Of a share p of the group's pages with a word, and
// a share q of the others, p·ln(p/q) decides: the word is on most pages of the group, and on few others. A group that nothing sets
// apart has no words.
func (s *Set) Names(l Level, n int) [][]Word {
	in, all := make([]map[string]int, len(l.Sizes)), map[string]int{}
	for c := range in {
		in[c] = map[string]int{}
	}
	for i, words := range s.said {
		for word := range words {
			all[word]++
			if c := l.Cluster[i]; c >= 0 {
				in[c][word]++
			}
		}
	}
	names := make([][]Word, len(l.Sizes))
	for c, size := range l.Sizes {
		weights := map[string]float64{}
		for word, k := range in[c] {
			p, q := float64(k)/float64(size), (float64(all[word]-k)+.5)/float64(len(s.said)-size+1)
			if weight := p * math.Log(p/q); weight > 0 {
				weights[word] = weight
			}
		}
		names[c] = first(weights, n)
	}
	return names
}

// Near gives the mean cosine of each page and the pages of its group, 0 for a page in none.
func (s *Set) Near(l Level) []float64 {
	centres := spherical.Clustering{Assign: l.Cluster, Sizes: l.Sizes}.Centres(s.vectors, s.columns)
	near := make([]float64, len(s.vectors))
	for i, c := range l.Cluster {
		if c >= 0 {
			near[i] = s.vectors[i].Dense(centres[c])
		}
	}
	return near
}
