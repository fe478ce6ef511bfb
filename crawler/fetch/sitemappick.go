package fetch

import (
	"slices"
	"time"
)

// picker chooses from the entries of a sitemap without holding them all: those that changed last, and where no change is
// known, some that are spread evenly over the file.
type picker struct {
	most int       // entries wanted
	now  time.Time // changes after it are not believed
	fits func(url string) bool
	of   [2]picks // pages, and sitemaps
}

type picks struct {
	dated  []siteEntry // newest last change first, at most 2·most
	spread []siteEntry // every stride-th of the others, at most 4·most
	stride int
	seen   int
}

func newPicker(most int, now time.Time, fits func(url string) bool) *picker {
	return &picker{most: max(most, 1), now: now, fits: fits}
}

// add takes an entry in.
func (p *picker) add(e siteEntry) {
	s := &p.of[0]
	if e.index {
		s = &p.of[1]
	}
	if len(e.loc) > maxField || hasScheme(e.loc) && !p.fits(e.loc) {
		return
	}
	if !e.mod.IsZero() && e.mod.Before(p.now.Add(24*time.Hour)) {
		s.date(e, 2*p.most)
		return
	}
	s.scatter(e, 4*p.most)
}

func hasScheme(loc string) bool { return len(loc) > 4 && loc[:4] == "http" }

// date keeps the newest; of equally new ones those that come first.
func (s *picks) date(e siteEntry, most int) {
	if n := len(s.dated); n == most && !e.mod.After(s.dated[n-1].mod) {
		return
	}
	at, _ := slices.BinarySearchFunc(s.dated, e, func(a, b siteEntry) int {
		if c := b.mod.Compare(a.mod); c != 0 {
			return c
		}
		return -1 // after those of the same time
	})
	s.dated = slices.Insert(s.dated, at, e)
	s.dated = s.dated[:min(len(s.dated), most)]
}

// scatter keeps every stride-th; the stride doubles when they become too many.
func (s *picks) scatter(e siteEntry, most int) {
	s.stride = max(s.stride, 1)
	if s.seen++; (s.seen-1)%s.stride != 0 {
		return
	}
	if s.spread = append(s.spread, e); len(s.spread) < most {
		return
	}
	half := s.spread[:0]
	for i := 0; i < len(s.spread); i += 2 {
		half = append(half, s.spread[i])
	}
	clear(s.spread[len(half):])
	s.spread, s.stride = half, 2*s.stride
}

// picked lists what was chosen, twice as many as are wanted if there are so many: pages, or sitemaps. The newest come
// first.
func (p *picker) picked(index bool) []siteEntry {
	s := p.of[0]
	if index {
		s = p.of[1]
	}
	list := slices.Clone(s.dated)
	room := 2*p.most - len(list)
	if n := len(s.spread); room > 0 && n > 0 {
		room = min(room, n)
		for _, first := range []int{0, 1} { // every second one stands in for others, should they not do
			for i := first; i < room; i += 2 {
				list = append(list, s.spread[i*n/room])
			}
		}
	}
	return list
}
