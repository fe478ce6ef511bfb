package conceptset

import (
	"context"
	"slices"

	"nightjar/model/internal/parallel"
)

// MaxMatrix is how many different concepts the pages may have for their similarities to be computed once and kept, in up to
// 67 MB. With more of them, S is called for each pair of concepts of each pair of pages.
const MaxMatrix = 4096

// compared are sets in which each ID is a place in a list of the concepts that occur.
type compared struct {
	sets   []Set
	s      Func      // of places, when there is no matrix
	matrix []float64 // lower triangle with the diagonal; nil with more than MaxMatrix concepts
}

func compare(ctx context.Context, sets []Set, s Func) (*compared, error) {
	var ids []int
	for _, set := range sets {
		for _, c := range set {
			ids = append(ids, c.ID)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	place := make(map[int]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	c := &compared{sets: make([]Set, len(sets)), s: func(a, b int) float64 { return s(ids[a], ids[b]) }}
	for i, set := range sets {
		c.sets[i] = slices.Clone(set)
		for k := range set {
			c.sets[i][k].ID = place[set[k].ID] // keeps the order
		}
	}
	if len(ids) > MaxMatrix {
		return c, nil
	}
	c.matrix = make([]float64, len(ids)*(len(ids)+1)/2)
	return c, parallel.EachUntil(ctx, len(ids), func(i int) {
		row := c.matrix[i*(i+1)/2:]
		for j := 0; j <= i; j++ {
			row[j] = c.s(i, j)
		}
	}, nil)
}

// zeta is ζ of two sets by their places.
func (c *compared) zeta(t *scratch, i, j int) float64 {
	a, b := c.sets[i], c.sets[j]
	if c.matrix == nil {
		return t.zeta(a, b, func(i, j int) float64 { return c.s(a[i].ID, b[j].ID) })
	}
	return t.zeta(a, b, func(i, j int) float64 {
		x, y := a[i].ID, b[j].ID
		if x < y {
			x, y = y, x
		}
		return c.matrix[x*(x+1)/2+y]
	})
}
