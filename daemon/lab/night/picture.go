package night

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"
	"time"
)

//go:embed picture.svg.tmpl
var pictureText string

var pictureTemplate = template.Must(template.New("picture").Parse(pictureText))

// picture is a drawn night: progress over time, with the events in the background.
type picture struct {
	Width, Height      float64
	Left, Right, Names float64
	Title, About, Desc string
	Panels             []drawn
	Spans              []span
	Kills              []float64
	XTicks             []tick
}

type drawn struct {
	Title                            string
	Heading, Top, Bottom, High, Foot float64
	YTicks                           []tick
	Path                             string
}

type span struct {
	From, Wide float64
	Name       string
}

type tick struct {
	At   float64
	Text string
}

const (
	wide   = 920.0
	left   = 64.0
	right  = 890.0
	high   = 150.0
	spaced = 215.0
)

// curve is what one panel shows: a sum after each fetch.
type curve struct {
	title string
	at    []time.Time
	much  []float64
}

// draw draws the curves of a night that starts at opens.
func draw(w io.Writer, title, about string, opens time.Time, length time.Duration, curves []curve, happened []happening) error {
	p := picture{Width: wide, Left: left, Right: right, Title: title, About: about}
	x := func(at time.Time) float64 {
		return tenth(left + (right-left)*min(1, max(0, float64(at.Sub(opens))/float64(length))))
	}
	for h := time.Duration(0); h <= length; h += 30 * time.Minute {
		p.XTicks = append(p.XTicks, tick{x(opens.Add(h)), opens.Add(h).Format("15:04")})
	}
	for _, h := range happened {
		switch {
		case h.What == kill:
			p.Kills = append(p.Kills, x(h.From))
		case h.What != poisoned:
			from, to := h.From, h.To
			if to.Before(from) {
				from, to = to, from
			}
			p.Spans = append(p.Spans, span{x(from), tenth(max(2, x(to)-x(from))), h.Words()})
		}
	}
	top := 100.0
	for _, c := range curves {
		p.Panels = append(p.Panels, plot(c, top, x))
		p.Desc += fmt.Sprintf("%s: %.0f at the end. ", c.title, last(c.much))
		top += spaced
	}
	p.Names = top - 10
	p.Height = top + 110
	return pictureTemplate.Execute(w, p)
}

func plot(c curve, top float64, x func(time.Time) float64) drawn {
	d := drawn{Title: c.title, Heading: top - 10, Top: top, Bottom: top + high, High: high, Foot: top + high + 4}
	most := max(1, last(c.much))
	y := func(v float64) float64 { return tenth(d.Bottom - high*v/most) }
	for i := range 5 {
		v := most * float64(i) / 4
		d.YTicks = append(d.YTicks, tick{y(v), fmt.Sprintf("%.0f", v)})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "M%g %g", left, d.Bottom)
	before := -1.0
	for i, at := range c.at {
		// Fetches at about the same time become one point.
		if here := x(at); here-before >= .5 || i == len(c.at)-1 {
			fmt.Fprintf(&b, "L%g %g", here, y(c.much[i]))
			before = here
		}
	}
	d.Path = b.String()
	return d
}

func last(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1]
}

func tenth(v float64) float64 { return float64(int64(v*10+.5)) / 10 }
