package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// ConceptPage is a node of the concept graph.
type ConceptPage struct {
	Title   string
	URL     string
	Cluster int // 0 for targets
	State   int
}

// Limits of a concept graph: it shows every link up to mostLinks, else one path a page; and of each state at most mostColumns
// columns of mostRows pages.
const (
	mostLinks   = 150
	mostRows    = 14
	mostColumns = 5
)

// Concept draws the concept graph with its hop labels, [HMM] fig. 5: a block of columns for each hidden state, farthest first
// and targets last. Each page is a circle with the number of its cluster, near the pages that it links to. For a large
// session, whole is false: the graph has one shortest path a page, and not the pages of a state that the fewest paths lead
// through.
func Concept(pages []ConceptPage, edges [][2]int, states int) (p Picture, whole bool) {
	w := newWays(pages, edges)
	blocks, left := w.blocks(states)
	whole = len(edges) <= mostLinks
	for _, n := range left {
		whole = whole && n == 0
	}
	p, at := place(pages, blocks, left, w)
	if whole {
		p.allLinks(pages, edges, at)
	} else {
		p.oneWay(pages, w, at)
	}
	for i, page := range pages {
		if spot, drawn := at[i]; drawn {
			p.Nodes = append(p.Nodes, Node{X: spot.X, Y: spot.Y, R: conceptRadius, Class: ClusterClass(page.Cluster),
				Text: strconv.Itoa(page.Cluster), Title: fmt.Sprintf("%s\n%s\ncluster %d, T%d; links: %d nearer to a useful page, %d others",
					page.Title, page.URL, page.Cluster, page.State, w.nearer[i], w.others[i])})
		}
	}
	p.Desc = conceptDesc(blocks, left)
	p.round()
	return p, whole
}

const conceptRadius = 13.0

// place positions the pages of the blocks, targets first. Within a block, pages are sorted by the height of the next page on
// their path, so that few paths cross.
func place(pages []ConceptPage, blocks [][]int, left []int, w *ways) (p Picture, at map[int]Point) {
	const wide, rowHigh, top, least, gap = 38.0, 36.0, 60.0, 1120.0, 110.0
	states := len(blocks)
	columns, rows, taken := make([]int, states), 8, 0.0
	for s, block := range blocks {
		rows = max(rows, min(len(block), mostRows))
		columns[s] = 1
		taken += gap
		if len(block) > mostRows {
			columns[s] = (len(block) + mostRows - 1) / mostRows
			taken += float64(columns[s]-1) * wide
		}
	}
	p.Width, p.Height = math.Max(least, taken), top+float64(rows)*rowHigh+40
	between := gap + (p.Width-taken)/float64(states)
	at = make(map[int]Point)
	x := p.Width - between/2
	for s, block := range blocks {
		w.order(block, at, pages)
		cols := columns[s]
		for row := range slices.Chunk(block, cols) { // pages with more incoming paths first, where those come in
			slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(w.children[b], w.children[a]) })
		}
		begin := x - float64(cols-1)*wide
		high := (len(block) + cols - 1) / cols
		for k, i := range block {
			at[i] = Point{begin + float64(k%cols)*wide, top + (float64(k/cols)+0.5+float64(rows-high)/2)*rowHigh}
		}
		middle := (begin + x) / 2
		p.Texts = append(p.Texts, Text{middle, 22, "state", "T" + subscript(s)}, Text{middle, 40, "hint", hops(s, states)})
		if left[s] > 0 {
			p.Texts = append(p.Texts, Text{middle, p.Height - 12, "hint", "and " + strconv.Itoa(left[s]) + " more"})
		}
		x = begin - between
	}
	return p, at
}

// allLinks draws every link.
func (p *Picture) allLinks(pages []ConceptPage, edges [][2]int, at map[int]Point) {
	for _, e := range edges {
		a, b := pages[e[0]].State, pages[e[1]].State
		bend, class := 0.05, "link"
		if a == b {
			bend = 0.25
		}
		if b < a {
			class = "nearer"
		}
		d, _ := arrow(at[e[0]], at[e[1]], conceptRadius, conceptRadius, bend)
		p.Edges = append(p.Edges, Edge{Path: d, Class: class})
	}
}

// oneWay draws the first step of one shortest path from each drawn page.
func (p *Picture) oneWay(pages []ConceptPage, w *ways, at map[int]Point) {
	for i := range pages {
		a, ok := at[i]
		b, known := at[w.next[i]]
		if !ok || !known || w.next[i] < 0 {
			continue
		}
		middle := (a.X + b.X) / 2
		p.Edges = append(p.Edges, Edge{Class: "way " + ClusterClass(pages[i].Cluster),
			Path: path("M", a.X+conceptRadius, a.Y, "C", middle, a.Y, middle, b.Y, b.X-conceptRadius, b.Y)})
	}
}

func conceptDesc(blocks [][]int, left []int) string {
	text := "The training pages in columns by hidden state, farthest from a useful page first: "
	for s := len(blocks) - 1; s >= 0; s-- {
		text += fmt.Sprintf("T%d has %d", s, len(blocks[s])+left[s])
		if left[s] > 0 {
			text += fmt.Sprintf(", of which %d are drawn", len(blocks[s]))
		}
		if s > 0 {
			text += "; "
		}
	}
	return text + ". The number in a circle is the page's cluster. The table of pages has the same data."
}

// ClusterClass is the style class of a cluster's colour.
func ClusterClass(cluster int) string {
	switch {
	case cluster == 0:
		return "target"
	case cluster < 0:
		return "unknown"
	}
	return "c" + strconv.Itoa((cluster-1)%8+1)
}

// hops describes a state.
func hops(s, states int) string {
	switch {
	case s == 0:
		return "useful"
	case s == states-1 && s == 1:
		return "1 link or more"
	case s == states-1:
		return strconv.Itoa(s) + " links or more"
	case s == 1:
		return "1 link"
	}
	return strconv.Itoa(s) + " links"
}

// subscript writes a number in subscript digits.
func subscript(n int) string {
	var out []rune
	for _, d := range strconv.Itoa(n) {
		out = append(out, '₀'+d-'0')
	}
	return string(out)
}
