package corpus

import "slices"

// Bound is an upper bound of every crawl: the largest possible number of relevant pages after n pages, at index n-1.
//
//	bound(n) = max_k min(n-k, |{relevant v: w(v) <= k}|)
//
// w(v) is the smallest number of other (not relevant) pages on a path from a start page to v. When k of n fetched pages are
// not relevant, the n-k others were reached through at most these k. The best crawl may stay below the bound, since
// different pages may need different k pages.
func (w *Web) Bound(relevant func(url string) bool, budget int) []int {
	within := w.within(relevant)
	bound := make([]int, budget)
	for i := range bound {
		for k := range min(i+1, len(within)) {
			bound[i] = max(bound[i], min(i+1-k, within[k]))
		}
	}
	return bound
}

// within is the number of relevant pages that can be reached through at most k other pages, at index k.
func (w *Web) within(relevant func(url string) bool) []int {
	good := make([]bool, len(w.urls))
	for page := root + 1; page < len(w.urls); page++ {
		good[page] = relevant(w.urls[page])
	}
	var within []int
	for page, crossed := range w.crossed(good) {
		if !good[page] || crossed == far {
			continue
		}
		for len(within) <= crossed {
			within = append(within, 0)
		}
		within[crossed]++
	}
	for k := 1; k < len(within); k++ {
		within[k] += within[k-1]
	}
	return within
}

// crossed is the smallest number of pages that are not good on a path from the start to each page, itself not counted; far
// without a path (a breadth-first search with lengths 0 and 1; a ring holds the pages with the same number).
func (w *Web) crossed(good []bool) []int {
	crossed := slices.Repeat([]int{far}, len(w.urls))
	crossed[root] = 0
	ring := []int{root}
	for k := 0; len(ring) > 0; k++ {
		var next []int
		for len(ring) > 0 {
			page := ring[len(ring)-1]
			ring = ring[:len(ring)-1]
			length := 1
			if page == root || good[page] {
				length = 0
			}
			for _, to := range w.links[page] {
				switch {
				case crossed[to] <= k+length:
				case length == 0:
					crossed[to] = k
					ring = append(ring, to)
				default:
					crossed[to] = k + 1
					next = append(next, to)
				}
			}
		}
		for _, page := range next { // some have been reached by a shorter path
			if crossed[page] == k+1 {
				ring = append(ring, page)
			}
		}
	}
	return crossed
}
