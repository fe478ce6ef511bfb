package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// leastShown is the least transition probability with an arc; the matrix beside the picture has all of them.
const leastShown = 0.01

// Sizes of the state diagram in units.
const (
	statesGap    = 150.0 // between the middles of two states
	statesRadius = 37.0
)

// LongStates is the number of states from which on a row of them needs a wide window.
const LongStates = 6

// States draws the Markov chain of the hidden states, [HMM] fig. 4: T_{n-1} on the left, T_0 of the targets on the right. An
// arc is a transition with its probability; more probable ones are wider. As a column, which narrow windows have room for,
// T_{n-1} is at the top and T_0 at the bottom.
func States(transition [][]float64, column bool) Picture {
	n := len(transition)
	above, below := reach(transition)
	mid := 76 + statesRadius + 36*math.Max(0, above-1)
	p := Picture{Width: statesGap*float64(n-1) + 180, Height: mid + statesRadius + 36 + 36*math.Max(0.5, below)}
	d := chain{column: column}
	for s := range n {
		d.at = append(d.at, Point{90 + statesGap*float64(n-1-s), mid})
	}
	for i := range n {
		for j := range n {
			if transition[i][j] >= leastShown {
				p.Edges = append(p.Edges, d.arc(i, j, transition[i][j]))
			}
		}
	}
	for s := range n {
		class := "state"
		if s == 0 {
			class = "state target"
		}
		at := d.turn(d.at[s])
		p.Nodes = append(p.Nodes, Node{X: at.X, Y: at.Y, R: statesRadius, Class: class, Text: "T" + subscript(s),
			Sub: brief(s, n), Title: fmt.Sprintf("T%d: %s", s, hops(s, n))})
	}
	if column {
		p.Width, p.Height = p.Height, p.Width
	}
	p.Desc = statesDesc(transition)
	p.round()
	return p
}

// chain has the places of the states in a row.
type chain struct {
	at     []Point
	column bool
}

// turn returns the place in the picture of a place in the row.
func (d chain) turn(p Point) Point {
	if d.column {
		return Point{p.Y, p.X}
	}
	return p
}

// curve is the path of a curve through the row.
func (d chain) curve(from, near, far, to Point) string {
	from, near, far, to = d.turn(from), d.turn(near), d.turn(far), d.turn(to)
	return Path("M", from.X, from.Y, "C", near.X, near.Y, far.X, far.Y, to.X, to.Y)
}

// brief describes a state in a text that fits into a circle.
func brief(s, states int) string {
	switch {
	case s == 0:
		return "useful"
	case s == states-1:
		return strconv.Itoa(s) + "+ links"
	case s == 1:
		return "1 link"
	}
	return strconv.Itoa(s) + " links"
}

// reach returns how many states the longest drawn arcs span: above, towards the targets, and below, away from them.
func reach(transition [][]float64) (above, below float64) {
	for i := range transition {
		for j, prob := range transition[i] {
			if prob >= leastShown {
				above, below = math.Max(above, float64(i-j)), math.Max(below, float64(j-i))
			}
		}
	}
	return above, below
}

// arc draws a transition: above the states towards the targets, below them away from the targets, and on top as a loop. In a
// column, above is on the left.
func (d chain) arc(i, j int, prob float64) Edge {
	const radius = statesRadius
	e := Edge{Class: "arc", Label: fmt.Sprintf("%.0f %%", math.Max(prob*100, 1)), Weight: math.Round((1+5*prob)*10) / 10,
		Title: fmt.Sprintf("From T%d to T%d: %.1f %%", i, j, prob*100)}
	a, b := d.at[i], d.at[j]
	if i == j {
		e.Class = "arc stay"
		e.Path = d.curve(Point{a.X - 13, a.Y - radius + 2}, Point{a.X - 34, a.Y - radius - 44}, Point{a.X + 34, a.Y - radius - 44}, Point{a.X + 13, a.Y - radius - 4})
		label := d.turn(Point{a.X, a.Y - radius - 38})
		e.X, e.Y = label.X, label.Y
		return e
	}
	// The control point is twice as high as the top of the arc. Longer arcs are higher, so that they do not cross.
	steps := math.Abs(float64(i - j))
	rise := -(30 + 46*(steps-1)) - radius*1.4
	if j > i {
		e.Class = "arc away"
		rise = -rise
	}
	const side = radius * 0.62
	dir := 1.0
	if b.X < a.X {
		dir = -1
	}
	up := math.Copysign(side, rise)
	from, to := Point{a.X + dir*side, a.Y + up}, Point{b.X - dir*(side+3), b.Y + up + math.Copysign(4, rise)}
	if steps == 1 {
		rise = math.Copysign(46, rise)
	}
	e.Path = d.curve(from, Point{from.X + dir*20, from.Y + rise}, Point{to.X - dir*20, to.Y + rise}, to)
	label := d.turn(Point{(from.X + to.X) / 2, from.Y + rise*0.75})
	e.X, e.Y = label.X, label.Y+5
	return e
}

func statesDesc(transition [][]float64) string {
	var rows []string
	for i := len(transition) - 1; i >= 0; i-- {
		var parts []string
		for j := len(transition[i]) - 1; j >= 0; j-- {
			if transition[i][j] >= leastShown {
				parts = append(parts, fmt.Sprintf("T%d %.0f %%", j, transition[i][j]*100))
			}
		}
		rows = append(rows, fmt.Sprintf("from T%d to %s", i, strings.Join(parts, ", ")))
	}
	return "How likely a link leads from one state to another: " + strings.Join(rows, "; ") + "."
}
