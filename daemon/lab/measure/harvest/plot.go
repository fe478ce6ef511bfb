package harvest

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"strings"
	"text/template"
)

// plot is a picture of lines with error bars over the number of fetched pages.
type plot struct {
	Title, About string
	Series       []series
	Last         int // end of the X axis, in pages
}

// series is the line of one contender. Its points are in the order of their pages.
type series struct {
	Name   string
	Class  string
	Points []point
}

// point is a mean with its standard error.
type point struct {
	Pages    int
	Mean, SE float64
}

// Sizes of a picture, in pixels.
const (
	plotWidth, plotHeight = 760.0, 400.0
	plotLeft, plotRight   = 56.0, 520.0
	plotTop, plotBottom   = 76.0, 352.0
	nameHigh              = 16.0
)

// bars is how many error bars a line has.
const bars = 8

//go:embed plot.svg.tmpl
var plotText string

var plotTemplate = template.Must(template.New("plot").Parse(plotText))

// drawn is a plot with all its positions.
type drawn struct {
	plot
	Width, Height            float64
	Left, Right, Top, Bottom float64
	XTicks, YTicks           []tick
	Lines                    []line
	Zero                     float64 // Y of the value 0
}

type tick struct {
	At   float64
	Text string
}

type line struct {
	Name, Value, Class, Path string
	Bars                     []string // paths
	NameY                    float64
	KeyY                     float64
}

// svg writes the picture.
func (p plot) svg(w io.Writer) error { return plotTemplate.Execute(w, p.draw()) }

func (p plot) draw() drawn {
	d := drawn{plot: p, Width: plotWidth, Height: plotHeight, Left: plotLeft, Right: plotRight, Top: plotTop, Bottom: plotBottom}
	least, most := 0.0, .1
	for _, s := range p.Series {
		for _, at := range s.Points {
			least, most = math.Min(least, at.Mean-at.SE), math.Max(most, at.Mean+at.SE)
		}
	}
	const apart = .1
	least, most = math.Floor(least/apart+1e-9)*apart, math.Ceil(most/apart-1e-9)*apart
	x := func(pages int) float64 {
		return tenth(plotLeft + (plotRight-plotLeft)*float64(pages)/float64(max(1, p.Last)))
	}
	y := func(v float64) float64 { return tenth(plotBottom - (plotBottom-plotTop)*(v-least)/(most-least)) }
	d.Zero = y(0)
	for k := range int(math.Round((most-least)/apart)) + 1 {
		v := least + float64(k)*apart
		d.YTicks = append(d.YTicks, tick{y(v), fmt.Sprintf("%.1f", v+1e-12)})
	}
	for k := range 5 {
		pages := p.Last * k / 4
		d.XTicks = append(d.XTicks, tick{x(pages), fmt.Sprint(pages)})
	}
	for k, s := range p.Series {
		d.Lines = append(d.Lines, drawLine(s, k, len(p.Series), x, y))
	}
	apartNames(d.Lines)
	return d
}

// drawLine draws series k of n. The bars of lines stand beside each other.
func drawLine(s series, k, n int, x func(int) float64, y func(float64) float64) line {
	l := line{Name: s.Name, Class: s.Class}
	var path strings.Builder
	for i, at := range s.Points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&path, "%s%g %g", command, x(at.Pages), y(at.Mean))
		if at.SE > 0 && (i+1)*bars/len(s.Points) > i*bars/len(s.Points) {
			cx := tenth(x(at.Pages) + 2*float64(k) - float64(n-1))
			l.Bars = append(l.Bars, fmt.Sprintf("M%g %gV%g", cx, y(at.Mean-at.SE), y(at.Mean+at.SE)))
		}
		l.Value, l.NameY = short(at.Mean), y(at.Mean)
	}
	l.Path = path.String()
	return l
}

// apartNames moves names that would overlap apart, in the order of their lines' ends.
func apartNames(lines []line) {
	order := make([]*line, len(lines))
	for i := range lines {
		order[i] = &lines[i]
		lines[i].KeyY = lines[i].NameY
	}
	for i := range order { // few lines
		for k := i; k > 0 && order[k].KeyY < order[k-1].KeyY; k-- {
			order[k], order[k-1] = order[k-1], order[k]
		}
	}
	for i := 1; i < len(order); i++ {
		order[i].NameY = math.Max(order[i].NameY, order[i-1].NameY+nameHigh)
	}
	if n := len(order); n > 0 && order[n-1].NameY > plotBottom {
		order[n-1].NameY = plotBottom
		for i := n - 2; i >= 0; i-- {
			order[i].NameY = math.Min(order[i].NameY, order[i+1].NameY-nameHigh)
		}
	}
}

func tenth(x float64) float64 { return math.Round(x*10) / 10 }
