package strategy

import (
	"cmp"
	"slices"

	"nightjar/model"
	"nightjar/model/online"
)

// What a strategy that learns keeps of its crawl, so that its memory is bounded: some 5,500 pages of at most 1,000 words and
// 1,000 links, 8 bytes each. That is 90 MB at worst, and 10 to 20 MB for pages as they are.
const (
	maxRemembered   = 5000
	forgottenAtOnce = 500
	maxWords        = 1000
	maxLinks        = 1000
)

// memory is what strategies that learn keep of the pages that they judged, and the person's word on them.
type memory struct {
	judged int // pages so far; a page's number is how many were judged before it
	pages  []remembered
	latest map[uint64]int // number of the last reading of each address, by its hash
}

// remembered is a page that was judged.
type remembered struct {
	number int
	url    string // final
	alias  uint64 // hash of the address as it was queued
	words  model.Words
	links  []uint64 // hashes of the addresses it links to, ascending; only for who asks for them
	mark   online.Mark
}

func newMemory() memory { return memory{latest: map[uint64]int{}} }

// remember notes a page and gives its number. A page that is read again keeps the person's word.
func (m *memory) remember(p remembered) int {
	p.number = m.judged
	m.judged++
	if n, ok := m.latest[online.Key(p.url)]; ok {
		p.mark = m.page(n).mark
	}
	m.latest[online.Key(p.url)] = p.number
	m.pages = append(m.pages, p)
	return p.number
}

// page is the page of a number, nil when it was forgotten or never was.
func (m *memory) page(number int) *remembered {
	i, ok := slices.BinarySearchFunc(m.pages, number, func(p remembered, n int) int { return cmp.Compare(p.number, n) })
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

// forget drops the oldest pages that the person said nothing of, some hundred at once, when there are too many. It reports
// whether it did.
func (m *memory) forget() bool {
	if len(m.pages) < maxRemembered+forgottenAtOnce {
		return false
	}
	excess := len(m.pages) - maxRemembered
	for _, any := range []bool{false, true} { // marked ones only when there is nothing else
		m.pages = slices.DeleteFunc(m.pages, func(p remembered) bool {
			gone := excess > 0 && (any || p.mark == online.Unmarked)
			if gone {
				excess--
				if m.latest[online.Key(p.url)] == p.number {
					delete(m.latest, online.Key(p.url))
				}
			}
			return gone
		})
	}
	return true
}

// mark takes in the person's word, and reports whether it changed anything.
func (m *memory) mark(w Mark) bool {
	v := word(w)
	changed := false
	for i := range m.pages {
		if p := &m.pages[i]; p.url == w.URL && p.mark != v {
			p.mark, changed = v, true
		}
	}
	return changed
}

// ask names the pages without a mark that are most doubtful, of equal ones the latest first.
func (m *memory) ask(n int, doubt func(*remembered) float64) []string {
	type asked struct {
		url    string
		number int
		doubt  float64
	}
	var all []asked
	for i := range m.pages {
		if p := &m.pages[i]; p.mark == online.Unmarked && m.latest[online.Key(p.url)] == p.number {
			all = append(all, asked{p.url, p.number, doubt(p)})
		}
	}
	slices.SortFunc(all, func(a, b asked) int { return cmp.Or(cmp.Compare(b.doubt, a.doubt), b.number-a.number) })
	var urls []string
	for _, a := range all[:max(0, min(n, len(all)))] {
		urls = append(urls, a.url)
	}
	return urls
}

// fewer cuts a page to its most frequent words, equal ones to those of the lower number.
func fewer(w model.Words) model.Words {
	if len(w.Index) <= maxWords {
		return w
	}
	order := make([]int, len(w.Index))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.Count[b], w.Count[a]) })
	order = order[:maxWords]
	slices.Sort(order)
	cut := model.Words{Index: make([]int32, maxWords), Count: make([]int32, maxWords)}
	for k, i := range order {
		cut.Index[k], cut.Count[k] = w.Index[i], w.Count[i]
	}
	return cut
}

// addresses hashes the links of a page, each once, ascending.
func addresses(v Visit) []uint64 {
	all := make([]uint64, 0, min(maxLinks, len(v.Page.Links)))
	for _, l := range v.Page.Links[:min(maxLinks, len(v.Page.Links))] {
		all = append(all, online.Key(l.URL))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
