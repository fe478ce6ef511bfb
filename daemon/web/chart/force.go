package chart

import "math"

// Point is a position in a picture; Y grows downwards.
type Point struct{ X, Y float64 }

// spread places n nodes so that linked nodes are near and others apart: the force-directed layout of Fruchterman and
// Reingold (1991), with a pull to the middle that keeps unlinked parts together. It starts from a sunflower spiral in the
// order of the nodes, so that it is deterministic. Linked nodes end up about 1 apart.
func spread(n int, springs []spring) []Point {
	at := make([]Point, n)
	for i := range at {
		r, angle := math.Sqrt(float64(i)+0.5), float64(i)*math.Pi*(3-math.Sqrt(5))
		at[i] = Point{r * math.Cos(angle), r * math.Sin(angle)}
	}
	rounds := 300
	if n > 250 {
		rounds = 20_000_000 / (n * n) // bounds the work of a very large session
	}
	move := make([]Point, n)
	for round := range rounds {
		heat := 1.2 * (1 - float64(round)/float64(rounds))
		repel(at, move)
		attract(at, move, springs)
		for i := range at {
			move[i].X -= 0.3 * at[i].X
			move[i].Y -= 0.6 * at[i].Y // stronger, as screens are wider than high
			if d := math.Hypot(move[i].X, move[i].Y); d > heat {
				move[i].X, move[i].Y = move[i].X*heat/d, move[i].Y*heat/d
			}
			at[i].X += move[i].X
			at[i].Y += move[i].Y
		}
	}
	return at
}

// repel sets each node's move to the sum of 1/d away from every other node.
func repel(at, move []Point) {
	for i := range at {
		var sum Point
		for j := range at {
			if i == j {
				continue
			}
			dx, dy := at[i].X-at[j].X, at[i].Y-at[j].Y
			d2 := dx*dx + dy*dy
			if d2 < 1e-4 {
				dx, d2 = 1e-2*float64(i-j), 1e-4 // separate two nodes at one position along the x axis
			}
			sum.X += dx / d2
			sum.Y += dy / d2
		}
		move[i] = sum
	}
}

// spring pulls two nodes together.
type spring struct {
	a, b     int
	strength float64
}

// attract adds strength·d² along every spring.
func attract(at, move []Point, springs []spring) {
	for _, s := range springs {
		dx, dy := at[s.b].X-at[s.a].X, at[s.b].Y-at[s.a].Y
		pull := s.strength * math.Hypot(dx, dy)
		move[s.a].X += dx * pull
		move[s.a].Y += dy * pull
		move[s.b].X -= dx * pull
		move[s.b].Y -= dy * pull
	}
}

// separate moves nodes apart until no two boxes of the given size around them overlap, in at most 120 rounds.
func separate(at []Point, wide, high float64) {
	for range 120 {
		moved := false
		for i := range at {
			for j := range i {
				dx, dy := at[i].X-at[j].X, at[i].Y-at[j].Y
				x, y := wide-math.Abs(dx), high-math.Abs(dy)
				if x <= 0.5 || y <= 0.5 {
					continue
				}
				moved = true
				if x/wide < y/high { // the shorter way out
					d := math.Copysign(x/2, dx)
					at[i].X, at[j].X = at[i].X+d, at[j].X-d
				} else {
					d := math.Copysign(y/2, dy)
					at[i].Y, at[j].Y = at[i].Y+d, at[j].Y-d
				}
			}
		}
		if !moved {
			return
		}
	}
}

// frame moves points so that the margins are around them, and returns the size of the picture.
func frame(at []Point, marginX, marginY float64) (width, height float64) {
	if len(at) == 0 {
		return 2 * marginX, 2 * marginY
	}
	lo, hi := at[0], at[0]
	for _, p := range at {
		lo = Point{math.Min(lo.X, p.X), math.Min(lo.Y, p.Y)}
		hi = Point{math.Max(hi.X, p.X), math.Max(hi.Y, p.Y)}
	}
	for i := range at {
		at[i].X += marginX - lo.X
		at[i].Y += marginY - lo.Y
	}
	return hi.X - lo.X + 2*marginX, hi.Y - lo.Y + 2*marginY
}
