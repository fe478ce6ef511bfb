package pages

import (
	"maps"
	"slices"

	"nightjar/daemon/web/frame"
)

// termsOpen is the number of terms up to which all of a tree are in view at once.
const termsOpen = 40

// termTree lists the terms of the ontology, those with pages, each with those below it. The way to the chosen term is open.
// Of a large ontology it lists the terms next to the root and to the chosen one.
func (d *digest) termTree(p explorePlace) []treeNode {
	chosen := -1
	if at, known := d.tree.ByKey(p.term); known && p.term != "" {
		chosen = at
	}
	open := map[int]bool{0: true}
	if chosen >= 0 {
		for _, at := range d.tree.Above(chosen) {
			open[at] = true
		}
	}
	listed, more := d.listed(open)
	if len(listed) <= termsOpen {
		open = listed
	}
	return []treeNode{d.termNode(p, 0, chosen, open, listed, more)}
}

// listed chooses the terms that are listed: those on the open way and next to it first, then those below them, level by
// level. more counts the terms below each that have pages and are not listed.
func (d *digest) listed(open map[int]bool) (listed map[int]bool, more map[int]int) {
	listed, more = map[int]bool{0: true}, map[int]int{}
	budget := treeBudget
	add := func(at int) (children []int) {
		for _, child := range d.tree.Children(at) {
			switch {
			case d.below[child] == 0 && !open[child] || listed[child]:
			case budget > 0 || open[child]:
				budget--
				listed[child] = true
				children = append(children, child)
			default:
				more[at]++
			}
		}
		return children
	}
	var queue []int
	for _, at := range slices.Sorted(maps.Keys(open)) {
		queue = append(queue, add(at)...)
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if !open[at] {
			queue = append(queue, add(at)...)
		}
	}
	return listed, more
}

func (d *digest) termNode(p explorePlace, at, chosen int, open, listed map[int]bool, more map[int]int) treeNode {
	n := treeNode{Href: p.about(d.tree.Term(at).Key).href(), Name: frame.Printable(d.tree.Label(at)), Pages: d.below[at], Now: at == chosen,
		Open: open[at], More: more[at]}
	n.Next = n.Href
	for _, child := range d.tree.Children(at) {
		if listed[child] {
			n.Below = append(n.Below, d.termNode(p, child, chosen, open, listed, more))
		}
	}
	return n
}

// conceptList lists concepts when there is no ontology, those with the most pages first.
func (d *digest) conceptList(p explorePlace) (all []treeNode, next, before string) {
	first, end, before, next := frame.Window(p.concepts, len(d.found), conceptsEach, func(from int) string {
		part := p
		part.concepts = from
		return part.href()
	})
	for _, c := range d.found[first:end] {
		all = append(all, treeNode{Href: p.about(c.Key).href(), Name: frame.Printable(c.Name), Pages: c.Pages, Now: c.Key == p.term})
	}
	return all, next, before
}
