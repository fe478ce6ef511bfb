package explore

import (
	"slices"
	"sync"
	"sync/atomic"

	"nightjar/model/conceptset"
)

// mostQuick is the number of concepts whose similarities quick keeps, in 288 MB.
const mostQuick = 12_000

// quick keeps what s gives, each at its first use, when the sets have so many concepts that conceptset does not. Without that,
// most of the time would go into walks over WordNet. Of more than mostQuick concepts, it keeps those of the rarer ones not.
func quick(s conceptset.Func, sets []conceptset.Set) conceptset.Func {
	return quickly(s, sets, conceptset.MaxMatrix, mostQuick)
}

func quickly(s conceptset.Func, sets []conceptset.Set, enough, most int) conceptset.Func {
	var pages []int // with the concept
	n := 0
	for _, set := range sets {
		for _, c := range set {
			for len(pages) <= c.ID {
				pages = append(pages, 0)
			}
			if pages[c.ID]++; pages[c.ID] == 1 {
				n++
			}
		}
	}
	if n <= enough {
		return s
	}
	order := make([]int, len(pages))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return pages[b] - pages[a] })
	kept := min(n, most)
	row := make([]int, len(pages)) // in the table; at least kept for a concept that is not in it
	for r, c := range order {
		row[c] = r
	}
	t := table{cells: make([]atomic.Uint32, (kept*(kept+1)/2+1)/2), place: map[float64]uint16{}}
	t.values.Store(&[]float64{0})
	return func(a, b int) float64 {
		i, j := row[a], row[b]
		if i < j {
			i, j = j, i
		}
		if i >= kept {
			return s(a, b)
		}
		at := i*(i+1)/2 + j
		if v, ok := t.get(at); ok {
			return v
		}
		v := s(a, b)
		t.put(at, v)
		return v
	}
}

// table keeps numbers of which there are few different ones, as fractions of small whole numbers are: two cells of 16 bits in
// one number. A cell is 0 until it is known. It may be used concurrently.
type table struct {
	cells  []atomic.Uint32
	values atomic.Pointer[[]float64] // of cells; the first is of none

	mu    sync.Mutex
	place map[float64]uint16 // in values
}

func (t *table) get(at int) (float64, bool) {
	cell := uint16(t.cells[at/2].Load() >> (at % 2 * 16))
	if cell == 0 {
		return 0, false
	}
	return (*t.values.Load())[cell], true
}

func (t *table) put(at int, v float64) {
	t.mu.Lock()
	cell, ok := t.place[v]
	if !ok {
		values := *t.values.Load()
		if len(values) == 1<<16 {
			t.mu.Unlock()
			return // it is computed again each time
		}
		cell = uint16(len(values))
		t.place[v] = cell
		values = append(slices.Clone(values), v)
		t.values.Store(&values)
	}
	t.mu.Unlock()
	t.cells[at/2].Or(uint32(cell) << (at % 2 * 16))
}
