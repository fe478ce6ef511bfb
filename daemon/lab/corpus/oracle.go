package corpus

import (
	"math"
	"slices"
)

// Oracle is the curve of a crawl that knows the web and what is relevant in it: how many relevant pages are fetched after
// n pages, at index n-1, up to the budget or until nothing relevant is left to reach.
//
// It is greedy. Again and again it goes the shortest way to the nearest relevant page that it has not fetched; among
// equally near ones to one whose parent, the last page on the way, links to the most such pages; then to the one that a
// breadth-first search meets first. The best crawl of all would be NP-hard to find; this one is a strong measure, not a
// bound: other crawls may beat it now and then.
func (w *Web) Oracle(relevant func(url string) bool, budget int) []int {
	curve := make([]int, 0, min(budget, len(w.urls)))
	found := 0
	for _, url := range w.OracleWay(relevant, budget) {
		if relevant(url) {
			found++
		}
		curve = append(curve, found)
	}
	return curve
}

// OracleWay are the final URLs of the pages that the crawl of Oracle fetches, in its order.
func (w *Web) OracleWay(relevant func(url string) bool, budget int) []string {
	o := newOracle(w, relevant)
	var urls []string
	for len(urls) < budget {
		target, parent := o.nearest()
		if target < 0 {
			break
		}
		for _, page := range append(o.way(parent), target) {
			if len(urls) == budget {
				break
			}
			o.fetch(page)
			urls = append(urls, w.urls[page])
		}
	}
	return urls
}

// oracle is the state of the greedy crawl.
type oracle struct {
	links   [][]int
	parents [][]int
	wanted  []bool // relevant and not fetched
	brings  []int  // wanted pages that a page links to
	away    []int  // fetches until a page is fetched, 0 when it is; far when there is no way
}

const far = math.MaxInt

func newOracle(w *Web, relevant func(url string) bool) *oracle {
	n := len(w.urls)
	o := &oracle{links: w.links, parents: make([][]int, n), wanted: make([]bool, n), brings: make([]int, n), away: make([]int, n)}
	for page, to := range w.links {
		for _, t := range to {
			o.parents[t] = append(o.parents[t], page)
		}
	}
	for page := range n {
		o.away[page] = far
		if page == root || !relevant(w.urls[page]) {
			continue
		}
		o.wanted[page] = true
		for _, p := range o.parents[page] {
			o.brings[p]++
		}
	}
	o.fetch(root)
	return o
}

// fetch takes a page, which brings the pages behind it nearer. A page comes nearer only so often, so all fetches
// together cost little more than one search.
func (o *oracle) fetch(page int) {
	if o.wanted[page] {
		o.wanted[page] = false
		for _, p := range o.parents[page] {
			o.brings[p]--
		}
	}
	o.away[page] = 0
	for queue := []int{page}; len(queue) > 0; queue = queue[1:] {
		for _, to := range o.links[queue[0]] {
			if d := o.away[queue[0]] + 1; d < o.away[to] {
				o.away[to] = d
				queue = append(queue, to)
			}
		}
	}
}

// nearest is the wanted page to go to and the page before it on the way; target is -1 when none can be reached.
func (o *oracle) nearest() (target, parent int) {
	target, parent = -1, -1
	for page, wanted := range o.wanted {
		if !wanted || o.away[page] == far || target >= 0 && o.away[page] > o.away[target] {
			continue
		}
		nearer := target < 0 || o.away[page] < o.away[target]
		for _, p := range o.parents[page] {
			if o.away[p] == o.away[page]-1 && (nearer || o.brings[p] > o.brings[parent]) {
				target, parent, nearer = page, p, false
			}
		}
	}
	return target, parent
}

// way lists the pages to fetch before and with a page, a shortest way. None of them is wanted: it would be nearer.
func (o *oracle) way(page int) []int {
	var back []int
	for o.away[page] > 0 {
		back = append(back, page)
		for _, p := range o.parents[page] {
			if o.away[p] == o.away[page]-1 {
				page = p
				break
			}
		}
	}
	slices.Reverse(back)
	return back
}
