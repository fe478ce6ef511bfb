package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Series is one line of a comparison.
type Series struct {
	Name  string
	Class string
	At    []Point // X: pages fetched, ascending; Y: value. NaN and infinite points are left out
}

// Comparison is the input of Compare.
type Comparison struct {
	Series  []Series
	Last    float64 // least end of the X axis, in pages
	Percent bool    // values are shares
	Most    float64 // values above it are cut off, and an arrow marks lines that end there; 0 for no limit
	Top     float64 // Y of the upper edge
}

// Sizes of a comparison. Names are in a column to the right, each after a piece of its line.
const (
	CompareWidth = 920.0
	compareLeft  = 58.0
	compareRight = 610.0
	nameHigh     = 15.0 // height of a name
	nameAt       = compareRight + 54
	letterWide   = 0.62 // em, more than the mean width of a sans-serif letter
	nameSize     = 12.0
)

// Compare plots series over one pair of axes, with their names and last values to the right. Names are moved apart so that
// they do not overlap, and a thin line leads to each. The height grows with the number of names.
func Compare(c Comparison) Plot {
	p := Plot{Width: CompareWidth, Left: compareLeft, Right: compareRight, Top: c.Top}
	p.Bottom = p.Top + math.Max(230, nameHigh*float64(len(c.Series))+10)
	p.Height = p.Bottom + 40
	series := finite(c.Series)
	last, least, most := math.Max(c.Last, 1), 0.0, 0.0
	for _, s := range series {
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
	apart := step(most-least, 5)
	least, most = math.Floor(least/apart+1e-9)*apart, math.Ceil(most/apart-1e-9)*apart
	x := func(n float64) float64 { return tenth(p.Left + (p.Right-p.Left)*math.Max(n, 0)/last) }
	y := func(v float64) float64 { return tenth(p.Bottom - (p.Bottom-p.Top)*(v-least)/(most-least)) }
	mark, value := percent, func(v float64) string { return strconv.FormatFloat(v*100, 'f', 1, 64) + " %" }
	if !c.Percent {
		value = func(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', 2, 64) }
		mark = value
	}
	for _, v := range marks(least, most, 5) {
		p.YTicks = append(p.YTicks, Tick{y(v), mark(v)})
	}
	for _, v := range wholeMarks(last, 6) {
		p.XTicks = append(p.XTicks, Tick{x(v), Thousands(int(v))})
	}
	for _, s := range series {
		p.Lines = append(p.Lines, p.drawn(s, x, y, value))
	}
	p.nameLines(series, x, y)
	return p
}

// finite returns the series without NaN and infinite points.
func finite(all []Series) []Series {
	out := slices.Clone(all)
	for i := range out {
		out[i].At = slices.DeleteFunc(slices.Clone(out[i].At), func(at Point) bool {
			return math.IsNaN(at.X+at.Y) || math.IsInf(at.X, 0) || math.IsInf(at.Y, 0)
		})
	}
	return out
}

// drawn returns the line of a series, in pieces where it is cut off, without the position of its name.
func (p *Plot) drawn(s Series, x, y func(float64) float64, value func(float64) string) Line {
	l := Line{Class: s.Class, Name: s.Name}
	if len(s.At) == 0 {
		return l
	}
	points := make([]Point, len(s.At))
	for i, at := range s.At {
		points[i] = Point{x(at.X), y(at.Y)}
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
	l.Path, l.Value = path(parts...), value(s.At[len(s.At)-1].Y)
	return l
}

// below returns the pieces of a line that are below top in the picture, cut where it crosses top.
func below(points []Point, top float64) [][]Point {
	var pieces [][]Point
	var piece []Point
	for i, at := range points {
		if i > 0 && (at.Y < top) != (points[i-1].Y < top) && at.Y != top && points[i-1].Y != top {
			before := points[i-1]
			piece = append(piece, Point{before.X + (at.X-before.X)*(top-before.Y)/(at.Y-before.Y), top})
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
func (p *Plot) nameLines(series []Series, x, y func(float64) float64) {
	ends := make([]Point, len(series))
	heights := make([]float64, len(series))
	for i, s := range series {
		ends[i] = Point{p.Right, p.Bottom}
		if n := len(s.At); n > 0 {
			ends[i] = Point{x(s.At[n-1].X), math.Max(y(s.At[n-1].Y), p.Top)}
		}
		heights[i] = ends[i].Y
	}
	for i, at := range apart(heights, nameHigh, p.Top, p.Bottom-5) {
		l, at := &p.Lines[i], tenth(at)
		l.X, l.Y = nameAt, at
		l.Key = path("M", nameAt-34, at, "L", nameAt-6, at)
		if n := len(series[i].At); n > 0 && y(series[i].At[n-1].Y) < p.Top {
			l.Value += " ↑"
		} else if n > 0 {
			l.Way = path("M", ends[i].X, ends[i].Y, "L", math.Max(ends[i].X, p.Right+3), ends[i].Y, "L", nameAt-37, at)
		}
		room := CompareWidth - nameAt - 8 - wide(l.Value+"  ")
		l.Name = Fit(l.Name, room)
	}
}

// thin leaves out points that are less than off away from the line through the remaining points: Douglas & Peucker,
// Algorithms for the reduction of the number of points required to represent a digitized line, 1973.
func thin(points []Point, off float64) []Point {
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
		return []Point{first, last}
	}
	left := thin(points[:at+1], off)
	return append(left[:len(left)-1:len(left)-1], thin(points[at:], off)...)
}

// wide estimates the width of a name in pixels; letters beyond Latin count as 1 em.
func wide(name string) float64 {
	sum := 0.0
	for _, r := range name {
		if r < 0x250 {
			sum += letterWide
		} else {
			sum++
		}
	}
	return sum * nameSize
}

// Fit shortens a name to a width in pixels.
func Fit(name string, room float64) string {
	for n := utf8.RuneCountInString(name); n > 1 && wide(name) > room; n-- {
		name = Shorten(n-1, name)
	}
	return name
}

// Thousands writes a whole number with commas.
func Thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Ranked returns the lines by the height of their names, the highest first.
func (p *Plot) Ranked() []Line {
	return slices.SortedStableFunc(slices.Values(p.Lines), func(a, b Line) int { return cmp.Compare(a.Y, b.Y) })
}
