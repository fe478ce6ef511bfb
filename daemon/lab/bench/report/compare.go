package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"nightjar/daemon/chart"
)

// series is one line of a comparison.
type series struct {
	Name  string
	Class string
	At    []point // X: pages fetched, ascending; Y: value. NaN and infinite points are left out
}

// point is a place in the picture, or a value of a series.
type point struct{ X, Y float64 }

// comparison is series to be drawn over one pair of axes.
type comparison struct {
	Series  []series
	Last    float64 // least end of the X axis, in pages
	Percent bool    // values are shares
	Most    float64 // values above it are cut off, and an arrow marks lines that end there; 0 for no limit
	Top     float64 // Y of the upper edge
}

// Sizes of a comparison. Names are in a column to the right, each after a piece of its line.
const (
	compareWidth = 920.0
	compareLeft  = 58.0
	compareRight = 610.0
	nameHigh     = 15.0 // height of a name
	nameAt       = compareRight + 54
	letterWide   = 0.62 // em, more than the mean width of a sans-serif letter
	nameSize     = 12.0
)

// plot is a drawn comparison.
type plot struct {
	chart.Plot
	Lines []line
}

// line is a drawn series, with its last value, the piece of line before its name, and the path from its end to that; "" for none.
type line struct {
	chart.Line
	Value, Key, Way string
}

// draw plots series over one pair of axes, with their names and last values to the right. Names are moved apart so that
// they do not overlap, and a thin line leads to each. The height grows with the number of names.
func (c comparison) draw() plot {
	p := plot{Plot: chart.Plot{Width: compareWidth, Left: compareLeft, Right: compareRight, Top: c.Top}}
	p.Bottom = p.Top + math.Max(230, nameHigh*float64(len(c.Series))+10)
	p.Height = p.Bottom + 40
	all := finite(c.Series)
	last, least, most := math.Max(c.Last, 1), 0.0, 0.0
	for _, s := range all {
		for _, at := range s.At {
			last, least, most = math.Max(last, at.X), math.Min(least, at.Y), math.Max(most, at.Y)
		}
	}
	if c.Most > 0 {
		most = math.Min(most, c.Most)
	}
	if most-least == 0 {
		most = 1
	}
	apart := chart.Step(most-least, 5)
	least, most = math.Floor(least/apart+1e-9)*apart, math.Ceil(most/apart-1e-9)*apart
	x := func(n float64) float64 { return chart.Tenth(p.Left + (p.Right-p.Left)*math.Max(n, 0)/last) }
	y := func(v float64) float64 { return chart.Tenth(p.Bottom - (p.Bottom-p.Top)*(v-least)/(most-least)) }
	mark, value := chart.Percent, func(v float64) string { return strconv.FormatFloat(v*100, 'f', 1, 64) + " %" }
	if !c.Percent {
		value = func(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', 2, 64) }
		mark = value
	}
	for _, v := range chart.Marks(least, most, 5) {
		p.YTicks = append(p.YTicks, chart.Tick{At: y(v), Text: mark(v)})
	}
	for _, v := range chart.WholeMarks(last, 6) {
		p.XTicks = append(p.XTicks, chart.Tick{At: x(v), Text: chart.Thousands(int(v))})
	}
	for _, s := range all {
		p.Lines = append(p.Lines, p.drawn(s, x, y, value))
	}
	p.nameLines(all, x, y)
	return p
}

// finite returns the series without NaN and infinite points.
func finite(all []series) []series {
	out := slices.Clone(all)
	for i := range out {
		out[i].At = slices.DeleteFunc(slices.Clone(out[i].At), func(at point) bool {
			return math.IsNaN(at.X+at.Y) || math.IsInf(at.X, 0) || math.IsInf(at.Y, 0)
		})
	}
	return out
}

// drawn returns the line of a series, in pieces where it is cut off, without the position of its name.
func (p *plot) drawn(s series, x, y func(float64) float64, value func(float64) string) line {
	l := line{Line: chart.Line{Class: s.Class, Name: s.Name}}
	if len(s.At) == 0 {
		return l
	}
	points := make([]point, len(s.At))
	for i, at := range s.At {
		points[i] = point{x(at.X), y(at.Y)}
	}
	var parts []any
	for _, piece := range below(points, p.Top) {
		for i, at := range thin(piece, 0.4) {
			command := "L"
			if i == 0 {
				command = "M"
			}
			parts = append(parts, command, at.X, at.Y)
		}
	}
	l.Path, l.Value = chart.Path(parts...), value(s.At[len(s.At)-1].Y)
	return l
}

// below returns the pieces of a line that are below top in the picture, cut where it crosses top.
func below(points []point, top float64) [][]point {
	var pieces [][]point
	var piece []point
	for i, at := range points {
		if i > 0 && (at.Y < top) != (points[i-1].Y < top) && at.Y != top && points[i-1].Y != top {
			before := points[i-1]
			piece = append(piece, point{before.X + (at.X-before.X)*(top-before.Y)/(at.Y-before.Y), top})
		}
		switch {
		case at.Y >= top:
			piece = append(piece, at)
		case len(piece) > 0:
			pieces, piece = append(pieces, piece), nil
		}
	}
	if len(piece) > 0 {
		pieces = append(pieces, piece)
	}
	return pieces
}

// nameLines places the names of the lines.
func (p *plot) nameLines(all []series, x, y func(float64) float64) {
	ends := make([]point, len(all))
	heights := make([]float64, len(all))
	for i, s := range all {
		ends[i] = point{p.Right, p.Bottom}
		if n := len(s.At); n > 0 {
			ends[i] = point{x(s.At[n-1].X), math.Max(y(s.At[n-1].Y), p.Top)}
		}
		heights[i] = ends[i].Y
	}
	for i, at := range chart.Apart(heights, nameHigh, p.Top, p.Bottom-5) {
		l, at := &p.Lines[i], chart.Tenth(at)
		l.X, l.Y = nameAt, at
		l.Key = chart.Path("M", nameAt-34, at, "L", nameAt-6, at)
		if n := len(all[i].At); n > 0 && y(all[i].At[n-1].Y) < p.Top {
			l.Value += " ↑"
		} else if n > 0 {
			l.Way = chart.Path("M", ends[i].X, ends[i].Y, "L", math.Max(ends[i].X, p.Right+3), ends[i].Y, "L", nameAt-37, at)
		}
		room := compareWidth - nameAt - 8 - wide(l.Value+"  ")
		l.Name = fit(l.Name, room)
	}
}

// thin leaves out points that are less than off away from the line through the remaining points: Douglas & Peucker,
// Algorithms for the reduction of the number of points required to represent a digitized line, 1973.
func thin(points []point, off float64) []point {
	if len(points) < 3 {
		return points
	}
	first, last := points[0], points[len(points)-1]
	length := math.Hypot(last.X-first.X, last.Y-first.Y)
	most, at := 0.0, 0
	for i := 1; i < len(points)-1; i++ {
		q := points[i]
		d := math.Hypot(q.X-first.X, q.Y-first.Y)
		if length > 0 {
			d = math.Abs((last.X-first.X)*(q.Y-first.Y)-(last.Y-first.Y)*(q.X-first.X)) / length
		}
		if d > most {
			most, at = d, i
		}
	}
	if most < off {
		return []point{first, last}
	}
	left := thin(points[:at+1], off)
	return append(left[:len(left)-1:len(left)-1], thin(points[at:], off)...)
}

// wide estimates the width of a name in pixels.
func wide(name string) float64 { return float64(utf8.RuneCountInString(name)) * letterWide * nameSize }

// fit shortens a name to a width in pixels.
func fit(name string, room float64) string {
	return chart.Shorten(max(1, int(room/(letterWide*nameSize))), name)
}

// ranked returns the lines by the height of their names, the highest first.
func (p *plot) ranked() []line {
	return slices.SortedStableFunc(slices.Values(p.Lines), func(a, b line) int { return cmp.Compare(a.Y, b.Y) })
}
