package contextgraph

import (
	"math/rand/v2"
	"slices"
)

// Layers sorts pages by the number of links to the nearest target, with a breadth-first search backwards from the targets:
// element 0 holds the targets, element i the pages i links away, up to depth. A layer with more than most pages is reduced
// to a random sample, and the search goes on from the sample only, as in [CGS] §3.1. Page numbers ascend within a layer.
// All layers but the first may be empty.
//
// One search starts from all targets, as in [HMM] fig. 8, so that a page is in one layer only. [CGS] makes a graph for each
// target and merges them: a page may be in layer 1 for one target and in layer 3 for another. On the densely linked pages
// of a session those layers would hold much the same pages.
func Layers(edges [][2]int, target []bool, depth, most int, rng *rand.Rand) [][]int {
	parents := make([][]int, len(target))
	for _, e := range edges {
		parents[e[1]] = append(parents[e[1]], e[0])
	}
	seen := make([]bool, len(target))
	layers := make([][]int, depth+1)
	for i, t := range target {
		if seen[i] = t; t {
			layers[0] = append(layers[0], i)
		}
	}
	for l := range layers {
		layers[l] = sample(layers[l], most, rng)
		if l == depth {
			break
		}
		for _, v := range layers[l] {
			for _, u := range parents[v] {
				if !seen[u] {
					seen[u] = true
					layers[l+1] = append(layers[l+1], u)
				}
			}
		}
	}
	return layers
}

// sample keeps at most so many pages, in ascending order.
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
