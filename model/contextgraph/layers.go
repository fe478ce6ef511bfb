package contextgraph

import (
	"math/rand/v2"
	"slices"
)

// Layers makes a context graph for each target and merges them, as in [CGS] §3.1: a breadth-first search backwards from the
// target, whose layer i holds the pages that are i links away, up to depth. Layer i of the result holds those of all
// graphs, ascending, so that a page which leads to two targets is there twice, and a page may be in layer 1 for one target and
// in layer 3 for another. A layer of a graph with more than most pages is reduced to a random sample, and the search goes on
// from the sample only. All layers but the first may be empty.
//
// [HMM] fig. 8 has one graph for all targets, in which a page is in one layer only.
func Layers(edges [][2]int, target []bool, depth, most int, rng *rand.Rand) [][]int {
	parents := make([][]int, len(target))
	for _, e := range edges {
		parents[e[1]] = append(parents[e[1]], e[0])
	}
	merged := make([][]int, depth+1)
	seen := make([]int, len(target)) // the last target, counted from 1, whose search met the page
	for t, is := range target {
		if !is {
			continue
		}
		seen[t] = t + 1
		for l, layer := 0, []int{t}; l <= depth; l++ {
			layer = sample(layer, most, rng)
			merged[l] = append(merged[l], layer...)
			var next []int
			for _, v := range layer {
				for _, u := range parents[v] {
					if seen[u] != t+1 {
						seen[u] = t + 1
						next = append(next, u)
					}
				}
			}
			layer = next
		}
	}
	for _, layer := range merged {
		slices.Sort(layer)
	}
	return merged
}

// sample keeps at most `most` pages, in ascending order.
func sample(pages []int, most int, rng *rand.Rand) []int {
	slices.Sort(pages)
	if len(pages) <= most {
		return pages
	}
	rng.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	pages = pages[:most]
	slices.Sort(pages)
	return pages
}
