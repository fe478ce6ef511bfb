package lsi

import (
	"gonum.org/v1/gonum/blas/blas64"

	"nightjar/model/internal/parallel"
)

// operator is G = AᵀA of order n.
type operator struct {
	t    *sparse   // Aᵀ
	cut  []int     // its columns in pieces
	sums []float64 // room for what each piece adds to the result
	n    int
}

func newOperator(a, t *sparse) *operator {
	return &operator{t: t, cut: t.shares(), sums: make([]float64, pieces*a.cols), n: a.cols}
}

// apply sets out = G x.
func (g *operator) apply(out, x []float64) {
	parallel.Each(pieces, func(i int) {
		sum := g.sums[i*g.n : (i+1)*g.n]
		clear(sum)
		g.t.addProduct(sum, x, g.cut[i], g.cut[i+1])
	})
	clear(out)
	for i := range pieces {
		for j, v := range g.sums[i*g.n : (i+1)*g.n] {
			out[j] += v
		}
	}
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// addProduct adds Σ_c c cᵀ x to sum, where c are the columns of t from one to another. Both products of a column are taken
// while it is in the cache, and x and sum are much smaller than A x. Four sums run side by side, as a single one would
// wait for each addition.
func (t *sparse) addProduct(sum, x []float64, from, to int) {
	for c := from; c < to; c++ {
		index, value := t.column(c)
		value = value[:len(index)]
		var y0, y1, y2, y3 float64
		p := 0
		for ; p+4 <= len(index); p += 4 {
			i, v := index[p:p+4:p+4], value[p:p+4:p+4]
			y0 += v[0] * x[i[0]]
			y1 += v[1] * x[i[1]]
			y2 += v[2] * x[i[2]]
			y3 += v[3] * x[i[3]]
		}
		for ; p < len(index); p++ {
			y0 += value[p] * x[index[p]]
		}
		y := y0 + y1 + (y2 + y3)
		for p, i := range index {
			sum[i] += value[p] * y
		}
	}
}

// flip gives the transpose of a rows×cols row-major matrix.
func flip(x []float64, rows, cols int) []float64 {
	out := make([]float64, len(x))
	for i := range rows {
		for j := range cols {
			out[j*rows+i] = x[i*cols+j]
		}
	}
	return out
}
