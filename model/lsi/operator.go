package lsi

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"nightjar/model/internal/parallel"
)

// operator is G = AᵀA of order n.
type operator struct {
	t     *sparse   // Aᵀ
	cut   []int     // its columns in pieces
	sums  []float64 // room for what each piece adds to the result
	dense []float64 // G itself, n×n, when multiplying by it takes less time than by A and Aᵀ; otherwise nil
	n     int
}

func newOperator(a, t *sparse) *operator {
	g := &operator{t: t, n: a.cols}
	if a.cols*a.cols <= 4*len(a.value) {
		g.dense = a.gram(t)
		return g
	}
	g.cut = t.shares()
	g.sums = make([]float64, pieces*block*g.n)
	return g
}

// apply gives G x for the vectors that are the rows of x (count×n).
func (g *operator) apply(x []float64, count int) []float64 {
	out := make([]float64, count*g.n)
	if g.dense != nil {
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1,
			blas64.General{Rows: count, Cols: g.n, Stride: g.n, Data: x},
			blas64.General{Rows: g.n, Cols: g.n, Stride: g.n, Data: g.dense},
			0, blas64.General{Rows: count, Cols: g.n, Stride: g.n, Data: out})
		return out
	}
	for from := 0; from < count; from += block {
		to := min(from+block, count)
		g.applySparse(out[from*g.n:to*g.n], x[from*g.n:to*g.n])
	}
	return out
}

// applySparse adds G x to out for up to block vectors.
func (g *operator) applySparse(out, x []float64) {
	count, width := len(x)/g.n, 1
	if count > 1 {
		width = block
		x = sideBySide(x, count, g.n)
	}
	parallel.Each(pieces, func(i int) {
		sum := g.sums[i*block*g.n:][:width*g.n]
		clear(sum)
		if width == 1 {
			g.t.applyOne(sum, x, g.cut[i], g.cut[i+1])
		} else {
			g.t.applyBlock(sum, x, g.cut[i], g.cut[i+1])
		}
	})
	for i := range pieces {
		sum := g.sums[i*block*g.n:]
		for c := range count {
			for j := range g.n {
				out[c*g.n+j] += sum[j*width+c]
			}
		}
	}
}

// sideBySide gives the count rows of x as the first columns of an n×block matrix: so what is needed of each vector for one
// entry of A lies together.
func sideBySide(x []float64, count, n int) []float64 {
	side := make([]float64, n*block)
	for c := range count {
		for j, v := range x[c*n : (c+1)*n] {
			side[j*block+c] = v
		}
	}
	return side
}

// applyBlock adds Σ_c c cᵀ x to sum, where c are the columns of t from one to another, and x and sum are rows×block.
// Both products of a column are taken while it is in the cache, and x and sum are much smaller than A x.
func (t *sparse) applyBlock(sum, x []float64, from, to int) {
	for c := from; c < to; c++ {
		index := t.index[t.start[c]:t.start[c+1]]
		value := t.value[t.start[c]:t.start[c+1]][:len(index)]
		var y0, y1, y2, y3 float64
		for p, i := range index {
			row, v := (*[block]float64)(x[int(i)*block:]), value[p]
			y0 += v * row[0]
			y1 += v * row[1]
			y2 += v * row[2]
			y3 += v * row[3]
		}
		for p, i := range index {
			row, v := (*[block]float64)(sum[int(i)*block:]), value[p]
			row[0] += v * y0
			row[1] += v * y1
			row[2] += v * y2
			row[3] += v * y3
		}
	}
}

// applyOne is applyBlock for a single vector.
func (t *sparse) applyOne(sum, x []float64, from, to int) {
	for c := from; c < to; c++ {
		index := t.index[t.start[c]:t.start[c+1]]
		value := t.value[t.start[c]:t.start[c+1]][:len(index)]
		y := 0.0
		for p, i := range index {
			y += value[p] * x[i]
		}
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
