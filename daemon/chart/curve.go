package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Line is a drawn curve.
type Line struct {
	Path  string
	Class string
	Name  string
	X, Y  float64 // of its name
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
	XName, YName             string     // of the axes, with their units
	Rows                     [][]string // of a table with some of the points: that on the X axis, then the values
	Desc                     string
}

// curve is a line of a plot before it is drawn. X ascends.
type curve struct {
	name, class string
	x           []int
	y           []float64
}

// plotOf plots curves from 0 to most along x and from 0 to top along y, with their names, which are gap apart, to the right of
// where the curves are at index at. The names of later curves are above those of earlier ones at the same height. width is the width
// of the picture, at least 320; names is the room for the names.
func plotOf(width, names float64, most int, top, gap float64, all []curve, at func(c curve) int) Plot {
	p := Plot{Width: width, Height: 322, Left: 52, Right: width - names, Top: 34, Bottom: 274}
	heights := make([]float64, len(all))
	for i, c := range all {
		parts := make([]any, 0, 3*len(c.x))
		for k := range c.x {
			command := "L"
			if k == 0 {
				command = "M"
			}
			parts = append(parts, command, p.across(c.x[k], most), p.up(c.y[k], top))
		}
		p.Lines = append(p.Lines, Line{Path: Path(parts...), Class: c.class, Name: c.name, X: p.Right + 8})
		heights[len(all)-1-i] = p.up(c.y[at(c)], top)
	}
	for i, y := range Apart(heights, gap, p.Top, p.Bottom) {
		p.Lines[len(all)-1-i].Y = Tenth(y)
	}
	return p
}

// across is the place of a value along x, up that along y. Values beyond the axis are at its ends.
func (p *Plot) across(v, most int) float64 {
	return p.Left + (p.Right-p.Left)*float64(v)/float64(max(most, 1))
}

func (p *Plot) up(v, top float64) float64 {
	return p.Bottom - (p.Bottom-p.Top)*math.Min(math.Max(v, 0), top)/top
}

func last(c curve) int { return len(c.x) - 1 }

// overPages plots curves over the pages fetched, of which the first curve has the numbers. write writes a value.
func overPages(width, top float64, yName string, write func(float64) string, all ...curve) Plot {
	fetched := all[0].x
	most := fetched[len(fetched)-1]
	top = roundUp(top, 5)
	p := plotOf(width, 92, most, top, 30, all, last)
	p.XName, p.YName = axisName("pages fetched", ""), yName
	for _, v := range Marks(0, top, 5) {
		p.YTicks = append(p.YTicks, Tick{Tenth(p.up(v, top)), write(v)})
	}
	for _, v := range WholeMarks(float64(most), max(3, int(width/110))) {
		p.XTicks = append(p.XTicks, Tick{Tenth(p.across(int(v), most)), Thousands(int(v))})
	}
	for i, n := range fetched {
		if i < len(fetched)-1 && n%max(1, int(Step(float64(most), 10))) != 0 {
			continue
		}
		row := []string{Number(n)}
		for _, c := range all {
			if len(c.x) == len(fetched) {
				row = append(row, write(c.y[i]))
			}
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// Course is the progress of a crawl after some numbers of fetched pages, at least one.
type Course struct {
	Fetched    []int     // ascending
	Relevant   []float64 // share of the fetched pages that are relevant, [HMM] fig. 9
	Similarity []float64 // mean over read pages of the largest cosine to a target, [HMM] fig. 10
}

// Curves plots the share of relevant pages and the average maximal similarity over the pages fetched. The two lines have
// names and differ by dashes as well as by colour, so that they can be told apart in print. width is the width of the picture, at
// least 320.
func Curves(c Course, width float64) Plot {
	top := 0.1
	for i := range c.Fetched {
		top = math.Max(top, math.Max(c.Relevant[i], c.Similarity[i]))
	}
	p := overPages(width, math.Min(1, top), axisName("share relevant, mean similarity", "%"), Percent,
		curve{"relevant", "relevant", c.Fetched, c.Relevant}, curve{"similarity", "similarity", c.Fetched, c.Similarity})
	end := len(c.Fetched) - 1
	p.Desc = fmt.Sprintf("After %s, %.0f %% were relevant and average similarity to your closest useful page was %.0f %%.",
		Plural(c.Fetched[end], "page", "pages"), c.Relevant[end]*100, c.Similarity[end]*100)
	return p
}

// Promise is what the next 100 pages of a crawl promised, over the pages fetched, at least one.
type Promise struct {
	Fetched []int
	Next    []float64 // useful pages among the next 100
	Wanted  float64   // below which the crawl ends; 0 for never
	Ended   bool      // the crawl ended for that reason, after the last point
}

// Promised plots what the next pages promised, with a line for what the person wants. width is the width of the picture, at least
// 320.
func Promised(c Promise, width float64) Plot {
	end := len(c.Fetched) - 1
	most, top := c.Fetched[end], math.Max(1, c.Wanted)
	for _, v := range c.Next {
		top = math.Max(top, v)
	}
	all := []curve{{"promised", "relevant", c.Fetched, c.Next}}
	if c.Wanted > 0 {
		all = append(all, curve{"wanted", "similarity", []int{0, most}, []float64{c.Wanted, c.Wanted}})
	}
	p := overPages(width, top, axisName("useful pages promised by the next 100", ""), pages, all...)
	p.Desc = fmt.Sprintf("After %s, the next 100 promised about %s.", Plural(most, "page", "pages"), pages(c.Next[end]))
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

// Recalled is one line of a picture of recall: the share of useful pages found after equal steps of pages fetched, from
// none of the pages to all of them.
type Recalled struct {
	Name, Class string
	Shares      []float64 // at least two; as many in each line
}

// Recalls plots recall over the share of pages fetched. width is the width of the picture, at least 320.
func Recalls(all []Recalled, width float64) Plot {
	var lines []curve
	var told []string
	steps := len(all[0].Shares) - 1
	for _, r := range all {
		c := curve{name: r.Name, class: r.Class, y: r.Shares}
		for i := range r.Shares {
			c.x = append(c.x, i)
		}
		lines = append(lines, c)
		told = append(told, fmt.Sprintf("%s %s", r.Name, Percent(r.Shares[steps/2])))
	}
	// The names are where the lines are apart: at the end, all useful pages are found.
	p := plotOf(width, 118, steps, 1, 26, lines, func(curve) int { return steps / 2 })
	p.XName, p.YName = axisName("hidden pages fetched", "%"), axisName("hidden useful pages found", "%")
	each := 1 // quarters between the numbers below the axis
	if width < 400 {
		each = 2 // more would overlap where the text has wide spacing
	}
	for i := range 5 {
		share := float64(i) / 4
		p.YTicks = append(p.YTicks, Tick{Tenth(p.up(share, 1)), Percent(share)})
		if i%each == 0 {
			p.XTicks = append(p.XTicks, Tick{Tenth(p.across(i, 4)), Percent(share)})
		}
	}
	p.Desc = "Useful pages found after half of the hidden pages: " + strings.Join(told, ", ") + "."
	return p
}
