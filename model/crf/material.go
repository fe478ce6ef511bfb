package crf

import (
	"cmp"
	"context"
	"slices"
)

// material is a training set, prepared to be gone through many times. Paths share pages and links, so that equal sets of
// features, here called sights, are held once. A place is one page of one path.
type material struct {
	labels int
	paths  []path
	label  []int32 // of each place
	pages  sights
	links  sights
	steps  []int32 // y'·L + y of the steps between labels that occur, ascending
}

// path is a path's places: from, from+1 … from+n-1.
type path struct {
	from, n int
	count   float64
}

// sights are the different sets of features of pages, or of links, and the pairs of feature and label that occur.
type sights struct {
	features [][]int32
	of       []int32 // the sight at each place, -1 for none
	places   lists   // of each sight, ascending
	users    lists   // the sights that have each feature, ascending
	pairs    lists   // the labels met with each feature, ascending; their order is that of the weights
}

// lists are the lists all[start[i]:start[i+1]].
type lists struct{ start, all []int32 }

func (l *lists) at(i int) []int32 { return l.all[l.start[i]:l.start[i+1]] }

func (l *lists) len() int { return len(l.start) - 1 }

// newMaterial takes the paths in an order of their own, so that the order of set has no influence on rounding. The error is
// ctx.Err().
func newMaterial(ctx context.Context, set []Sequence, n size) (*material, error) {
	m := &material{labels: n.labels}
	var pages, links []Step
	step := map[int32]bool{}
	for _, s := range ordered(set) {
		m.paths = append(m.paths, path{from: len(m.label), n: len(s.Steps), count: s.Count})
		for t, y := range s.Labels {
			m.label = append(m.label, int32(y))
			pages = append(pages, s.Steps[t])
			if t == 0 {
				links = append(links, Step{})
				continue
			}
			links = append(links, s.Steps[t])
			step[int32(s.Labels[t-1]*n.labels+y)] = true
		}
	}
	for k := range step {
		m.steps = append(m.steps, k)
	}
	slices.Sort(m.steps)
	m.pages = newSights(ctx, len(pages), func(i int) []int32 { return pages[i].Page })
	m.links = newSights(ctx, len(links), func(i int) []int32 { return links[i].Link })
	m.pages.index(ctx, m.label, n.pages)
	m.links.index(ctx, m.label, n.links)
	return m, ctx.Err()
}

// ordered sorts paths by what they hold.
func ordered(set []Sequence) []*Sequence {
	in := make([]*Sequence, len(set))
	for i := range set {
		in[i] = &set[i]
	}
	slices.SortStableFunc(in, func(a, b *Sequence) int {
		if c := slices.Compare(a.Labels, b.Labels); c != 0 {
			return c
		}
		for t := range a.Steps {
			if c := slices.Compare(a.Steps[t].Page, b.Steps[t].Page); c != 0 {
				return c
			}
			if t == 0 {
				continue
			}
			if c := slices.Compare(a.Steps[t].Link, b.Steps[t].Link); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.Count, b.Count)
	})
	return in
}

// newSights collects the sets of features of n places, until ctx ends. A place without features has no sight.
func newSights(ctx context.Context, n int, features func(place int) []int32) sights {
	s := sights{of: make([]int32, n)}
	number := map[string]int32{}
	var key []byte
	for i := range n {
		set := features(i)
		if s.of[i] = -1; len(set) == 0 || ctx.Err() != nil {
			continue
		}
		key = key[:0]
		for _, f := range set {
			key = append(key, byte(f), byte(f>>8), byte(f>>16), byte(f>>24))
		}
		at, ok := number[string(key)]
		if !ok {
			at = int32(len(s.features))
			number[string(key)] = at
			s.features = append(s.features, set)
		}
		s.of[i] = at
	}
	return s
}

// index makes the lists, until ctx ends.
func (s *sights) index(ctx context.Context, label []int32, rows int) {
	places, seen := make([][]int32, len(s.features)), make([][]int32, len(s.features))
	for i, at := range s.of {
		if at < 0 {
			continue
		}
		places[at] = append(places[at], int32(i))
		if !slices.Contains(seen[at], label[i]) {
			seen[at] = append(seen[at], label[i])
		}
	}
	users, pairs := make([][]int32, rows), make([][]int32, rows)
	for at, set := range s.features {
		if ctx.Err() != nil {
			break
		}
		for _, f := range set {
			users[f] = append(users[f], int32(at))
			for _, y := range seen[at] {
				if !slices.Contains(pairs[f], y) {
					pairs[f] = append(pairs[f], y)
				}
			}
		}
	}
	for f := range pairs {
		slices.Sort(pairs[f])
	}
	s.places, s.users, s.pairs = join(places), join(users), join(pairs)
}

func join(parts [][]int32) lists {
	l := lists{start: make([]int32, 1, len(parts)+1), all: slices.Concat(parts...)}
	for _, p := range parts {
		l.start = append(l.start, l.start[len(l.start)-1]+int32(len(p)))
	}
	return l
}
