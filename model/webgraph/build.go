package webgraph

import (
	"slices"
)

// Build returns the web graph of loads, which are in the order in which they happened ([HMM] §2.1).
//
//   - A page is a visited URL. When it is visited again, it keeps its place, and gets the last text and the union of its
//     links.
//   - There is an edge u -> v when the HTML of u links to v or to an alias of v, whether or not the link was followed. There
//     is one, too, when a link from u to v was followed that the HTML lacks. Going back or typing an address makes none.
//   - A frameset is not a page, but its frames are. A link to the frameset is a link to each of them, and a mark on it marks
//     them all.
//   - An iframe is a page only when it is of the same site as the page around it and has real text. Otherwise a mark on it,
//     and a link followed from it, belong to the page around it.
//
// An alias that is also the URL of a visited page means that page; one claimed by several pages means the last of them.
func Build(loads []Load) *Graph {
	b := &builder{
		frames: newFrames(loads),
		graph:  &Graph{ByLoad: make(map[string][]int, len(loads))},
		index:  map[string]int{},
		alias:  map[string]string{},
		edges:  map[[2]int]bool{},
	}
	for i := range loads {
		b.addLoad(&loads[i])
	}
	for i := range loads {
		b.place(&loads[i])
	}
	for from := range b.graph.Pages {
		b.linkPage(from)
	}
	for i := range loads {
		b.followedEdge(&loads[i])
	}
	for e := range b.edges {
		b.graph.Edges = append(b.graph.Edges, e)
	}
	slices.SortFunc(b.graph.Edges, func(x, y [2]int) int { return slices.Compare(x[:], y[:]) })
	return b.graph
}

// builder holds what Build has found so far.
type builder struct {
	frames *frames
	graph  *Graph
	index  map[string]int    // URL of a page -> its place in graph.Pages
	alias  map[string]string // address -> URL, or frameset, that it led to
	edges  map[[2]int]bool   // the edges found
	links  [][]Link          // of each page of the graph, over all its loads
}

// addLoad adds the load's page, or what is new of it.
func (b *builder) addLoad(l *Load) {
	if !b.frames.admitted(l) {
		return
	}
	for _, a := range l.Aliases {
		if a != "" && a != l.URL {
			b.alias[a] = l.URL
		}
	}
	if pages := b.frames.expand(l.URL); len(pages) != 1 || pages[0] != l.URL {
		return // a frameset; its frames have loads of their own
	}
	i, ok := b.index[l.URL]
	if !ok {
		i = len(b.graph.Pages)
		b.index[l.URL] = i
		b.graph.Pages = append(b.graph.Pages, Node{URL: l.URL})
		b.links = append(b.links, nil)
	}
	n := &b.graph.Pages[i]
	n.Loads = append(n.Loads, l.ID)
	if l.Title != "" {
		n.Title = l.Title
	}
	if l.Text != "" {
		n.Text, n.Declared = l.Text, l.Declared
	}
	b.links[i] = append(b.links[i], l.Links...)
}

// place notes which pages stand for the load, and marks them when it is marked.
func (b *builder) place(l *Load) {
	at := l
	if !b.frames.admitted(l) {
		if holder, _ := b.frames.holder(l); holder != nil {
			at = holder
		}
	}
	pages := b.pagesOf(at.URL)
	if len(pages) == 0 {
		return
	}
	b.graph.ByLoad[l.ID] = pages
	if l.Target {
		for _, i := range pages {
			b.graph.Pages[i].Target = true
		}
	}
}

// pagesOf finds the pages an address leads to: none when it was not visited, several for a frameset. The answer is in
// order of appearance.
func (b *builder) pagesOf(address string) []int {
	var out []int
	_, page := b.index[address]
	_, frameset := b.frames.children[address]
	if !page && !frameset {
		address = b.alias[address]
	}
	for _, u := range b.frames.expand(address) {
		if i, ok := b.index[u]; ok {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

// linkPage resolves a page's hyperlinks, and adds an edge for each to a visited page.
func (b *builder) linkPage(from int) {
	l := linkList{page: map[int]int{}, address: map[string]int{}}
	for _, link := range b.links[from] {
		pages := b.pagesOf(link.URL)
		if len(pages) == 0 {
			add(&l, l.address, link.URL, NodeLink{To: -1, Link: link})
		}
		for _, to := range pages {
			if to != from {
				add(&l, l.page, to, NodeLink{To: to, Link: link})
				b.addEdge(from, to)
			}
		}
	}
	b.graph.Pages[from].Links = l.links
}

// linkList is a page's hyperlinks, one for each place they lead to.
type linkList struct {
	links   []NodeLink
	page    map[int]int    // visited page -> its place in links
	address map[string]int // address that was not visited -> its place in links
}

// add appends a link to what key names in the index, or joins it with an earlier one.
func add[K comparable](l *linkList, index map[K]int, key K, link NodeLink) {
	i, known := index[key]
	if !known {
		index[key] = len(l.links)
		l.links = append(l.links, link)
		return
	}
	if l.links[i].Anchor == "" && link.Anchor != "" {
		l.links[i] = link
	}
}

// followedEdge adds the link that was followed to the load, when the HTML lacks it. From a frameset nobody knows which
// frame held a link that none of them shows, so it is added to each.
func (b *builder) followedEdge(l *Load) {
	if l.From == "" || !b.frames.admitted(l) {
		return
	}
	from := b.graph.ByLoad[l.From]
	for _, to := range b.graph.ByLoad[l.ID] {
		known := slices.ContainsFunc(from, func(i int) bool { return b.edges[[2]int{i, to}] })
		if known {
			continue
		}
		for _, i := range from {
			b.addEdge(i, to)
		}
	}
}

func (b *builder) addEdge(from, to int) {
	if from != to {
		b.edges[[2]int{from, to}] = true
	}
}
