package chart

import (
	"cmp"
	"slices"
)

// The picture of a web graph, [HMM] fig. 2b, is laid out in a box of WebWidth × WebHeight units. Narrow windows show it turned
// by a quarter, so that it fits them too.
const (
	WebWidth  = 1000.0
	WebHeight = 625.0
)

// MostDrawn is the largest number of pages in one picture.
const MostDrawn = 320

// WebPage is a page of a session's web graph.
type WebPage struct {
	Title  string
	Target bool
	Visits int
}

// Move is a step that the person took from one page to another.
type Move struct {
	From, To int
	Back     bool // with the Back button
}

// WebLayout says where the pages of a web graph are drawn. It depends on the graph alone, so it can be computed once and kept.
type WebLayout struct {
	Spots []Spot // one for each drawn page, the page seen first is first
	Into  []int  // by page: index of its spot, -1 for none
}

// Spot is the place of a drawn page.
type Spot struct {
	Page  int
	X, Y  float64 // in [0, WebWidth] × [0, WebHeight]
	Title [2]Hung // in a wide window, and in a narrow one
}

// Hung says where the title of a page is.
type Hung struct {
	Band int    // the size of the picture from which on it is shown, an index into WebBands; -1 when only pointing at the page shows it
	Side string // a key of webSides
}

// LayOutWeb places the pages of a web graph. Pages between which the person moved are near each other; the other links only
// join what the moves leave apart. links and moves are pairs of indices into pages. The same web gives the same layout. It is
// meant for at most MostDrawn pages; see WebParts.
func LayOutWeb(pages []WebPage, links [][2]int, moves []Move) WebLayout {
	var l WebLayout
	n := len(pages)
	if n == 0 {
		return l
	}
	for page := range n {
		l.Into = append(l.Into, page)
		l.Spots = append(l.Spots, Spot{Page: page})
	}
	inLinks, inMoves := l.shownLinks(links), l.shownMoves(moves)
	edges := backbone(n, inLinks, inMoves)
	at := pack(n, edges)
	ringed := make([]bool, n)
	for i, spot := range l.Spots {
		ringed[i] = pages[spot.Page].Target
	}
	fill(at, ringed)
	for i, p := range at {
		l.Spots[i].X, l.Spots[i].Y = Tenth(p.X), Tenth(p.Y)
	}
	l.placeTitles(pages, inMoves)
	return l
}

// byImportance lists the pages: useful ones first, then the first page, then those with most visits and neighbours on the way.
func byImportance(pages []WebPage, moves []Move) []int {
	weight := make([]int, len(pages))
	for i, page := range pages {
		weight[i] = page.Visits
		if page.Target {
			weight[i] += 1 << 30
		} else if i == 0 {
			weight[i] += 1 << 29
		}
	}
	seen := make(map[[2]int]bool)
	for _, m := range moves {
		if pair := ordered(m.From, m.To); !seen[pair] {
			seen[pair] = true
			weight[m.From]++
			weight[m.To]++
		}
	}
	return sorted(len(pages), func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
}

func ordered(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// shownLinks are the links between different spots, each once.
func (l *WebLayout) shownLinks(links [][2]int) [][2]int {
	var all [][2]int
	seen := make(map[[2]int]bool)
	for _, e := range links {
		pair := [2]int{l.Into[e[0]], l.Into[e[1]]}
		if pair[0] >= 0 && pair[1] >= 0 && pair[0] != pair[1] && !seen[pair] {
			seen[pair] = true
			all = append(all, pair)
		}
	}
	return all
}

// shownMoves are the moves between spots, in order. A move inside one spot stays, so that steps can be counted.
func (l *WebLayout) shownMoves(moves []Move) []Move {
	var all []Move
	for _, m := range moves {
		if from, to := l.Into[m.From], l.Into[m.To]; from >= 0 && to >= 0 {
			all = append(all, Move{From: from, To: to, Back: m.Back})
		}
	}
	return all
}

// backbone returns the lines that the layout follows: every pair that the person moved between, and of the other links as few
// as join the parts that the moves leave apart. All links together would pull a wiki into one heap.
func backbone(n int, links [][2]int, moves []Move) []tie {
	part := make([]int, n)
	for i := range part {
		part[i] = i
	}
	var root func(i int) int
	root = func(i int) int {
		if part[i] != i {
			part[i] = root(part[i])
		}
		return part[i]
	}
	var ties []tie
	degree := make([]int, n)
	seen := make(map[[2]int]bool)
	for _, m := range moves {
		if pair := ordered(m.From, m.To); m.From != m.To && !seen[pair] {
			seen[pair] = true
			ties = append(ties, tie{pair[0], pair[1], 1})
			degree[m.From]++
			degree[m.To]++
			part[root(m.From)] = root(m.To)
		}
	}
	joins := slices.Clone(links)
	slices.SortStableFunc(joins, func(a, b [2]int) int { return cmp.Compare(degree[a[0]]+degree[a[1]], degree[b[0]]+degree[b[1]]) })
	for _, e := range joins {
		if a, b := root(e[0]), root(e[1]); a != b {
			part[a] = b
			ties = append(ties, tie{e[0], e[1], 1.5})
		}
	}
	return ties
}
