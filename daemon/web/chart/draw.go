package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Node is a circle of a graph.
type Node struct {
	X, Y, R float64
	Class   string // for the style sheet: "target", "c3", …
	Text    string // inside the circle
	Sub     string // under Text, inside the circle; "" for none
	Label   string // below it, "" for none
	Title   string // shown on hover
	Href    string // link inside the page, "" for none
}

// Edge is a line between two nodes.
type Edge struct {
	Path   string // SVG path data
	Class  string
	Title  string
	Label  string // at X, Y; "" for none
	X, Y   float64
	Weight float64 // stroke width, 0 for the style sheet's
}

// Box is a rectangle of a graph.
type Box struct {
	X, Y          float64 // of the middle
	Left, Top     float64
	Width, Height float64
	Class         string
	Fill          float64 // opacity of its colour, in [0, 1]
	Text          string
	Sub           string // under Text
	Title         string // shown on hover
}

// Picture is a drawn graph.
type Picture struct {
	Width, Height float64
	Nodes         []Node
	Boxes         []Box
	Edges         []Edge
	Texts         []Text // headings inside the picture
	Desc          string // for screen readers
}

// Text is a text inside a picture.
type Text struct {
	X, Y  float64
	Class string
	Text  string
}

// tenth rounds a coordinate to a tenth of a pixel.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }

// num writes a coordinate with at most one decimal.
func num(v float64) string { return strconv.FormatFloat(tenth(v), 'f', -1, 64) }

// round rounds every coordinate.
func (p *Picture) round() {
	p.Width, p.Height = tenth(p.Width), tenth(p.Height)
	for i := range p.Nodes {
		p.Nodes[i].X, p.Nodes[i].Y = tenth(p.Nodes[i].X), tenth(p.Nodes[i].Y)
	}
	for i := range p.Edges {
		p.Edges[i].X, p.Edges[i].Y = tenth(p.Edges[i].X), tenth(p.Edges[i].Y)
	}
	for i := range p.Boxes {
		b := &p.Boxes[i]
		b.X, b.Y, b.Left, b.Top = tenth(b.X), tenth(b.Y), tenth(b.Left), tenth(b.Top)
	}
}

// path joins path commands and coordinates: path("M", x, y, "L", x, y).
func path(parts ...any) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch p := p.(type) {
		case float64:
			b.WriteString(num(p))
		default:
			fmt.Fprint(&b, p)
		}
	}
	return b.String()
}

// arrow returns the path of an arrow from circle a to circle b, with room for its head, and the position of a label at its
// middle. bend moves the middle to the left, as a share of the length.
func arrow(a, b Point, ra, rb, bend float64) (d string, label Point) {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := math.Hypot(dx, dy)
	if length < 1 {
		return "", a
	}
	mid := Point{(a.X+b.X)/2 + dy*bend, (a.Y+b.Y)/2 - dx*bend}
	from, to := towards(a, mid, ra), towards(b, mid, rb+5)
	return path("M", from.X, from.Y, "Q", mid.X, mid.Y, to.X, to.Y),
		Point{(from.X + 2*mid.X + to.X) / 4, (from.Y + 2*mid.Y + to.Y) / 4}
}

// towards returns the point at distance r from a in the direction of b.
func towards(a, b Point, r float64) Point {
	d := math.Hypot(b.X-a.X, b.Y-a.Y)
	if d == 0 {
		return a
	}
	return Point{a.X + (b.X-a.X)*r/d, a.Y + (b.Y-a.Y)*r/d}
}
