package session

import (
	"slices"

	"nightjar/crawler/page"
	"nightjar/daemon/browse/protocol"
	"nightjar/model/webgraph"
)

// Node is a page load in the forest of a session's visits. The frames of a frameset stand for it; an iframe is a node
// only when it is a page of the web graph.
type Node struct {
	Load      string
	At        int        // index of its page in the web graph
	Page      *page.Page // of the last snapshot, nil without one
	Parent    int        // index of the node whose link was followed, or that holds the iframe; -1 when a tree begins
	Link      int        // index of that link in the parent's Page.Links, -1 when the snapshot has no such link
	Root      string     // URL of the page, or frameset, with which the tree began
	NotUseful bool       // the last mark of the page says Not useful

	// Screen is the index of the first of the nodes that are shown together: the frames with which a frameset was loaded,
	// or a page and its iframes. Most nodes have one of their own.
	Screen int

	// Leaf says that no link of the node's screen was followed and that the person left it: by Back, by closing the tab,
	// or by going elsewhere. The page on which the session ended is no leaf, and neither is an iframe. A page was not left
	// either when a form of it was sent, or when it was reloaded: the person went on, although in another tree.
	Leaf bool
}

// Forest returns the pages of a session as trees, in order of their loads, so that a parent comes before its children.
// A page hangs on the page whose link was followed, in the same tab or in a new one; the event names it, even after
// Back, which makes no node of its own. A page that was typed, bookmarked, reloaded or reached by a form begins a tree,
// and so does one whose page before is not recorded.
//
// A frame that the frameset names takes the frameset's place. Another one was opened from a frame beside it, and hangs
// on the last one that links to it.
//
// g is the web graph of the session, or of several with this one among them. It says which loads are pages.
func (r *Session) Forest(g *webgraph.Graph) []Node {
	f := &forest{graph: g, visits: map[string]*parsed{}, own: map[string]int{}, nodes: map[string]int{}, used: map[int]bool{}}
	for at := range g.Pages {
		for _, load := range g.Pages[at].Loads {
			f.own[load] = at
		}
	}
	for _, p := range r.parse() {
		f.visits[p.Load] = p
		if at, ok := f.own[p.Load]; ok {
			f.nodes[p.Load] = len(f.all)
			f.all = append(f.all, f.node(p, at))
		}
	}
	f.markLeaves(r.End)
	return f.all
}

// forest is a forest that is being made.
type forest struct {
	graph  *webgraph.Graph
	visits map[string]*parsed // loads so far, by ID
	own    map[string]int     // loads that are pages of the graph -> index of the page
	nodes  map[string]int     // loads so far that are nodes -> index in all
	used   map[int]bool       // screens from which the person went on
	all    []Node
}

func (f *forest) node(p *parsed, at int) Node {
	n := Node{Load: p.Load, At: at, Page: p.page, Parent: -1, Link: -1, Root: p.URL, NotUseful: p.NotUseful, Screen: len(f.all)}
	opened := p // the load that a link led to: the page, or the frameset in whose place it stands
	for range len(f.visits) {
		holder := f.visits[opened.Parent]
		if holder == nil {
			break
		}
		if i := f.standsFor(holder); i >= 0 {
			n.Parent, n.Root, n.Screen = i, f.all[i].Root, f.all[i].Screen
			return n
		}
		if from := f.besides(opened, holder); from >= 0 {
			f.hang(&n, from, opened)
			return n
		}
		opened = holder
	}
	n.Root = f.graph.Pages[at].URL
	if opened != p {
		n.Root = opened.URL
		n.Screen = f.screenOf(opened, n.Screen)
	}
	switch opened.How {
	case protocol.HowLink, protocol.HowNewTab:
		if from := f.from(opened); from >= 0 {
			f.hang(&n, from, opened)
		}
	case protocol.HowForm:
		if from := f.from(opened); from >= 0 {
			f.used[f.all[from].Screen] = true
		}
	case protocol.HowReload:
		f.useLast(opened)
	}
	return n
}

// useLast notes that the person went on from the last load of a page that is loaded again.
func (f *forest) useLast(again *parsed) {
	for i := len(f.all) - 1; i >= 0; i-- {
		top := f.top(f.all[i].Load)
		if top != again.Load && f.visits[top].URL == again.URL {
			f.used[f.all[i].Screen] = true
			return
		}
	}
}

// hang makes a node the child of another one, whose link led to the load opened.
func (f *forest) hang(n *Node, parent int, opened *parsed) {
	from := f.all[parent]
	n.Parent, n.Root = parent, from.Root
	n.Link = f.linkTo(from, opened, n.At)
}

// linkTo returns the index of the link of a node's page that leads to a load, whose page has the index at in the graph.
func (f *forest) linkTo(from Node, opened *parsed, at int) int {
	if i := indexOfLink(from.Page, opened.Requested, opened.URL); i >= 0 {
		return i
	}
	for _, l := range f.graph.Pages[from.At].Links {
		if l.To == at {
			return indexOfLink(from.Page, l.URL)
		}
	}
	return -1
}

// indexOfLink returns the index of a page's link to the first of the addresses that it links to, or -1.
func indexOfLink(p *page.Page, addresses ...string) int {
	for _, address := range addresses {
		if p == nil || address == "" {
			continue
		}
		if i := slices.IndexFunc(p.Links, func(l page.Link) bool { return l.URL == address }); i >= 0 {
			return i
		}
	}
	return -1
}

// from returns the node whose link led to a load, or -1 when it is not recorded. Of a frameset it is the last frame that
// shows the link, or else the last frame.
func (f *forest) from(opened *parsed) int {
	before := f.visits[opened.From]
	if before == nil {
		return -1
	}
	if _, ok := f.nodes[before.Load]; ok || before.Kind == protocol.KindIframe {
		return f.standsFor(before)
	}
	last := -1
	for i := len(f.all) - 1; i >= 0; i-- {
		if !f.inside(f.all[i].Load, before.Load) {
			continue
		}
		if indexOfLink(f.all[i].Page, opened.Requested, opened.URL) >= 0 {
			return i
		}
		last = max(last, i)
	}
	return last
}

// standsFor returns the node of a load, or of the page around an iframe that is no node; -1 for none.
func (f *forest) standsFor(p *parsed) int {
	for range len(f.visits) { // data may claim that frames hold each other in a circle
		if i, ok := f.nodes[p.Load]; ok {
			return i
		}
		if p = f.visits[p.Parent]; p == nil {
			return -1
		}
	}
	return -1
}

// inside reports whether a load is in a frameset, or in a frameset inside it.
func (f *forest) inside(load, frameset string) bool {
	for range len(f.visits) {
		p := f.visits[load]
		if p == nil || p.Parent == "" {
			return false
		}
		if p.Parent == frameset {
			return true
		}
		load = p.Parent
	}
	return false
}

// besides returns the node from which the person opened a frame: the last frame beside it that links to it. It returns
// -1 for a frame with which the frameset was loaded.
func (f *forest) besides(p, frameset *parsed) int {
	if frameset.page == nil {
		return -1 // nothing says which frames it was loaded with
	}
	named := slices.ContainsFunc(frameset.page.Frames, func(frame page.Frame) bool { return frame.URL == p.URL })
	from := -1
	for i := range f.all {
		other := f.visits[f.all[i].Load]
		if !f.inside(other.Load, frameset.Load) || other == p {
			continue
		}
		if other.URL == p.URL {
			named = false // the frameset was loaded with the first one
		}
		if indexOfLink(other.page, p.URL) >= 0 {
			from = i
		}
	}
	if named {
		return -1
	}
	return from
}

// screenOf returns the screen of the frames with which a frameset was loaded, or none, if there are none yet.
func (f *forest) screenOf(frameset *parsed, none int) int {
	for i := range f.all {
		if f.inside(f.all[i].Load, frameset.Load) && f.all[i].Screen == i && f.outermost(f.all[i]) {
			return i
		}
	}
	return none
}

// outermost reports whether a frame is one with which its frameset was loaded: its parent is not beside it.
func (f *forest) outermost(n Node) bool {
	return n.Parent < 0 || f.top(f.all[n.Parent].Load) != f.top(n.Load)
}

// top returns the load that fills the tab around a load.
func (f *forest) top(load string) string {
	for range len(f.visits) {
		p := f.visits[load]
		if p == nil || f.visits[p.Parent] == nil {
			return load
		}
		load = p.Parent
	}
	return load
}

// markLeaves finds the leaves. end is the load that the person had open last.
func (f *forest) markLeaves(end string) {
	for _, n := range f.all {
		if n.Parent >= 0 && f.all[n.Parent].Screen != n.Screen {
			f.used[f.all[n.Parent].Screen] = true
		}
	}
	for i := range f.all {
		n := &f.all[i]
		inner := n.Parent >= 0 && f.all[n.Parent].Screen == n.Screen
		n.Leaf = !inner && !f.used[n.Screen] && f.top(n.Load) != f.top(end)
	}
}
