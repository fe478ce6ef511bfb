package chart

import (
	"fmt"
	"strings"
)

// Recalled is one line of a picture of recall: the share of useful pages found after equal steps of pages fetched, from
// none of the pages to all of them.
type Recalled struct {
	Name, Class string
	Shares      []float64 // at least two
}

// Recalls plots recall over the share of pages fetched. width is the width of the picture, at least 320.
func Recalls(all []Recalled, width float64) Plot {
	p := Plot{Width: width, Height: 322, Left: 52, Right: width - 118, Top: 34, Bottom: 274,
		XName: axisName("hidden pages fetched", "%"), YName: axisName("hidden useful pages found", "%")}
	x := func(v float64) float64 { return tenth(p.Left + (p.Right-p.Left)*v) }
	y := func(v float64) float64 { return tenth(p.Bottom - (p.Bottom-p.Top)*min(max(v, 0), 1)) }
	across := 4 // spaces between the numbers below the axis
	if width < 400 {
		across = 2 // more would overlap where the text has wide spacing
	}
	for i := range across + 1 {
		v := float64(i) / float64(across)
		p.XTicks = append(p.XTicks, Tick{x(v), percent(v)})
	}
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		p.YTicks = append(p.YTicks, Tick{y(v), percent(v)})
	}
	var names []float64
	var told []string
	for _, r := range all {
		last := len(r.Shares) - 1
		var parts []any
		for i, share := range r.Shares {
			command := "L"
			if i == 0 {
				command = "M"
			}
			parts = append(parts, command, x(float64(i)/float64(last)), y(share))
		}
		p.Lines = append(p.Lines, Line{Path: path(parts...), Class: r.Class, Name: r.Name, X: p.Right + 8})
		names = append(names, y(r.Shares[last/2])) // where the lines are apart: at the end, all useful pages are found
		told = append(told, fmt.Sprintf("%s %s", r.Name, percent(r.Shares[last/2])))
	}
	for i, at := range apart(names, 26, p.Top, p.Bottom) {
		p.Lines[i].Y = tenth(at)
	}
	p.Desc = "Useful pages found after half of the hidden pages: " + strings.Join(told, ", ") + "."
	return p
}
