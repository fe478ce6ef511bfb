package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// WebPage is a node of a session's web graph.
type WebPage struct {
	Title  string
	URL    string
	Target bool
	Href   string // of its row in the table below the picture
}

// Move is a step that the person took from one page to another.
type Move struct {
	From, To int
	Back     bool // with the Back button
}

// Web draws the web graph of a session, [HMM] fig. 2b. Pages are numbered in the order given, and targets have red rings.
// Links are thin, the person's moves are bold and numbered, and moves by Back are dotted.
func Web(pages []WebPage, links [][2]int, moves []Move) Picture {
	n := len(pages)
	at := spread(n, springs(links, moves))
	for i := range at {
		at[i].X, at[i].Y = at[i].X*62, at[i].Y*56
	}
	separate(at, 84, 46)
	p := Picture{}
	p.Width, p.Height = frame(at, 70, 40)
	radius := 15.0
	for i, page := range pages {
		node := Node{X: at[i].X, Y: at[i].Y, R: radius, Text: strconv.Itoa(i + 1), Href: page.Href,
			Title: fmt.Sprintf("%d. %s\n%s", i+1, page.Title, page.URL), Class: "page"}
		if page.Target {
			node.Class = "page target"
		}
		if n <= 80 {
			node.Label = Shorten(15, page.Title)
		}
		p.Nodes = append(p.Nodes, node)
	}
	taken := p.moves(pages, at, moves, radius)
	p.links(at, links, taken, radius)
	p.Desc = describe(pages, links, moves)
	p.round()
	return p
}

// springs pull pages together that the person moved between. Other links pull weakly: the pages of a site all link to each
// other and would end up in a heap.
func springs(links [][2]int, moves []Move) []spring {
	const moved, linked = 1, 0.03
	strength := make(map[[2]int]float64)
	var order [][2]int
	pull := func(a, b int, s float64) {
		key := [2]int{min(a, b), max(a, b)}
		if _, ok := strength[key]; !ok {
			order = append(order, key)
		}
		if a != b {
			strength[key] = math.Max(strength[key], s)
		}
	}
	for _, m := range moves {
		pull(m.From, m.To, moved)
	}
	for _, l := range links {
		pull(l[0], l[1], linked)
	}
	var all []spring
	for _, key := range order {
		all = append(all, spring{key[0], key[1], strength[key]})
	}
	return all
}

// moves draws the person's moves, numbered in order, and returns the links that they followed.
func (p *Picture) moves(pages []WebPage, at []Point, moves []Move, radius float64) map[[2]int]bool {
	taken := make(map[[2]int]bool)
	numbers := make(map[[2]int][]string)
	drawn := make(map[[2]int]int)
	step := 0
	for _, m := range moves {
		if m.From == m.To {
			continue
		}
		key := [2]int{m.From, m.To}
		class, bend := "move", 0.08
		if m.Back {
			class, bend = "back", 0.22
		} else {
			step++
			numbers[key] = append(numbers[key], strconv.Itoa(step))
			if taken[key] {
				p.Edges[drawn[key]].Label = strings.Join(numbers[key], ", ")
				continue
			}
			taken[key] = true
			drawn[key] = len(p.Edges)
		}
		d, label := arrow(at[m.From], at[m.To], radius, radius, bend)
		e := Edge{Path: d, Class: class, X: label.X, Y: label.Y + 4,
			Title: fmt.Sprintf("%s, from %d to %d", strings.ToUpper(class[:1])+class[1:], m.From+1, m.To+1)}
		if !m.Back && len(moves) <= 150 {
			e.Label = strconv.Itoa(step)
		}
		p.Edges = append(p.Edges, e)
	}
	return taken
}

// links draws the links that were not followed, below everything else.
func (p *Picture) links(at []Point, links [][2]int, taken map[[2]int]bool, radius float64) {
	var under []Edge
	for _, l := range links {
		if l[0] == l[1] || taken[l] {
			continue
		}
		d, _ := arrow(at[l[0]], at[l[1]], radius, radius, 0.04)
		under = append(under, Edge{Path: d, Class: "link"})
	}
	p.Edges = append(under, p.Edges...)
}

func describe(pages []WebPage, links [][2]int, moves []Move) string {
	var targets []string
	for i, page := range pages {
		if page.Target {
			targets = append(targets, fmt.Sprintf("%d (%s)", i+1, Shorten(60, page.Title)))
		}
	}
	back := 0
	for _, m := range moves {
		if m.Back {
			back++
		}
	}
	text := fmt.Sprintf("A graph of %d pages and %d links between them, with %d moves along links and %d by Back. ",
		len(pages), len(links), len(moves)-back, back)
	if len(targets) == 0 {
		return text + "No page is marked Useful."
	}
	return text + "Marked Useful: " + strings.Join(targets, "; ") + ". The table below lists every page."
}

// Shorten cuts text to n runes, the last of them an ellipsis.
func Shorten(n int, t string) string {
	r := []rune(strings.TrimSpace(t))
	if len(r) <= n {
		return string(r)
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
