// Package layout places clusters on a map: circles as large as their clusters, the nearer the more similar they are
// ([PANORAMA] §5.2, fig. 3).
//
// Start with Places. LineWidth says how thick the line between two clusters is. There are no pictures here, only
// places: the same input gives the same places.
package layout

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/mds"
)

// Circle is the place of a cluster. X grows to the right, Y downwards, as in SVG.
type Circle struct {
	X, Y, R float64 // in the unit of Options
}

// Options of a map. All lengths have one unit, such as a pixel.
type Options struct {
	Width, Height float64 // of the map, > 0; 0 means 960 by 640
	Gap           float64 // between two circles, and between a circle and the edge, at least 0; 0 means a twentieth of the shorter side
	Cover         float64 // share of the map's area that circles cover at most, in (0, 1); 0 means .15
}

// Places puts a circle for each cluster on a map. cosines is the K×K symmetric matrix of the cosines of the centres,
// pages the size of each cluster. The areas of the circles are proportional to pages; a size below 1 counts as 1.
//
// The places are those of Torgerson's scaling (Psychometrika 17, 1952) of the dissimilarity 1-cosine to two dimensions,
// as large as the map allows, with the widest dimension along the longer side. Then circles that are too near to each
// other are pushed apart. When they cannot be, all circles and gaps become smaller. Circles never overlap, and never
// leave the map. It panics when the lengths differ.
func Places(cosines [][]float64, pages []int, o Options) []Circle {
	n := len(pages)
	if len(cosines) != n {
		panic("layout: cosines and sizes of different length")
	}
	if n == 0 {
		return nil
	}
	o.Width, o.Height = cmp.Or(o.Width, 960), cmp.Or(o.Height, 640)
	o.Gap, o.Cover = cmp.Or(o.Gap, min(o.Width, o.Height)/20), cmp.Or(o.Cover, .15)
	b := board{o: o, circles: make([]Circle, n), gap: o.Gap}
	b.size(pages)
	b.spread(scale(cosines))
	for range mostShrinks {
		if b.settle() {
			break
		}
		b.shrink(.9)
	}
	b.shrink(b.room())
	return b.circles
}

const (
	leastCosine = .1 // of clusters that a line connects
	widest      = 12 // px
)

// LineWidth is the width in pixels of the line between two clusters with this cosine of their centres: proportional to
// the cosine, in [1.2, 12], and 0 below .1, where there is no line.
func LineWidth(cosine float64) float64 {
	if !(cosine >= leastCosine) {
		return 0
	}
	return widest * min(1, cosine)
}

// scale gives a point for each cluster by Torgerson's scaling; at most two dimensions, the widest first. Points may
// coincide. The direction of an axis is chosen so that the point farthest from 0 is on its positive side.
func scale(cosines [][]float64) [][2]float64 {
	n := len(cosines)
	points := make([][2]float64, n)
	apart := mat.NewSymDense(n, nil)
	largest := 0.0
	for i, row := range cosines {
		if len(row) != n {
			panic("layout: cosines are not square")
		}
		for j := range i {
			d := max(0, 1-row[j])
			apart.SetSym(i, j, d)
			largest = max(largest, d)
		}
	}
	if !(largest > tiny) { // nothing to scale
		return points
	}
	var found mat.Dense
	dims, _ := mds.TorgersonScaling(&found, nil, apart)
	for d := range min(dims, 2) {
		far := 0
		for i := range n {
			if math.Abs(found.At(i, d)) > math.Abs(found.At(far, d))+tiny {
				far = i
			}
		}
		sign := math.Copysign(1, found.At(far, d))
		for i := range n {
			points[i][d] = sign * found.At(i, d)
		}
	}
	return points
}

const (
	tiny        = 1e-9 // below this, differences of cosines are rounding
	mostRounds  = 300  // of pushing
	mostShrinks = 60   // .9^60 is .002: by then even circles in one place have room
)

// board is a map that is being laid out.
type board struct {
	o       Options
	circles []Circle
	gap     float64
}

// size sets the radii: the circles cover Options.Cover of the map, unless the largest would be wider than half of the
// map.
func (b *board) size(pages []int) {
	all, most := 0.0, 0.0
	for _, n := range pages {
		all += float64(max(1, n))
		most = max(most, float64(max(1, n)))
	}
	unit := math.Sqrt(b.o.Cover * b.o.Width * b.o.Height / math.Pi / all)
	unit = min(unit, (min(b.o.Width, b.o.Height)/4)/math.Sqrt(most))
	for i, n := range pages {
		b.circles[i].R = unit * math.Sqrt(float64(max(1, n)))
	}
}

// spread moves the circles to points, scaled alike in both directions to what the map holds, around its middle.
func (b *board) spread(points [][2]float64) {
	width, height := b.o.Width, b.o.Height
	if height > width {
		for i, p := range points {
			points[i] = [2]float64{p[1], p[0]}
		}
	}
	low, high := points[0], points[0]
	largest := 0.0
	for i, p := range points {
		for d := range p {
			low[d], high[d] = min(low[d], p[d]), max(high[d], p[d])
		}
		largest = max(largest, b.circles[i].R)
	}
	factor := math.Inf(1)
	for d, side := range [2]float64{width, height} {
		if extent := high[d] - low[d]; extent > tiny {
			factor = min(factor, max(0, side-2*(largest+b.gap))/extent)
		}
	}
	if math.IsInf(factor, 1) {
		factor = 0
	}
	for i, p := range points {
		b.circles[i].X = width/2 + factor*(p[0]-(low[0]+high[0])/2)
		b.circles[i].Y = height/2 + factor*(p[1]-(low[1]+high[1])/2)
		b.keepIn(i)
	}
}

// settle pushes circles apart that are too near, each half of the way, until none is or the rounds are over.
func (b *board) settle() bool {
	near := 1e-6 * b.o.Width
	for range mostRounds {
		worst := 0.0
		for i := range b.circles {
			for j := range i {
				worst = max(worst, b.push(i, j))
			}
		}
		if worst <= near {
			return true
		}
	}
	return false
}

// push moves two circles apart when they are too near, and gives by how much they were.
func (b *board) push(i, j int) float64 {
	p, q := &b.circles[i], &b.circles[j]
	dx, dy := p.X-q.X, p.Y-q.Y
	distance := math.Hypot(dx, dy)
	lack := p.R + q.R + b.gap - distance
	if lack <= 0 {
		return 0
	}
	if distance < tiny*b.o.Width { // in one place: each pair goes its own way
		dy, dx = math.Sincos(float64(i*len(b.circles)+j) * math.Pi * (3 - math.Sqrt(5)))
		distance = 1
	}
	dx, dy = dx/distance*lack/2, dy/distance*lack/2
	p.X, p.Y, q.X, q.Y = p.X+dx, p.Y+dy, q.X-dx, q.Y-dy
	b.keepIn(i)
	b.keepIn(j)
	return lack
}

// keepIn moves a circle back into the map.
func (b *board) keepIn(i int) {
	c := &b.circles[i]
	edge := c.R + b.gap
	within := func(x, side float64) float64 {
		if side < 2*edge {
			return side / 2
		}
		return min(max(x, edge), side-edge)
	}
	c.X, c.Y = within(c.X, b.o.Width), within(c.Y, b.o.Height)
}

func (b *board) shrink(factor float64) {
	b.gap *= factor
	for i := range b.circles {
		b.circles[i].R *= factor
	}
}

// room is the factor, at most 1, by which circles must shrink so that none overlap.
func (b *board) room() float64 {
	factor := 1.0
	for i, p := range b.circles {
		for _, q := range b.circles[:i] {
			factor = min(factor, math.Hypot(p.X-q.X, p.Y-q.Y)/(p.R+q.R))
		}
	}
	return factor
}
