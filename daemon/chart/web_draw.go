package chart

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// WebPicture is a drawn web graph. Its lines are paths in units of the layout; symbols and titles keep their size at any size of
// the picture, so their positions are shares of its width and height.
type WebPicture struct {
	Nodes   []WebNode
	Links   string   // path of the links that were not followed
	Ways    []string // paths of the links that the person followed: once, two or three times, more often
	Back    string   // path of the moves by Back
	Arrows  []WebArrow
	Steps   string // the moves in order, as spots "4-7", moves by Back as "7<4"
	Moves   int    // steps that are drawn
	LeftOut int    // links that are not drawn
	Few     bool
	Many    bool   // lines are drawn faint because there are many
	Lost    int    // pages that are not drawn
	Name    string // what the picture shows, in one sentence with its figures
	Desc    string
}

// WebNode is the symbol of a page.
type WebNode struct {
	Page   int // index
	X, Y   string
	Class  string
	Shape  int // 0 for no cluster, else 1 to 8
	Target bool
	Title  string
	Side   string // classes: of the title in a wide window, and with an x in a narrow one
	To     string // the spots that it links to
}

// WebArrow is the head of an arrow, in the middle of its line.
type WebArrow struct {
	X, Y string
	Turn int // in steps of 15°
}

// WebTurn is a direction of the heads of arrows.
type WebTurn struct{ N, Degrees int }

// WebTurns are all directions, clockwise from the right.
func WebTurns() []WebTurn {
	var all []WebTurn
	for n := range 24 {
		all = append(all, WebTurn{n, 15 * n})
	}
	return all
}

// The largest numbers of links not followed that are drawn, and of arrows on those that were.
const (
	mostFaint  = 1200
	mostArrows = 500
)

// DrawWeb draws a layout of a web graph. clusters has the cluster of each page, -1 for none; it may be nil.
func DrawWeb(l WebLayout, pages []WebPage, links [][2]int, moves []Move, clusters []int) WebPicture {
	p := WebPicture{Few: len(l.Spots) <= FewPages, Lost: len(pages) - len(l.Spots)}
	shown := l.shownLinks(links)
	to := make([][]string, len(l.Spots))
	for _, e := range shown {
		to[e[0]] = append(to[e[0]], strconv.Itoa(e[1]))
	}
	for i, s := range l.Spots {
		p.Nodes = append(p.Nodes, webNode(s, pages[s.Page], clusterOf(clusters, s.Page), strings.Join(to[i], " ")))
	}
	steps := l.shownMoves(moves)
	taken := p.drawMoves(l.Spots, steps)
	p.drawLinks(l.Spots, shown, taken)
	useful := 0
	for _, page := range pages {
		if page.Target {
			useful++
		}
	}
	p.Name = fmt.Sprintf("Web graph of %s pages, %s of them useful, with %s links and %s steps", Thousands(len(pages)), Thousands(useful),
		Thousands(len(links)), Thousands(len(moves)))
	p.Desc = webDesc(pages, links, moves)
	return p
}

func clusterOf(clusters []int, page int) int {
	if page < len(clusters) {
		return clusters[page]
	}
	return -1
}

func webNode(s Spot, page WebPage, cluster int, to string) WebNode {
	n := WebNode{Page: s.Page, X: part(s.X / WebWidth), Y: part(s.Y / WebHeight), Target: page.Target, Title: WebTitle(page.Title),
		Side: s.Title[0].Side + " x" + s.Title[1].Side, To: to, Class: "n"}
	if cluster > 0 {
		n.Shape = ClusterShape(cluster)
		n.Class += " c" + strconv.Itoa(n.Shape)
	}
	if page.Target {
		n.Class += " t"
	}
	for turned, letter := range []string{" b", " p"} {
		if band := s.Title[turned].Band; band >= 0 {
			n.Class += letter + strconv.Itoa(band)
		}
	}
	return n
}

// part writes a share as a percentage with two decimals: a tenth of a unit.
func part(v float64) string { return strconv.FormatFloat(math.Round(v*1e4)/100, 'f', -1, 64) + "%" }

// drawMoves draws the steps, each line once, and returns the pairs of spots that they join.
func (p *WebPicture) drawMoves(spots []Spot, steps []Move) map[[2]int]bool {
	taken := make(map[[2]int]bool)
	count := make(map[[2]int]int)
	var order [][2]int
	var back, all strings.Builder
	for i, m := range steps {
		sign := "-"
		if m.Back {
			sign = "<"
		}
		if i > 0 {
			all.WriteByte(' ')
		}
		fmt.Fprint(&all, m.From, sign, m.To)
		p.Moves++
		key := [2]int{m.From, m.To}
		if m.From == m.To {
			continue
		}
		if m.Back {
			if key[0] = -1 - key[0]; count[key] == 0 { // apart from the move in the same direction
				back.WriteString(bow(spots[m.From], spots[m.To]))
			}
			count[key]++
			continue
		}
		if count[key] == 0 {
			order = append(order, key)
		}
		count[key]++
		taken[ordered(m.From, m.To)] = true
	}
	p.Steps, p.Back, p.Ways = all.String(), back.String(), make([]string, 3)
	for _, key := range order {
		width := 0
		switch n := count[key]; {
		case n > 3:
			width = 2
		case n > 1:
			width = 1
		}
		a, b := spots[key[0]], spots[key[1]]
		p.Ways[width] += segment(a, b)
		if len(p.Arrows) < mostArrows {
			p.Arrows = append(p.Arrows, arrowHead(a, b))
		}
	}
	p.Many = len(order) > mostArrows
	return taken
}

// drawLinks draws the links that were not followed, one line for both directions. Of too many, the short ones are drawn: long
// ones cross everything and lead the eye nowhere.
func (p *WebPicture) drawLinks(spots []Spot, links [][2]int, taken map[[2]int]bool) {
	var faint [][2]int
	seen := make(map[[2]int]bool)
	for _, e := range links {
		if both := ordered(e[0], e[1]); !taken[both] && !seen[both] {
			seen[both] = true
			faint = append(faint, both)
		}
	}
	length := func(e [2]int) float64 {
		return math.Hypot(spots[e[0]].X-spots[e[1]].X, spots[e[0]].Y-spots[e[1]].Y)
	}
	if len(faint) > mostFaint {
		slices.SortStableFunc(faint, func(a, b [2]int) int { return int(math.Round(length(a) - length(b))) })
		p.LeftOut = len(faint) - mostFaint
		faint = faint[:mostFaint]
	}
	slices.SortFunc(faint, func(a, b [2]int) int { return a[0]*len(spots) + a[1] - b[0]*len(spots) - b[1] })
	var d strings.Builder
	for _, e := range faint {
		d.WriteString(segment(spots[e[0]], spots[e[1]]))
	}
	p.Links = d.String()
}

// segment is the path of a straight line, in whole units and relative to its start, which is short.
func segment(a, b Spot) string {
	x, y := math.Round(a.X), math.Round(a.Y)
	return pair("M", x, y) + pair("l", math.Round(b.X)-x, math.Round(b.Y)-y)
}

// bow is the path of a curve beside the straight line.
func bow(a, b Spot) string {
	dx, dy := b.X-a.X, b.Y-a.Y
	return pair("M", a.X, a.Y) + pair("q", dx/2-dy*Bend, dy/2+dx*Bend) + pair(" ", dx, dy)
}

// Bend is how far the middle of a move by Back is from the straight line, as a share of its length. graph.js has the same.
const Bend = 0.2

func pair(command string, x, y float64) string {
	second := num(y)
	if !strings.HasPrefix(second, "-") {
		second = " " + second
	}
	return command + num(x) + second
}

func arrowHead(a, b Spot) WebArrow {
	angle := math.Atan2(b.Y-a.Y, b.X-a.X)
	turn := int(math.Round(angle/(math.Pi/12))+24) % 24
	return WebArrow{part((a.X + b.X) / 2 / WebWidth), part((a.Y + b.Y) / 2 / WebHeight), turn}
}

func webDesc(pages []WebPage, links [][2]int, moves []Move) string {
	var targets []string
	for _, page := range pages {
		if page.Target {
			targets = append(targets, Shorten(60, visible(page.Title)))
		}
	}
	back := 0
	for _, m := range moves {
		if m.Back {
			back++
		}
	}
	text := fmt.Sprintf("A graph of %s and %s between them, with %s along links and %d by Back. ",
		Plural(len(pages), "page", "pages"), Plural(len(links), "link", "links"), Plural(len(moves)-back, "move", "moves"), back)
	switch n := len(targets); {
	case n == 0:
		text += "No page is marked Useful."
	case n > 12:
		text += fmt.Sprintf("Marked Useful: %s and %d more.", strings.Join(targets[:12], "; "), n-12)
	default:
		text += "Marked Useful: " + strings.Join(targets, "; ") + "."
	}
	return text + " The table below lists every page."
}

// Shorten cuts text to n runes, the last of them an ellipsis.
func Shorten(n int, t string) string {
	r := []rune(strings.TrimSpace(t))
	if len(r) <= n {
		return string(r)
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}

// longest shortens a text no more than it must to fit. It tries lengths by halves: strangers write labels of any length.
func longest(text string, fits func(string) bool) string {
	if fits(text) {
		return text
	}
	n := sort.Search(utf8.RuneCountInString(text), func(n int) bool { return !fits(Shorten(n+1, text)) })
	return Shorten(max(1, n), text)
}

// WebSteps returns the path of the last step and the path of the steps before it. steps are moves between pages.
func WebSteps(l WebLayout, steps []Move) (before, last string) {
	var d strings.Builder
	drawn := make(map[Move]bool)
	for i, m := range steps {
		a, b := l.Into[m.From], l.Into[m.To]
		if a < 0 || b < 0 || a == b {
			continue
		}
		line := segment(l.Spots[a], l.Spots[b])
		if m.Back {
			line = bow(l.Spots[a], l.Spots[b])
		}
		if i == len(steps)-1 {
			last = line
		} else if !drawn[Move{a, b, m.Back}] {
			drawn[Move{a, b, m.Back}] = true
			d.WriteString(line)
		}
	}
	return d.String(), last
}
