package lsi

import (
	"slices"

	"nightjar/model/internal/parallel"
)

// sparse is a rows×cols matrix in compressed columns: column j holds value[p] at row index[p] for p from start[j] to
// start[j+1], rows ascending.
type sparse struct {
	rows, cols int
	start      []int
	index      []int32
	value      []float64
}

// column gives column j: its rows and values.
func (a *sparse) column(j int) (index []int32, value []float64) {
	from, to := a.start[j], a.start[j+1]
	return a.index[from:to:to], a.value[from:to:to]
}

// transpose gives aᵀ, again with ascending rows in each column.
func (a *sparse) transpose() *sparse {
	t := &sparse{
		rows: a.cols, cols: a.rows,
		start: make([]int, a.rows+1),
		index: make([]int32, len(a.index)),
		value: make([]float64, len(a.value)),
	}
	for _, i := range a.index {
		t.start[i+1]++
	}
	for i := range a.rows {
		t.start[i+1] += t.start[i]
	}
	next := append([]int(nil), t.start...)
	for j := range a.cols {
		for p := a.start[j]; p < a.start[j+1]; p++ {
			q := next[a.index[p]]
			next[a.index[p]]++
			t.index[q], t.value[q] = int32(j), a.value[p]
		}
	}
	return t
}

// pieces is into how many parts a loop over a matrix is cut: enough for many cores, and the same on all machines, as
// sums depend on it.
const pieces = 16

// shares cuts the columns into pieces of about as many entries: piece i is columns cut[i] to cut[i+1].
func (a *sparse) shares() []int {
	cut := make([]int, pieces+1)
	for i := 1; i < pieces; i++ {
		cut[i], _ = slices.BinarySearch(a.start, len(a.value)*i/pieces)
	}
	cut[pieces] = a.cols
	return cut
}

// energy is the squared Frobenius norm, which is the sum of the squared singular values.
func (a *sparse) energy() float64 {
	sum := 0.0
	for _, v := range a.value {
		sum += v * v
	}
	return sum
}

// gram gives aᵀa, cols×cols, row-major; t is a's transpose.
func (a *sparse) gram(t *sparse) []float64 {
	n := a.cols
	g := make([]float64, n*n)
	parallel.Each(n, func(j int) {
		row := g[j*n : (j+1)*n]
		for p := a.start[j]; p < a.start[j+1]; p++ {
			v, term := a.value[p], a.index[p]
			from, to := t.start[term], t.start[term+1]
			for q, i := range t.index[from:to] {
				if int(i) > j {
					break
				}
				row[i] += v * t.value[from+q]
			}
		}
	})
	for j := range n {
		for i, v := range g[j*n : j*n+j] {
			g[i*n+j] = v
		}
	}
	return g
}
