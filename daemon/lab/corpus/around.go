package corpus

import (
	"math/rand/v2"
	"slices"
)

// Around lists the pages of a recording that lead to a target, layer after layer, the targets first: layer i has the pages
// with a link to one of layer i-1, up to depth, at random most of them in a layer. It is the context graph of [HMM] §5.2.2,
// where a search engine's backlinks stand for the recording. Targets that the recording lacks are left out.
func (g Graph) Around(targets []string, depth, most int, seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 4))
	parents := make(map[string][]string)
	for from, links := range g {
		for _, e := range links {
			parents[e.to] = append(parents[e.to], from)
		}
	}
	var all, layer []string
	seen := make(map[string]bool)
	add := func(url string) {
		if _, known := g[url]; known && !seen[url] {
			seen[url] = true
			layer = append(layer, url)
		}
	}
	for _, url := range targets {
		add(url)
	}
	for l := 0; ; l++ {
		slices.Sort(layer) // maps have no order
		if l > 0 && len(layer) > most {
			rng.Shuffle(len(layer), func(i, j int) { layer[i], layer[j] = layer[j], layer[i] })
			layer = layer[:most]
		}
		all = append(all, layer...)
		before := layer
		layer = nil
		if l == depth || len(before) == 0 {
			return all
		}
		for _, url := range before {
			for _, from := range parents[url] {
				add(from)
			}
		}
	}
}

// Among lists the links between pages, as pairs of their numbers.
func (g Graph) Among(pages []string) (edges [][2]int) {
	number := make(map[string]int, len(pages))
	for i, url := range pages {
		number[url] = i
	}
	for i, url := range pages {
		for _, e := range g[url] {
			if to, known := number[e.to]; known && to != i {
				edges = append(edges, [2]int{i, to})
			}
		}
	}
	return edges
}
