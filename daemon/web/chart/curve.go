package chart

import (
	"fmt"
	"math"
	"strconv"
)

// Course is what is plotted of a crawl after each of some numbers of fetched pages.
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
	X, Y  float64 // where its name stands
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
	Desc                     string
}

// Curves plots a crawl's course: fraction of relevant pages and average maximal similarity over pages fetched. The
// two lines differ by dashes as well as by colour and carry their names, so that they can be told apart in print.
func Curves(c Course) Plot {
	p := Plot{Width: 760, Height: 300, Left: 52, Right: 640, Top: 14, Bottom: 262}
	if len(c.Fetched) == 0 {
		return p
	}
	last := c.Fetched[len(c.Fetched)-1]
	top := 0.1
	for i := range c.Fetched {
		top = math.Max(top, math.Max(c.Relevant[i], c.Similarity[i]))
	}
	yStep := step(top, 5)
	top = math.Min(1, math.Ceil(top/yStep-1e-9)*yStep)
	x := func(n int) float64 { return p.Left + (p.Right-p.Left)*float64(n)/float64(max(last, 1)) }
	y := func(v float64) float64 { return p.Bottom - (p.Bottom-p.Top)*math.Min(math.Max(v, 0), top)/top }
	for v := 0.0; v <= top+1e-9; v += yStep {
		p.YTicks = append(p.YTicks, Tick{tenth(y(v)), strconv.FormatFloat(math.Round(v*1000)/10, 'f', -1, 64) + " %"})
	}
	xStep := math.Max(1, step(float64(last), 6))
	for v := 0.0; v <= float64(last); v += xStep {
		p.XTicks = append(p.XTicks, Tick{tenth(x(int(v))), strconv.Itoa(int(v))})
	}
	end := len(c.Fetched) - 1
	relevant, similar := y(c.Relevant[end]), y(c.Similarity[end])
	if math.Abs(relevant-similar) < 30 { // keep the names apart
		middle, sign := (relevant+similar)/2, 1.0
		if relevant < similar {
			sign = -1
		}
		relevant, similar = middle+15*sign, middle-15*sign
	}
	p.Lines = []Line{
		{line(c.Fetched, c.Relevant, x, y), "relevant", "relevant", p.Right + 8, tenth(relevant)},
		{line(c.Fetched, c.Similarity, x, y), "similarity", "similarity", p.Right + 8, tenth(similar)},
	}
	p.Desc = fmt.Sprintf("After %d pages, %.0f %% of them were relevant and the average largest similarity to a useful page was %.2f.",
		last, c.Relevant[end]*100, c.Similarity[end])
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

// step is the distance between marks of an axis that ends at top: 1, 2 or 5 times a power of ten, with about count
// marks.
func step(top float64, count int) float64 {
	if top <= 0 {
		return 1
	}
	raw := top / float64(count)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}
