package chart

import "math"

// Crawled is a page of a crawl, for DrawCrawled.
type Crawled struct {
	N, Parent int // numbers in the crawl; Parent is the page whose link was followed, 0 for none
	Depth     int // links from the start page
	Title     string
	Class     string // for the style sheet
}

// DrawCrawled draws how each page led to the next: pages from left to right in the order of their numbers, and downwards by their
// distance from the start pages. The picture keeps its size while pages come.
func DrawCrawled(pages []Crawled, desc string) Picture {
	const least, edge = 40, 8
	p := Picture{Width: 640, Height: 150, Desc: desc}
	deepest, highest, at := 0, math.MaxInt, map[int]int{}
	for i, one := range pages {
		deepest, highest = max(deepest, one.Depth), min(highest, one.Depth)
		at[one.N] = i
	}
	for i, one := range pages {
		x := edge + (p.Width-2*edge)*float64(i)/float64(max(least, len(pages))-1)
		y := edge + (p.Height-2*edge)*math.Sqrt(float64(one.Depth-highest)/float64(max(deepest-highest, 4)))
		p.Nodes = append(p.Nodes, Node{X: x, Y: y, R: 4, Class: one.Class, Title: one.Title})
		if k, known := at[one.Parent]; known && k < i {
			from := p.Nodes[k]
			p.Edges = append(p.Edges, Edge{Path: Path("M", from.X, from.Y, "Q", from.X, y, x, y), Class: one.Class})
		}
	}
	p.round()
	return p
}
