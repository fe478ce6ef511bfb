package logistic

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// spanLimit is the number of rows up to which a problem is rotated into the space that its rows span.
const spanLimit = 1000

// span holds the rows in coordinates of an orthonormal basis of the space they span: row i as L_i with X Xᵀ = L Lᵀ. The
// weights that minimise the penalised loss lie in that space (representer theorem), so that a fit needs as many numbers a
// class as there are rows, not terms. L is lower triangular, and rows[i] ends after its last coordinate that can differ
// from 0.
type span struct {
	rows [][]float64
}

// newSpan factors the Gram matrix by Cholesky's method, row by row. A row of which less than dependent of its squared
// length is new adds no coordinate.
func newSpan(ctx context.Context, p *Problem) (*span, error) {
	const dependent = 1e-13
	columns, err := byColumn(ctx, p)
	if err != nil {
		return nil, err
	}
	s := &span{rows: make([][]float64, len(p.rows))}
	gram := make([]float64, len(p.rows))
	var pivots []int // the rows that added a coordinate, in order
	for i, r := range p.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		gramLine(gram[:i+1], r, columns)
		l := make([]float64, len(pivots), len(pivots)+1)
		for j, pivot := range pivots {
			other := s.rows[pivot]
			l[j] = (gram[pivot] - floats.Dot(l[:j], other[:j])) / other[j]
		}
		if left := gram[i] - floats.Dot(l, l); left > dependent*gram[i] {
			l = append(l, math.Sqrt(left))
			pivots = append(pivots, i)
		}
		s.rows[i] = l
	}
	return s, nil
}

// byColumn is the transpose of all rows of the problem.
func byColumn(ctx context.Context, p *Problem) (compressed, error) {
	entries := 0
	for _, r := range p.rows {
		entries += len(r.Index)
	}
	a := compressed{start: make([]int, 1, len(p.rows)+1), index: make([]int32, 0, entries), value: make([]float32, 0, entries)}
	for _, r := range p.rows {
		a.index = append(a.index, r.Index...)
		a.value = append(a.value, r.Value...)
		a.start = append(a.start, len(a.index))
	}
	return a.transpose(ctx, p.columns)
}

// gramLine sets g[j] to the inner product of the row, which is the one of number len(g)-1, and row j.
func gramLine(g []float64, r Row, columns compressed) {
	clear(g)
	for e, t := range r.Index {
		v := float64(r.Value[e])
		for q := columns.start[t]; q < columns.start[t+1] && int(columns.index[q]) < len(g); q++ {
			g[columns.index[q]] += v * float64(columns.value[q])
		}
	}
}

// dense is a design in the coordinates of a span; parameters are class-major.
type dense struct {
	rows  [][]float64
	width int // the longest of rows
	k     int
}

func newDense(s *span, use []int, k int) *dense {
	d := &dense{rows: make([][]float64, len(use)), k: k}
	for n, i := range use {
		d.rows[n] = s.rows[i]
		d.width = max(d.width, len(s.rows[i]))
	}
	return d
}

func (d *dense) dims() int { return d.width }

func (d *dense) scores(_ context.Context, z, v []float64) {
	for i, row := range d.rows {
		for c := range d.k {
			z[i*d.k+c] = floats.Dot(row, v[c*d.width:][:len(row)])
		}
	}
}

func (d *dense) gradient(_ context.Context, g, r []float64) {
	clear(g)
	for i, row := range d.rows {
		for c := range d.k {
			floats.AddScaled(g[c*d.width:][:len(row)], r[i*d.k+c], row)
		}
	}
}

func (d *dense) mean(m, share []float64) {
	clear(m)
	for i, row := range d.rows {
		floats.AddScaled(m[:len(row)], share[i], row)
	}
}

func (d *dense) strides() (perTerm, perClass int) { return 1, d.width }
