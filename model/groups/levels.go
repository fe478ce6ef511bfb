package groups

import (
	"context"

	"nightjar/model/spherical"
	"nightjar/model/tfidf"
)

const (
	deepest = 3              // levels, at most
	splits  = 24             // least pages of a group that is divided further
	most    = 4000           // pages that are grouped at once
	outside = spherical.None // the group of a page that nothing describes
)

// Level is the groups at a depth: those of the level before, divided.
type Level struct {
	Depth   int   // from 1
	Cluster []int // of each page: its group, or -1
	Sizes   []int // pages of each group, at least 1
	Parent  []int // of each group, the one of the next level that holds its pages; nil at the last level
}

// Levels groups the pages: first all, then the pages of each group of 24 and more, up to three times. Each division is by spherical
// k-means into the two to eight groups with the largest silhouette. The finest level comes first, that of depth 1 last. With more
// than 4,000 pages, the groups are found on the first of them, and the others join the nearest.
func (s *Set) Levels(ctx context.Context, seed uint64, progress func(done, of int)) ([]Level, error) {
	all := make([]int, 0, len(s.vectors))
	for i := range s.vectors {
		if s.Describable(i) {
			all = append(all, i)
		}
	}
	groups := [][]int{all}
	var levels []Level
	for depth := 1; depth <= deepest; depth++ {
		var next [][]int
		var parent []int
		divided := false
		for g, pages := range groups {
			progress((depth-1)*len(all)+sizeOf(next), deepest*len(all))
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			parts := [][]int{pages}
			if depth == 1 || len(pages) >= splits {
				parts = s.divide(pages, seed)
			}
			divided = divided || len(parts) > 1
			for range parts {
				parent = append(parent, g)
			}
			next = append(next, parts...)
		}
		if depth > 1 && !divided {
			break
		}
		l := Level{Depth: depth, Cluster: make([]int, len(s.vectors)), Sizes: make([]int, len(next))}
		for i := range l.Cluster {
			l.Cluster[i] = outside
		}
		for c, pages := range next {
			l.Sizes[c] = len(pages)
			for _, i := range pages {
				l.Cluster[i] = c
			}
		}
		if depth > 1 {
			l.Parent = parent
		}
		levels, groups = append([]Level{l}, levels...), next
	}
	return levels, nil
}

func sizeOf(groups [][]int) (n int) {
	for _, g := range groups {
		n += len(g)
	}
	return n
}

// divide divides pages, or gives them as they are.
func (s *Set) divide(pages []int, seed uint64) [][]int {
	if len(pages) == 0 {
		return nil
	}
	rows := make([]tfidf.Vector, len(pages))
	for i, p := range pages {
		rows[i] = s.vectors[p]
	}
	first := rows[:min(len(rows), most)]
	found := spherical.Auto(first, s.columns, seed)
	assign := found.Assign
	if len(rows) > len(first) {
		near := spherical.Similarities(rows[len(first):], found.Centres(first, s.columns))
		for i := range rows[len(first):] {
			best := 0
			for k := range near {
				if near[k][i] > near[best][i] {
					best = k
				}
			}
			assign = append(assign, best)
		}
	}
	parts := make([][]int, len(found.Sizes))
	for i, k := range assign {
		parts[k] = append(parts[k], pages[i])
	}
	return parts
}
