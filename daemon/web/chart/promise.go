package chart

import (
	"fmt"
	"math"
	"strconv"
)

// Promise is what the next 100 pages of a crawl promised, over the pages fetched.
type Promise struct {
	Fetched []int
	Next    []float64 // useful pages among the next 100
	Wanted  float64   // below which the crawl ends; 0 for never
	Ended   bool      // the crawl ended for that reason, after the last point
}

// Promised plots what the next pages promised, with a line for what the person wants. width is the width of the picture, at least
// 320. Rows hold the promised pages as Relevant.
func Promised(c Promise, width float64) Plot {
	p := Plot{Width: width, Height: 322, Left: 52, Right: width - 92, Top: 34, Bottom: 274,
		XName: axisName("pages fetched", ""), YName: axisName("useful pages promised by the next 100", "")}
	if len(c.Fetched) == 0 {
		return p
	}
	end := len(c.Fetched) - 1
	last, top := c.Fetched[end], math.Max(1, c.Wanted)
	for _, v := range c.Next {
		top = math.Max(top, v)
	}
	top = roundUp(top, 5)
	x := func(n int) float64 { return p.Left + (p.Right-p.Left)*float64(n)/float64(max(last, 1)) }
	y := func(v float64) float64 { return p.Bottom - (p.Bottom-p.Top)*math.Min(math.Max(v, 0), top)/top }
	for _, v := range marks(0, top, 5) {
		p.YTicks = append(p.YTicks, Tick{tenth(y(v)), pages(v)})
	}
	for _, v := range wholeMarks(float64(last), max(3, int(width/110))) {
		p.XTicks = append(p.XTicks, Tick{tenth(x(int(v))), Thousands(int(v))})
	}
	names := apart([]float64{y(c.Wanted), y(c.Next[end])}, 30, p.Top, p.Bottom)
	p.Lines = []Line{{Path: line(c.Fetched, c.Next, x, y), Class: "relevant", Name: "promised", X: p.Right + 8, Y: tenth(names[1])}}
	if c.Wanted > 0 {
		wanted := line([]int{0, last}, []float64{c.Wanted, c.Wanted}, x, y)
		p.Lines = append(p.Lines, Line{Path: wanted, Class: "similarity", Name: "wanted", X: p.Right + 8, Y: tenth(names[0])})
	}
	for i, n := range c.Fetched {
		if i == end || n%max(1, int(step(float64(last), 10))) == 0 {
			p.Rows = append(p.Rows, CurveRow{Fetched: n, Relevant: pages(c.Next[i])})
		}
	}
	p.Desc = fmt.Sprintf("After %s, the next 100 promised about %s.", Plural(last, "page", "pages"), pages(c.Next[end]))
	if c.Ended {
		p.Desc += " Here the crawl ended, since that is less than wanted."
	}
	return p
}

// pages is a number of useful pages, with one decimal below 10.
func pages(v float64) string {
	if v >= 10 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}
