package harvest

import (
	"math/rand/v2"
	"slices"
)

// Links of an article that can be a document.
const (
	fewestLinks = 16
	mostLinks   = 60
)

// drawDocuments draws n pages with fewestLinks to mostLinks links, all of them when there are no more.
func drawDocuments(links [][]int, n int, rng *rand.Rand) []int {
	var fit []int
	for page, to := range links {
		if len(to) >= fewestLinks && len(to) <= mostLinks {
			fit = append(fit, page)
		}
	}
	rng.Shuffle(len(fit), func(i, j int) { fit[i], fit[j] = fit[j], fit[i] })
	return fit[:min(n, len(fit))]
}

// half draws half of some pages, the larger one when their number is odd.
func half(pages []int, rng *rand.Rand) []int {
	all := slices.Clone(pages)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:(len(all)+1)/2]
}

// drawNegatives draws n different pages of a pool that are none of barred, all of them when there are no more.
func drawNegatives(pool []int, barred map[int]bool, n int, rng *rand.Rand) []int {
	var left []int
	for _, page := range pool {
		if !barred[page] {
			left = append(left, page)
		}
	}
	slices.Sort(left)
	left = slices.Compact(left)
	rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	return left[:min(n, len(left))]
}

// startPages are pages, followed by up to most pages that link to each, drawn at random. Barred pages are left out, and
// no page is there twice.
func startPages(pages []int, back [][]int, barred map[int]bool, most int, rng *rand.Rand) []int {
	starts := slices.Clone(pages)
	seen := make(map[int]bool)
	for _, page := range starts {
		seen[page] = true
	}
	for _, page := range pages {
		from := slices.DeleteFunc(slices.Clone(back[page]), func(p int) bool { return barred[p] })
		rng.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		for _, p := range from[:min(most, len(from))] {
			if !seen[p] {
				seen[p] = true
				starts = append(starts, p)
			}
		}
	}
	return starts
}

// setOf is the set of some pages.
func setOf(pages []int) map[int]bool {
	set := make(map[int]bool, len(pages))
	for _, p := range pages {
		set[p] = true
	}
	return set
}
