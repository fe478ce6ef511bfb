package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// leastShown is the least transition probability with an arc; the matrix beside the picture has all of them.
const leastShown = 0.01

// States draws the Markov chain of the hidden states, [HMM] fig. 4: T_{n-1} on the left, T_0 of the targets on the right. An
// arc is a transition with its probability; more probable ones are wider.
func States(transition [][]float64) Picture {
	const gap, radius = 180.0, 37.0
	n := len(transition)
	above, below := reach(transition)
	mid := 60 + radius + 36*math.Max(0, above-1)
	p := Picture{Width: gap*float64(n-1) + 180, Height: mid + radius + 20 + 36*math.Max(0.5, below)}
	at := make([]Point, n)
	for s := range n {
		at[s] = Point{90 + gap*float64(n-1-s), mid}
	}
	for i := range n {
		for j := range n {
			if transition[i][j] >= leastShown {
				p.Edges = append(p.Edges, arc(at, i, j, transition[i][j], radius))
			}
		}
	}
	for s := range n {
		class := "state"
		if s == 0 {
			class = "state target"
		}
		p.Nodes = append(p.Nodes, Node{X: at[s].X, Y: at[s].Y, R: radius, Class: class, Text: "T" + subscript(s),
			Sub: brief(s, n), Title: fmt.Sprintf("T%d: %s", s, hops(s, n))})
	}
	p.Desc = statesDesc(transition)
	p.round()
	return p
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

// arc draws a transition: above the states towards the targets, below them away from the targets, and on top as a loop.
func arc(at []Point, i, j int, prob, radius float64) Edge {
	e := Edge{Class: "arc", Label: fmt.Sprintf("%.0f %%", math.Max(prob*100, 1)), Weight: math.Round((1+5*prob)*10) / 10,
		Title: fmt.Sprintf("From T%d to T%d: %.1f %%", i, j, prob*100)}
	a, b := at[i], at[j]
	if i == j {
		e.Class = "arc stay"
		e.Path = path("M", a.X-13, a.Y-radius+2, "C", a.X-34, a.Y-radius-44, a.X+34, a.Y-radius-44, a.X+13, a.Y-radius-4)
		e.X, e.Y = a.X, a.Y-radius-38
		return e
	}
	// The control point is twice as high as the top of the arc. Longer arcs are higher, so that they do not cross.
	steps := math.Abs(float64(i - j))
	rise := -(30 + 46*(steps-1)) - radius*1.4
	if j > i {
		e.Class = "arc away"
		rise = -rise
	}
	side := radius * 0.62
	dir := 1.0
	if b.X < a.X {
		dir = -1
	}
	up := math.Copysign(side, rise)
	from, to := Point{a.X + dir*side, a.Y + up}, Point{b.X - dir*(side+3), b.Y + up + math.Copysign(4, rise)}
	if steps == 1 && rise < 0 || steps == 1 && rise > 0 {
		rise = math.Copysign(46, rise)
	}
	e.Path = path("M", from.X, from.Y, "C", from.X+dir*20, from.Y+rise, to.X-dir*20, to.Y+rise, to.X, to.Y)
	e.X, e.Y = (from.X+to.X)/2, from.Y+rise*0.75+5
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
