package fetch

import (
	"slices"
	"time"
)

// picker chooses entries of a list without holding them all: those that changed last and, of those without a date,
// some spread evenly over the file.
type picker struct {
	most    int       // entries wanted
	now     time.Time // dates more than a day later are ignored
	mayName func(url string) bool
	of      [2]picks // pages, and sitemaps
}

type picks struct {
	dated  []listEntry // the newest ones, less than 4·most
	spread []listEntry // every stride-th of the others, at most 4·most
	stride int
	seen   int
}

func newPicker(most int, now time.Time, fits func(url string) bool) *picker {
	return &picker{most: max(most, 1), now: now, mayName: fits}
}

// add considers an entry.
func (p *picker) add(e listEntry) {
	s := &p.of[0]
	if e.index {
		s = &p.of[1]
	}
	if len(e.loc) > maxField || hasScheme(e.loc) && !p.mayName(e.loc) {
		return
	}
	if !e.mod.IsZero() && e.mod.Before(p.now.Add(24*time.Hour)) {
		s.addDated(e, 2*p.most)
		return
	}
	s.addSpread(e, 4*p.most)
}

func hasScheme(loc string) bool { return len(loc) > 4 && loc[:4] == "http" }

// addDated keeps the newest entries; of equally new ones, the first.
func (s *picks) addDated(e listEntry, most int) {
	if s.dated = append(s.dated, e); len(s.dated) >= 2*most {
		s.newest(most)
	}
}

// newest puts the newest entries first, and drops all but that many.
func (s *picks) newest(most int) {
	slices.SortStableFunc(s.dated, func(a, b listEntry) int { return b.mod.Compare(a.mod) })
	if len(s.dated) > most {
		clear(s.dated[most:])
		s.dated = s.dated[:most]
	}
}

// addSpread keeps every stride-th entry; the stride doubles when there are too many.
func (s *picks) addSpread(e listEntry, most int) {
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

// picked returns the chosen pages, or sitemaps, newest first: up to 2·most of them, because some may be unusable.
func (p *picker) picked(index bool) []listEntry {
	s := &p.of[0]
	if index {
		s = &p.of[1]
	}
	s.newest(2 * p.most)
	list := slices.Clone(s.dated)
	room := 2*p.most - len(list)
	if n := len(s.spread); room > 0 && n > 0 {
		room = min(room, n)
		for _, first := range []int{0, 1} { // every second entry is a reserve
			for i := first; i < room; i += 2 {
				list = append(list, s.spread[i*n/room])
			}
		}
	}
	return list
}
