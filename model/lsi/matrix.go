package lsi

// sparse is a rows×cols matrix in compressed columns: column j holds value[p] at row index[p] for p from start[j] to
// start[j+1], rows ascending.
type sparse struct {
	rows, cols int
	start      []int
	index      []int32
	value      []float64
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

// mulTrans sets dst = aᵀ x, where x is rows×width and dst cols×width, both row-major.
func (a *sparse) mulTrans(dst, x []float64, width int) {
	if width == block {
		a.mulTransBlock(dst, x)
		return
	}
	for j := range a.cols {
		d := dst[j*width : (j+1)*width]
		clear(d)
		for p := a.start[j]; p < a.start[j+1]; p++ {
			v := a.value[p]
			row := x[int(a.index[p])*width:][:len(d)]
			for c, e := range row {
				d[c] += v * e
			}
		}
	}
}

// mulTransBlock is mulTrans for the width that the iteration uses all the time, with the sums in registers.
func (a *sparse) mulTransBlock(dst, x []float64) {
	for j := range a.cols {
		var d [block]float64
		for p := a.start[j]; p < a.start[j+1]; p++ {
			v := a.value[p]
			row := (*[block]float64)(x[int(a.index[p])*block:])
			d[0] += v * row[0]
			d[1] += v * row[1]
			d[2] += v * row[2]
			d[3] += v * row[3]
		}
		copy(dst[j*block:], d[:])
	}
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
	for j := range n {
		row := g[j*n : (j+1)*n]
		for p := a.start[j]; p < a.start[j+1]; p++ {
			v, term := a.value[p], a.index[p]
			for q := t.start[term]; q < t.start[term+1] && int(t.index[q]) <= j; q++ {
				row[t.index[q]] += v * t.value[q]
			}
		}
		for i, v := range row[:j] {
			g[i*n+j] = v
		}
	}
	return g
}
