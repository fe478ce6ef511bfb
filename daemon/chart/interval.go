package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"nightjar/model/measure"
)

// Measured is one line of an interval plot.
type Measured struct {
	Name   string
	Class  string // for the style sheet: "main", "other" or "base"
	Digits int    // decimals of the numbers beside it
	Figure measure.Figure
	Alone  bool // no interval, for a baseline that is known exactly
}

// Scale is the axis of an interval plot.
type Scale struct {
	Name     string // of what is measured, with its best value
	From, To float64
	Percent  bool       // numbers are shares
	Marks    []ScaleTag // named values, such as chance
}

// ScaleTag names a value of a scale.
type ScaleTag struct {
	At   float64
	Text string
}

// Intervals is a drawn interval plot: for each figure a dot at its value and a whisker over its interval. X is in percent of
// the width and Y in em, so that the text has the page's font size at any width.
type Intervals struct {
	Ruler
	Lines []IntervalLine
	Marks []IntervalTick
	Desc  string
}

// Ruler is the axis below lines of text and figures. Heights are in em.
type Ruler struct {
	High    float64 // of the whole picture
	Base    float64 // of the axis
	TickEnd float64 // lower ends of the ticks
	Foot    float64 // base line of the numbers at the axis
	NameAt  float64 // base line of its name
	Name    string  // with the unit
	Ticks   []IntervalTick
}

// rulerAt is an axis at a height.
func rulerAt(base float64, name string, ticks []IntervalTick) Ruler {
	base = Tenth(base)
	foot := Tenth(base + 1.4)
	return Ruler{High: Tenth(base + axisHigh), Base: base, TickEnd: Tenth(base + 0.3), Foot: foot, NameAt: Tenth(foot + 1.5), Name: name, Ticks: ticks}
}

// IntervalLine is the position of a figure in the picture.
type IntervalLine struct {
	Class, Name, Numbers string
	Text                 float64 // em: base line of name and numbers
	Y, Top, Bottom       float64 // em: of the dot, and the ends of the caps
	X, Low, High         float64 // percent of the width
	Alone                bool
}

// IntervalTick is a number on the axis, or a named value.
type IntervalTick struct {
	X           float64 // percent of the width
	Text        string
	Anchor      string  // text-anchor
	Top, Bottom float64 // em
}

// Heights in an interval plot in em, and the margin at both ends of the axis, for the width of a dot, in percent of the width.
const (
	lineHigh  = 3.2
	markHigh  = 1.6
	axisHigh  = 3.6
	axisInset = 1.5
)

// DrawIntervals draws figures over a scale. It leaves out figures with N = 0, and has no lines when none is left.
func DrawIntervals(s Scale, all []Measured) Intervals {
	var p Intervals
	x := func(v float64) float64 {
		share := (math.Min(math.Max(v, s.From), s.To) - s.From) / (s.To - s.From)
		return Tenth(axisInset + (100-2*axisInset)*share)
	}
	top := 0.0
	if len(s.Marks) > 0 {
		top = markHigh
	}
	var told []string
	for _, m := range all {
		if m.Figure.N == 0 {
			continue
		}
		y := top + lineHigh*float64(len(p.Lines)) + 2.3
		p.Lines = append(p.Lines, IntervalLine{
			Class: m.Class, Name: m.Name, Numbers: m.numbers(s.Percent), Alone: m.Alone,
			Text: Tenth(y - 1.1), Y: Tenth(y), Top: Tenth(y - 0.4), Bottom: Tenth(y + 0.4),
			X: x(m.Figure.Value), Low: x(m.Figure.Low), High: x(m.Figure.High),
		})
		told = append(told, m.Name+": "+m.numbers(s.Percent))
	}
	if len(p.Lines) == 0 {
		return p
	}
	p.Ruler = rulerAt(top+lineHigh*float64(len(p.Lines))+0.2, axisName(s.Name, map[bool]string{true: "%"}[s.Percent]), ticks(s, x))
	for _, m := range s.Marks {
		p.Marks = append(p.Marks, IntervalTick{X: x(m.At), Text: m.Text, Anchor: anchor(x(m.At)), Top: 1.3, Bottom: p.Base})
		told = append(told, m.Text+": "+shown(m.At, 2, s.Percent))
	}
	p.Desc = strings.Join(told, "; ") + "."
	return p
}

// ticks returns about five numbers for the axis.
func ticks(s Scale, x func(float64) float64) []IntervalTick {
	var all []IntervalTick
	distance := Step(s.To-s.From, 5)
	// Adding 0 turns -0 into 0.
	for n := math.Ceil(s.From/distance-1e-9) + 0; n*distance <= s.To+1e-9; n++ {
		at := x(n * distance)
		all = append(all, IntervalTick{X: at, Text: short(n*distance, s.Percent), Anchor: anchor(at)})
	}
	if s.Percent { // one percent sign is enough
		for i := 1; i < len(all); i++ {
			all[i].Text = strings.TrimSuffix(all[i].Text, " %")
		}
	}
	return all
}

// anchor keeps text at the ends of an axis inside the picture.
func anchor(x float64) string {
	switch {
	case x < 12:
		return "start"
	case x > 88:
		return "end"
	}
	return "middle"
}

// numbers writes a figure: 0.43 (0.38–0.49).
func (m Measured) numbers(percent bool) string {
	value := shown(m.Figure.Value, m.Digits, percent)
	if m.Alone {
		return value
	}
	return fmt.Sprintf("%s (%s–%s)", value, strings.TrimSuffix(shown(m.Figure.Low, m.Digits, percent), " %"), shown(m.Figure.High, m.Digits, percent))
}

// shown writes a number of a figure.
func shown(v float64, digits int, percent bool) string {
	if percent {
		return strconv.FormatFloat(v*100, 'f', 0, 64) + " %"
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// short writes a number on an axis.
func short(v float64, percent bool) string {
	if percent {
		return strconv.FormatFloat(math.Round(v*100), 'f', -1, 64) + " %"
	}
	return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
}

// Named returns the scale with a name.
func (s Scale) Named(name string) Scale {
	s.Name = name
	return s
}

// FromZero returns a scale of shares from 0 to a round number above every figure, at most 1.
func FromZero(all []Measured) Scale {
	high := 0.05
	for _, m := range all {
		if m.Figure.N > 0 {
			high = math.Max(high, math.Max(m.Figure.Value, m.Figure.High))
		}
	}
	distance := Step(high, 5)
	return Scale{To: math.Min(1, math.Ceil(high/distance-1e-9)*distance)}
}

// AroundHalf returns a scale of areas under a ROC curve: from a round number below one half and every figure to 1.
func AroundHalf(all []Measured) Scale {
	low := 0.4
	for _, m := range all {
		if m.Figure.N > 0 {
			low = math.Min(low, math.Floor(m.Figure.Low*10)/10)
		}
	}
	return Scale{From: math.Max(0, low), To: 1, Marks: []ScaleTag{{At: 0.5, Text: "guessing"}}}
}
