package community

import (
	"cmp"
	"slices"
)

// Keep lists the pages that are left when the given share of them, in [0, 1], is dropped: those with the lowest scores
// ([PANORAMA] §3.5 drops a quarter). Of equal scores, pages fetched earlier are kept. The number dropped is rounded
// down. The pages are in the order of their fetching.
func Keep(scores []float64, share float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	kept := order[:len(order)-int(share*float64(len(order)))]
	slices.Sort(kept)
	return kept
}
