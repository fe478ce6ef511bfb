package corpus

import (
	"math"
	"slices"
)

// Oracle is the curve of a crawl that knows the web graph and the relevant pages: the number of relevant pages after n
// pages, at index n-1, up to the budget or until no more relevant page can be reached.
//
// The crawl is greedy: it repeatedly takes a shortest path to the nearest relevant page that is not fetched. Of equally near
// pages it prefers one whose parent, the page before it on the path, links to the most such pages, then the first in
// breadth-first order. The best crawl is NP-hard to find; this one is a good measure but not a bound: others may beat it.
func (w *Web) Oracle(relevant func(url string) bool, budget int) []int {
	return Curve(w.OracleWay(relevant, budget), relevant)
}

// Curve is the number of relevant pages after n pages of a crawl, at index n-1.
func Curve(way []string, relevant func(url string) bool) []int {
	curve := make([]int, 0, len(way))
	found := 0
	for _, url := range way {
		if relevant(url) {
			found++
		}
		curve = append(curve, found)
	}
	return curve
}

// OracleWay lists the final URLs of the pages that Oracle's crawl fetches, in order.
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
	brings  []int  // number of wanted pages that a page links to
	away    []int  // links from the fetched pages to a page; far without a path
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

// fetch fetches a page and updates the distances. Distances only shrink, so all fetches together cost little more than one
// search.
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

// nearest is the next wanted page and the page before it on the path; target is -1 when none can be reached.
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

// way lists the unfetched pages of a shortest path to a page, with the page. None of them is wanted, since it would be
// nearer.
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
