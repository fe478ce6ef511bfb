package chart

import (
	"fmt"
	"math"
)

// Course is the progress of a crawl after some numbers of fetched pages.
type Course struct {
	Fetched    []int     // ascending
	Relevant   []float64 // share of the fetched pages that are relevant, [HMM] fig. 9
	Similarity []float64 // mean over read pages of the largest cosine to a target, [HMM] fig. 10
}

// Line is a drawn curve.
type Line struct {
	Path  string
	Class string
	Name  string
	Value string  // last value; "" if it is not shown
	X, Y  float64 // of its name
	Key   string  // path of the piece of line before its name; "" for none
	Way   string  // path from its end to Key; "" for none
}

// Tick is a mark of an axis, with its grid line.
type Tick struct {
	At   float64
	Text string
}

// Plot is a drawn set of curves over one pair of axes.
type Plot struct {
	Width, Height            float64
	Left, Right, Top, Bottom float64 // the inner box
	Lines                    []Line
	XTicks, YTicks           []Tick
	XName, YName             string // of the axes, with their units
	Rows                     []CurveRow
	Desc                     string
}

// CurveRow has the values of a course after a number of pages, in words.
type CurveRow struct {
	Fetched              int
	Relevant, Similarity string
}

// Curves plots the share of relevant pages and the average maximal similarity over the pages fetched. The two lines have
// names and differ by dashes as well as by colour, so that they can be told apart in print. width is the width of the picture, at
// least 320.
func Curves(c Course, width float64) Plot {
	p := Plot{Width: width, Height: 322, Left: 52, Right: width - 92, Top: 34, Bottom: 274,
		XName: axisName("pages fetched", ""), YName: axisName("share relevant, mean similarity", "%")}
	if len(c.Fetched) == 0 {
		return p
	}
	last := c.Fetched[len(c.Fetched)-1]
	top := 0.1
	for i := range c.Fetched {
		top = math.Max(top, math.Max(c.Relevant[i], c.Similarity[i]))
	}
	top = math.Min(1, roundUp(top, 5))
	x := func(n int) float64 { return p.Left + (p.Right-p.Left)*float64(n)/float64(max(last, 1)) }
	y := func(v float64) float64 { return p.Bottom - (p.Bottom-p.Top)*math.Min(math.Max(v, 0), top)/top }
	for _, v := range marks(0, top, 5) {
		p.YTicks = append(p.YTicks, Tick{tenth(y(v)), percent(v)})
	}
	for _, v := range wholeMarks(float64(last), max(3, int(width/110))) {
		p.XTicks = append(p.XTicks, Tick{tenth(x(int(v))), Thousands(int(v))})
	}
	end := len(c.Fetched) - 1
	names := apart([]float64{y(c.Similarity[end]), y(c.Relevant[end])}, 30, p.Top, p.Bottom)
	p.Lines = []Line{
		{Path: line(c.Fetched, c.Relevant, x, y), Class: "relevant", Name: "relevant", X: p.Right + 8, Y: tenth(names[1])},
		{Path: line(c.Fetched, c.Similarity, x, y), Class: "similarity", Name: "similarity", X: p.Right + 8, Y: tenth(names[0])},
	}
	for i, n := range c.Fetched {
		if i == end || n%max(1, int(step(float64(last), 10))) == 0 {
			p.Rows = append(p.Rows, CurveRow{n, percent(c.Relevant[i]), percent(c.Similarity[i])})
		}
	}
	p.Desc = fmt.Sprintf("After %s, %.0f %% were relevant and average similarity to your closest useful page was %.0f %%.",
		Plural(last, "page", "pages"), c.Relevant[end]*100, c.Similarity[end]*100)
	return p
}

func line(at []int, values []float64, x func(int) float64, y func(float64) float64) string {
	parts := make([]any, 0, 3*len(at))
	for i, n := range at {
		command := "L"
		if i == 0 {
			command = "M"
		}
		parts = append(parts, command, x(n), y(values[i]))
	}
	return path(parts...)
}
