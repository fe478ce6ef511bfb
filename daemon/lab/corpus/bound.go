package corpus

import "slices"

// Bound is what no crawl can exceed: how many relevant pages it has after n pages at the most, at index n-1, up to the
// budget.
//
//	bound(n) = max_k min(n-k, |{relevant v: w(v) <= k}|)
//
// w(v) is the fewest pages that are not relevant on a way from a start page to v. Of n pages fetched, k are not relevant;
// the n-k others were reached by way of these k at most. The best crawl of all may still stay below it, since different
// pages may need different k pages.
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

// within is how many relevant pages can be reached by way of at most k pages that are not relevant, at index k.
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

// crossed is the fewest pages that are not good on a way from the start to each page, itself not counted; far without a
// way. Pages are taken ring by ring, a ring being those with the same number (a breadth-first search with lengths 0, 1).
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
		for _, page := range next { // some were reached by a shorter way meanwhile
			if crossed[page] == k+1 {
				ring = append(ring, page)
			}
		}
	}
	return crossed
}
