package month

import (
	_ "embed"
	"fmt"
	"io"
	"text/template"

	"nightjar/daemon/web/chart"
)

//go:embed picture.svg.tmpl
var pictureText string

var pictureTemplate = template.Must(template.New("picture").Parse(pictureText))

// picture is the useful pages found over the nights, a line per way.
type picture struct {
	chart.Plot
	Title, About, Desc string
	Foot               float64 // lower ends of the axis ticks
}

// draw draws the mean of all months. The one night is a level line.
func draw(to io.Writer, o *options, names []string, lived [][]*month) error {
	c := chart.Comparison{Last: float64(o.Nights), Top: 76}
	for i, name := range names {
		c.Series = append(c.Series, chart.Series{Name: name, Class: fmt.Sprintf("s%d", i), At: curve(o.Nights, lived[i])})
	}
	p := picture{Plot: chart.Compare(c), Title: "Useful pages found by the end of each night, by nights that …"}
	p.Foot = p.Bottom + 4
	p.About = fmt.Sprintf("%s; mean of months: %d", o.about(), len(lived[0]))
	for _, l := range p.Ranked() {
		p.Desc += fmt.Sprintf("Nights that %s: %s. ", l.Name, l.Value)
	}
	return pictureTemplate.Execute(to, p)
}

// curve is the mean number of useful pages found by the end of each night.
func curve(nights int, months []*month) []chart.Point {
	at := []chart.Point{{}}
	for night := 1; night <= nights; night++ {
		n := 0
		for _, m := range months {
			for _, found := range m.each[:min(night, len(m.each))] {
				n += found
			}
		}
		at = append(at, chart.Point{X: float64(night), Y: float64(n) / float64(len(months))})
	}
	if len(months[0].each) == 1 {
		at[0].Y = at[nights].Y
	}
	return at
}
