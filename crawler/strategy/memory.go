package strategy

import (
	"cmp"
	"slices"

	"nightjar/model"
	"nightjar/model/online"
)

// Limits on what a strategy remembers of its crawl: some 5,500 pages of at most 1,000 words and 1,000 links, 8 bytes each.
// That is 90 MB at worst, and 10 to 20 MB for usual pages.
const (
	maxRemembered   = 5000
	forgottenAtOnce = 500
	maxWords        = 1000
	maxLinks        = 1000
)

// memory is what a strategy that learns remembers of the pages it has read, and the person's marks on them.
type memory struct {
	judged int // pages read so far; a page's number is how many were read before it
	pages  []remembered
	latest map[uint64]int // number of the last reading of each address, by its hash
}

// remembered is a page that was read. It is stored as it is.
type remembered struct {
	Number int
	URL    string // final
	Alias  uint64 // hash of the address as it was queued
	Words  model.Words
	Links  []uint64 // hashes of the addresses it links to, ascending
	Mark   online.Mark
}

func newMemory() memory { return memory{latest: map[uint64]int{}} }

// remember adds a page and returns its number. A page that is read again keeps its mark.
func (m *memory) remember(p remembered) int {
	p.Number = m.judged
	m.judged++
	if n, ok := m.latest[online.Key(p.URL)]; ok {
		p.Mark = m.page(n).Mark
	}
	m.latest[online.Key(p.URL)] = p.Number
	m.pages = append(m.pages, p)
	return p.Number
}

// page is the page with a number, nil when it was forgotten or never existed.
func (m *memory) page(number int) *remembered {
	i, ok := slices.BinarySearchFunc(m.pages, number, func(p remembered, n int) int { return cmp.Compare(p.Number, n) })
	if !ok {
		return nil
	}
	return &m.pages[i]
}

// at is the last reading of an address, by its hash; nil when it was forgotten or never read.
func (m *memory) at(address uint64) *remembered {
	n, ok := m.latest[address]
	if !ok {
		return nil
	}
	return m.page(n)
}

// forget drops the oldest unmarked pages, some hundred at once, when there are too many. It reports whether it did.
func (m *memory) forget() bool {
	if len(m.pages) < maxRemembered+forgottenAtOnce {
		return false
	}
	excess := len(m.pages) - maxRemembered
	for _, any := range []bool{false, true} { // marked ones only when no others are left
		m.pages = slices.DeleteFunc(m.pages, func(p remembered) bool {
			gone := excess > 0 && (any || p.Mark == online.Unmarked)
			if gone {
				excess--
				if m.latest[online.Key(p.URL)] == p.Number {
					delete(m.latest, online.Key(p.URL))
				}
			}
			return gone
		})
	}
	return true
}

// mark marks a page, and reports whether that changed anything.
func (m *memory) mark(w Mark) bool {
	v := word(w)
	changed := false
	for i := range m.pages {
		if p := &m.pages[i]; p.URL == w.URL && p.Mark != v {
			p.Mark, changed = v, true
		}
	}
	return changed
}

// ask lists the unmarked pages with the largest doubt, of equal ones the latest first.
func (m *memory) ask(n int, doubt func(*remembered) float64) []string {
	type asked struct {
		url    string
		number int
		doubt  float64
	}
	var all []asked
	for i := range m.pages {
		if p := &m.pages[i]; p.Mark == online.Unmarked && m.latest[online.Key(p.URL)] == p.Number {
			all = append(all, asked{p.URL, p.Number, doubt(p)})
		}
	}
	slices.SortFunc(all, func(a, b asked) int { return cmp.Or(cmp.Compare(b.doubt, a.doubt), b.number-a.number) })
	var urls []string
	for _, a := range all[:max(0, min(n, len(all)))] {
		urls = append(urls, a.url)
	}
	return urls
}

// fewer keeps the most frequent words of a page, of equally frequent ones those with the lower numbers.
func fewer(w model.Words) model.Words {
	w.Index, w.Count = online.Largest(w.Index, w.Count, maxWords)
	return w
}

// addresses returns the hashes of a page's links, each once, ascending.
func addresses(v Visit) []uint64 {
	all := make([]uint64, 0, min(maxLinks, len(v.Page.Links)))
	for _, l := range v.Page.Links[:min(maxLinks, len(v.Page.Links))] {
		all = append(all, online.Key(l.URL))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
