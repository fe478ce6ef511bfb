package trainer

import (
	"slices"

	"nightjar/crawler/page"
	"nightjar/model/ways"
)

// shortest returns the shortest way from a start page of the sessions to each useful page, along the links of the graph
// whether or not the person followed them. It leaves out start pages themselves, and ways that are among the walked ones.
func (c *collector) shortest(walked []way) []way {
	known := map[string]bool{}
	for _, one := range walked {
		if one.positive {
			known[c.key(one.stops)] = true
		}
	}
	before := c.search(entries(c.graph, c.recs))
	var all []way
	for target, p := range c.graph.Pages {
		if !p.Target || before[target] < 0 || before[target] == target {
			continue
		}
		route := []int{target}
		for at := target; before[at] != at; {
			at = before[at]
			route = append(route, at)
		}
		slices.Reverse(route)
		stops := c.along(route)
		stops = stops[max(0, len(stops)-ways.MaxSteps):]
		if !known[c.key(stops)] {
			all = append(all, way{kind: ways.Graph, positive: true, root: c.rootOf(route[0]), count: 1, stops: stops})
		}
	}
	return all
}

// search returns for each page of the graph the page before it on the shortest way from the nearest start page: itself
// for a start page, -1 for a page that no way leads to.
func (c *collector) search(starts []int) []int {
	next := make([][]int, len(c.graph.Pages))
	for _, e := range c.graph.Edges {
		next[e[0]] = append(next[e[0]], e[1])
	}
	before := slices.Repeat([]int{-1}, len(next))
	queue := slices.Clone(starts)
	for _, at := range starts {
		before[at] = at
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, to := range next[queue[0]] {
			if before[to] < 0 {
				before[to] = queue[0]
				queue = append(queue, to)
			}
		}
	}
	return before
}

// along returns the stops of a way through pages of the graph. Of the snapshots of a page it uses the last one that shows
// the link to the next page.
func (c *collector) along(route []int) []stop {
	stops := make([]stop, len(route))
	for i, at := range route {
		stops[i] = stop{at: at, page: last(c.contents[at]), link: -1}
	}
	for i := range route[1:] {
		for _, l := range c.graph.Pages[route[i]].Links {
			if l.To != route[i+1] {
				continue
			}
			stops[i].page, stops[i+1].link = lastWith(c.contents[route[i]], l.URL, stops[i].page)
		}
	}
	return stops
}

// lastWith returns the last of the snapshots with a link to an address and the index of the link, or other and -1.
func lastWith(snapshots []*page.Page, address string, other *page.Page) (p *page.Page, link int) {
	for _, p := range slices.Backward(snapshots) {
		if i := linkTo(p, address); i >= 0 {
			return p, i
		}
	}
	return other, -1
}

func last(snapshots []*page.Page) *page.Page {
	if len(snapshots) == 0 {
		return nil
	}
	return snapshots[len(snapshots)-1]
}

// rootOf returns the URL of the tree that a start page begins.
func (c *collector) rootOf(at int) string {
	if root := c.roots[at]; root != "" {
		return root
	}
	return c.graph.Pages[at].URL
}
