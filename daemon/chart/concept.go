package chart

import (
	"fmt"
	"math"
	"strconv"
)

// ConceptPage is a node of the concept graph.
type ConceptPage struct {
	Title   string
	URL     string
	Cluster int // 0 for targets
	State   int
}

// mostLinks is the largest number of links of a concept graph that are all drawn; of more, one path a page is.
const mostLinks = 150

// ConceptPicture is a drawn concept graph: a web graph whose pages stand in a block for each hidden state.
type ConceptPicture struct {
	WebPicture
	Heads []ConceptHead // farthest state first
}

// ConceptHead names a block of a concept graph: above it in a wide window, before it in a narrow one, where the picture is turned.
type ConceptHead struct {
	X, Turned string // places along the picture
	Name      string
	State     string
	Pages     int
}

// Concept draws the concept graph with its hop labels, [HMM] fig. 5: a block for each hidden state, farthest first and targets
// last, in the box of a web graph. Each page stands near the height of the page that it leads to. For a session of many links,
// whole is false: the graph has one shortest path a page, and the other links only where one points at their page. Of more than
// MostDrawn pages it leaves out, in the states with most pages, those that the fewest paths lead through.
func Concept(pages []ConceptPage, edges [][2]int, states int) (p ConceptPicture, whole bool) {
	w := newWays(pages, edges)
	blocks, left := w.blocks(states)
	l := WebLayout{Into: make([]int, len(pages))}
	for i := range l.Into {
		l.Into[i] = -1
	}
	heads := l.placeBlocks(blocks, left, w)
	shown, clusters := make([]WebPage, len(pages)), make([]int, len(pages))
	var ways []Move
	for i, page := range pages {
		shown[i] = WebPage{Title: page.Title, Target: page.State == 0, Visits: 1 + w.children[i]}
		clusters[i] = page.Cluster
		if w.next[i] >= 0 && l.Into[i] >= 0 {
			ways = append(ways, Move{From: i, To: w.next[i]})
		}
	}
	l.placeTitles(shown, l.shownMoves(ways))
	p = ConceptPicture{WebPicture: DrawWeb(l, shown, edges, ways, clusters), Heads: heads}
	p.Steps, p.Moves = "", 0 // nobody took these ways
	if whole = len(edges) <= mostLinks; !whole {
		p.Links, p.LeftOut = "", len(l.shownLinks(edges))-len(ways)
	}
	p.Name = fmt.Sprintf("Concept graph of %s pages in %s, %s of them useful, with %s links", Thousands(len(pages)), Plural(states, "state", "states"),
		Thousands(len(blocks[0])+left[0]), Thousands(len(edges)))
	p.Desc = conceptDesc(blocks, left)
	return p, whole && p.Lost == 0
}

// placeBlocks places the drawn pages of the states, targets first at the right end. Within a block, pages are sorted by the
// height of the next page on their path, so that few paths cross.
func (l *WebLayout) placeBlocks(blocks [][]int, left []int, w *ways) []ConceptHead {
	const top, foot, edge = 70.0, 12.0, 14.0
	states, drawn := len(blocks), 0
	for _, block := range blocks {
		drawn += len(block)
	}
	head := math.Min(96, 360/float64(states)) // room before a block
	share := make([]float64, states)
	total := 0.0
	for s, block := range blocks {
		share[s] = math.Max(float64(len(block)), float64(drawn)/float64(3*states)+1)
		total += share[s]
	}
	at := make(map[int]Point)
	heads := make([]ConceptHead, states)
	right := WebWidth - edge
	for s, block := range blocks {
		wide := (WebWidth - 2*edge - head*float64(states)) * share[s] / total
		w.order(block, at, w.pages)
		grid(block, at, rect{right - wide, top, right, WebHeight - foot})
		for _, i := range block {
			l.Into[i] = len(l.Spots)
			l.Spots = append(l.Spots, Spot{Page: i, X: Tenth(at[i].X), Y: Tenth(at[i].Y)})
		}
		heads[states-1-s] = ConceptHead{X: part((right - wide/2) / WebWidth), Turned: part((right - wide - head/2) / WebWidth),
			Name: brief(s, states), State: "T" + subscript(s), Pages: len(block) + left[s]}
		right -= wide + head
	}
	return heads
}

// grid places pages in rows over a rectangle. Every other row is shifted, so that lines pass between the pages.
func grid(block []int, at map[int]Point, in rect) {
	if len(block) == 0 {
		return
	}
	wide, high := in.right-in.left, in.bottom-in.top
	columns := max(1, int(math.Round(math.Sqrt(float64(len(block))*wide/high))))
	rows := (len(block) + columns - 1) / columns
	cell := wide / (float64(columns) + 0.5)
	for k, i := range block {
		row := k / columns
		inRow := min(columns, len(block)-row*columns)
		x := float64(k%columns) + 0.5 + float64(columns-inRow)/2
		if columns > 1 && row%2 == 1 {
			x += 0.5
		} else if columns == 1 {
			x += 0.25
		}
		at[i] = Point{in.left + x*cell, in.top + (float64(row)+0.5)*high/float64(rows)}
	}
}

func conceptDesc(blocks [][]int, left []int) string {
	text := "The training pages by hidden state, farthest from a useful page first: "
	for s := len(blocks) - 1; s >= 0; s-- {
		text += fmt.Sprintf("T%d has %d", s, len(blocks[s])+left[s])
		if left[s] > 0 {
			text += fmt.Sprintf(", of which %d are drawn", len(blocks[s]))
		}
		if s > 0 {
			text += "; "
		}
	}
	return text + ". Shape and colour show the page's cluster. The table of pages has the same data."
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

// ClusterShape is the number of the symbol of a cluster, 0 for the targets' and for none.
func ClusterShape(cluster int) int {
	if cluster <= 0 {
		return 0
	}
	return (cluster-1)%8 + 1
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
