package conceptset

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"

	"nightjar/model/internal/parallel"
)

// MaxKept is the recommended limit on the pairs that CandidatePairs keeps, in 10 bytes each.
const MaxKept = 20_000_000

// ErrTooManyPairs says that CandidatePairs found too many similar pairs to keep.
var ErrTooManyPairs = errors.New("too many pairs of pages are similar; raise the smallest similarity, or group fewer pages")

// Depth is the depth below which two concepts have an ancestor in common if their pages are to be compared. The groups of
// CandidatePairs are then the ancestor at depth Depth+1, or the concept itself if it is not as deep.
const Depth = 3

// Candidates are the similarities of those pairs of pages that were compared and are similar enough.
type Candidates struct{ rows []row }

// row are the pages similar to a page, ascending, and their similarity in steps.
type row struct {
	pages []int32
	steps []uint8
}

// CandidatePairs computes ζ for the pairs of pages that have a group in common, and keeps those of at least least, which
// should be a multiple of 1/Steps. It keeps at most `most` pairs. groups names the groups of a concept; at least one for each. With those that Depth
// describes, in a tree, all pairs with ζ > 6/7 are compared: concepts of different groups have at best the similarity of a
// concept at depth 3 and its child, 2·3/(3+4).
//
// progress and the errors are as in AllPairs; besides, ErrTooManyPairs says that there are more than `most` similar pairs.
func CandidatePairs(ctx context.Context, sets []Set, s Func, groups func(concept int) []int, least float64, most int64,
	progress func(done, of int)) (*Candidates, error) {
	c, err := compare(ctx, sets, s)
	if err != nil {
		return nil, err
	}
	members, of := grouped(sets, groups)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	found := make([]row, len(sets))
	var kept atomic.Int64
	err = parallel.EachUntil(ctx, len(sets), func(k int) {
		i := len(sets) - 1 - k // the longest first
		var t scratch
		for _, j := range before(i, of[i], members) {
			if z := step(c.zeta(&t, i, int(j))); float64(z)/Steps >= least {
				found[i].pages = append(found[i].pages, j)
				found[i].steps = append(found[i].steps, z)
			}
		}
		if kept.Add(int64(len(found[i].pages))) > most {
			stop(ErrTooManyPairs)
		}
	}, told(progress, len(sets)))
	if errors.Is(context.Cause(ctx), ErrTooManyPairs) {
		return nil, ErrTooManyPairs
	}
	if err != nil {
		return nil, err
	}
	return &Candidates{mirror(found)}, nil
}

// grouped gives the pages of each group, ascending, and the groups of each page.
func grouped(sets []Set, groups func(concept int) []int) (members map[int][]int32, of [][]int) {
	members, of = map[int][]int32{}, make([][]int, len(sets))
	for i, set := range sets {
		for _, c := range set {
			of[i] = append(of[i], groups(c.ID)...)
		}
		slices.Sort(of[i])
		of[i] = slices.Compact(of[i])
		for _, g := range of[i] {
			members[g] = append(members[g], int32(i))
		}
	}
	return members, of
}

// before gives the pages before page i that share a group with it, each once.
func before(i int, groups []int, members map[int][]int32) []int32 {
	var pages []int32
	for _, g := range groups {
		all := members[g]
		end, _ := slices.BinarySearch(all, int32(i))
		pages = append(pages, all[:end]...)
	}
	if len(groups) > 1 {
		slices.Sort(pages)
		pages = slices.Compact(pages)
	}
	return pages
}

// mirror makes rows of all similar pages out of rows of those before the page.
func mirror(found []row) []row {
	rows := make([]row, len(found))
	for i, r := range found {
		rows[i].pages = append(rows[i].pages, r.pages...)
		rows[i].steps = append(rows[i].steps, r.steps...)
		for k, j := range r.pages { // page i comes behind all that rows[j] has so far
			rows[j].pages = append(rows[j].pages, int32(i))
			rows[j].steps = append(rows[j].steps, r.steps[k])
		}
	}
	return rows
}

// Near gives the pages that are similar to page i, in ascending order, with ζ rounded down to a multiple of 1/Steps.
func (c *Candidates) Near(i int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		r := c.rows[i]
		for k, j := range r.pages {
			if !yield(int(j), float64(r.steps[k])/Steps) {
				return
			}
		}
	}
}
