package contextgraph

import (
	"math/rand/v2"
	"slices"
)

// Layers sorts pages by their fewest links to a target, found backwards from the targets: element 0 holds the targets,
// element i the pages i links away, up to depth. Of a layer with more than most pages a random sample stays, and only its
// parents are looked for, as [CGS] §3.1 does. Numbers ascend. All layers but the first may be empty.
//
// The targets are searched from together, as [HMM] fig. 8 does it, so that a page is in one layer. [CGS] makes a graph a
// target and merges them, by which a page is in layer 1 for one target and in layer 3 for another; on the densely linked
// pages of a session the layers would hold much the same pages.
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
