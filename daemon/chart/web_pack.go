package chart

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/graph/topo"
)

// pack lays out each connected part by itself and puts the parts close together, the largest in the middle.
func pack(n int, ties []tie) []Point {
	at := make([]Point, n)
	taken := make(map[[2]int]bool)
	for _, nodes := range partsOf(n, ties) {
		local := make(map[int]int, len(nodes))
		for k, i := range nodes {
			local[i] = k
		}
		var inside []tie
		for _, t := range ties {
			if k, ok := local[t.a]; ok {
				inside = append(inside, tie{k, local[t.b], t.length})
			}
		}
		points := level(stress(len(nodes), inside))
		by := freePlace(taken, points)
		for k, i := range nodes {
			at[i] = Point{points[k].X + by.X, points[k].Y + by.Y}
			taken[cell(at[i])] = true
		}
	}
	return at
}

// partsOf returns the connected parts, largest first.
func partsOf(n int, ties []tie) [][]int {
	var parts [][]int
	for _, nodes := range topo.ConnectedComponents(graphOf(n, ties)) {
		part := make([]int, len(nodes))
		for k, node := range nodes {
			part[k] = int(node.ID())
		}
		slices.Sort(part)
		parts = append(parts, part)
	}
	slices.SortFunc(parts, func(a, b []int) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0])) })
	return parts
}

// level moves the middle of the points to the origin and turns them, so that they spread most along x, and the first of them is
// on the left.
func level(at []Point) []Point {
	var mid Point
	for _, p := range at {
		mid.X += p.X / float64(len(at))
		mid.Y += p.Y / float64(len(at))
	}
	var xx, xy, yy float64
	for _, p := range at {
		dx, dy := p.X-mid.X, p.Y-mid.Y
		xx, xy, yy = xx+dx*dx, xy+dx*dy, yy+dy*dy
	}
	turn := 0.5 * math.Atan2(2*xy, xx-yy)
	sin, cos := math.Sincos(-turn)
	out := make([]Point, len(at))
	for i, p := range at {
		dx, dy := p.X-mid.X, p.Y-mid.Y
		out[i] = Point{dx*cos - dy*sin, dx*sin + dy*cos}
	}
	if out[0].X > 0 {
		for i := range out {
			out[i] = Point{-out[i].X, -out[i].Y}
		}
	}
	return out
}

// cell is the square of side 1 that a point is in.
func cell(p Point) [2]int { return [2]int{int(math.Round(p.X)), int(math.Round(p.Y))} }

// freePlace returns the nearest shift to the middle at which none of the points is in or beside a taken cell.
func freePlace(taken map[[2]int]bool, points []Point) Point {
	free := func(by Point) bool {
		for _, p := range points {
			c := cell(Point{p.X + by.X, p.Y + by.Y})
			for dx := -1; dx <= 1; dx++ {
				for dy := -1; dy <= 1; dy++ {
					if taken[[2]int{c[0] + dx, c[1] + dy}] {
						return false
					}
				}
			}
		}
		return true
	}
	const wide = WebWidth / WebHeight
	for r := 0.0; ; r++ {
		count := max(1, int(2*math.Pi*r))
		for k := range count {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(count))
			if by := (Point{r * cos * wide, r * sin}); free(by) {
				return by
			}
		}
	}
}

// fill spreads the points over the whole picture without overlaps. It keeps who is beside whom: both axes are stretched, and
// crowded stretches of them more than empty ones. Ringed points get more room, for their titles.
func fill(at []Point, ringed []bool) {
	const margin, evenly = 26.0, 0.45
	n := len(at)
	if n == 1 {
		at[0] = Point{WebWidth / 2, WebHeight / 2}
		return
	}
	for _, axis := range []struct {
		of   func(*Point) *float64
		size float64
	}{{func(p *Point) *float64 { return &p.X }, WebWidth}, {func(p *Point) *float64 { return &p.Y }, WebHeight}} {
		order := sorted(n, func(a, b int) int { return cmp.Compare(*axis.of(&at[a]), *axis.of(&at[b])) })
		low, high := *axis.of(&at[order[0]]), *axis.of(&at[order[n-1]])
		for rank, i := range order {
			v := axis.of(&at[i])
			share := 0.5
			if high-low > 1e-6 {
				share = (1-evenly)*(*v-low)/(high-low) + evenly*float64(rank)/float64(n-1)
			}
			*v = margin + share*(axis.size-2*margin)
		}
	}
	room := math.Sqrt(WebWidth * WebHeight / float64(n))
	spaced(at, ringed, math.Min(0.64*room, 90), margin)
}

// How much farther than others a ringed point is from another point, and from a ringed one.
const (
	roomOfRing  = 1.2
	roomOfRings = 1.5
)

// spaced moves points until all of them are at least least apart, in at most 400 rounds, and keeps them inside the margins.
func spaced(at []Point, ringed []bool, least, margin float64) {
	cellSize := least * roomOfRings
	for round := range 400 {
		grid := make(map[[2]int][]int, len(at))
		for i, p := range at {
			c := [2]int{int(p.X / cellSize), int(p.Y / cellSize)}
			grid[c] = append(grid[c], i)
		}
		moved := false
		for i := range at {
			cx, cy := int(at[i].X/cellSize), int(at[i].Y/cellSize)
			for dx := -1; dx <= 1; dx++ {
				for dy := -1; dy <= 1; dy++ {
					for _, j := range grid[[2]int{cx + dx, cy + dy}] {
						if j >= i {
							continue
						}
						need := least
						if ringed[i] && ringed[j] {
							need *= roomOfRings
						} else if ringed[i] || ringed[j] {
							need *= roomOfRing
						}
						moved = push(at, i, j, need, round) || moved
					}
				}
			}
		}
		for i, p := range at {
			at[i] = Point{math.Min(math.Max(p.X, margin), WebWidth-margin), math.Min(math.Max(p.Y, margin), WebHeight-margin)}
		}
		if !moved {
			return
		}
	}
}

// push moves two points apart when they are too near, and reports whether they were.
func push(at []Point, i, j int, least float64, round int) bool {
	dx, dy := at[i].X-at[j].X, at[i].Y-at[j].Y
	d := math.Hypot(dx, dy)
	if d >= least-0.2 {
		return false
	}
	if d < 1e-6 { // two nodes at one position: any direction does, another one in each round
		sin, cos := math.Sincos(float64(i+7*j) + float64(round))
		dx, dy, d = cos, sin, 1
		at[i].X += dx
		at[i].Y += dy
	}
	by := 0.55 * (least - d) / d
	at[i].X += dx * by
	at[i].Y += dy * by
	at[j].X -= dx * by
	at[j].Y -= dy * by
	return true
}
