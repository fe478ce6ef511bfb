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
	Class   string // for the style sheet
	Text    string // inside the circle
	Sub     string // under Text
	Title   string // shown on hover
}

// Edge is a line between two nodes.
type Edge struct {
	Path   string // SVG path data
	Class  string
	Title  string
	Label  string // at X, Y
	X, Y   float64
	Weight float64 // stroke width
}

// Picture is a drawn graph.
type Picture struct {
	Width, Height float64
	Nodes         []Node
	Edges         []Edge
	Desc          string // for screen readers
}

// Tenth rounds a coordinate to a tenth of a pixel.
func Tenth(v float64) float64 { return math.Round(v*10) / 10 }

// num writes a coordinate with at most one decimal.
func num(v float64) string { return strconv.FormatFloat(Tenth(v), 'f', -1, 64) }

// round rounds every coordinate.
func (p *Picture) round() {
	p.Width, p.Height = Tenth(p.Width), Tenth(p.Height)
	for i := range p.Nodes {
		p.Nodes[i].X, p.Nodes[i].Y = Tenth(p.Nodes[i].X), Tenth(p.Nodes[i].Y)
	}
	for i := range p.Edges {
		p.Edges[i].X, p.Edges[i].Y = Tenth(p.Edges[i].X), Tenth(p.Edges[i].Y)
	}
}

// Path joins path commands and coordinates: Path("M", x, y, "L", x, y).
func Path(parts ...any) string {
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
