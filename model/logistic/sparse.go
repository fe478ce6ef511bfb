package logistic

import (
	"context"
	"math"
	"runtime"
	"sync"
)

// design is the matrix X of the rows of a fit, n×dims, in some coordinates. Parameters are a vector of dims·k numbers
// whose order is the design's own; scores and residuals are n×k, row-major.
type design interface {
	dims() int
	// scores sets z = X v.
	scores(ctx context.Context, z, v []float64)
	// gradient sets g = Xᵀ r.
	gradient(ctx context.Context, g, r []float64)
	// mean sets m, of dims entries, to Xᵀ share.
	mean(m, share []float64)
	// strides says that the parameter of column j and class c is number j·perTerm + c·perClass.
	strides() (perTerm, perClass int)
}

// compressed is a sparse matrix by lines: line i holds value[p] at place index[p] for p from start[i] to start[i+1].
type compressed struct {
	start []int
	index []int32
	value []float32
}

// sparse is a design in the coordinates of the terms, once by rows and once by columns: both products then only gather,
// and each number of a result is one sum in one order, whoever computes it.
type sparse struct {
	byRow, byColumn compressed
	k               int
}

// newSparse takes the rows listed in use. Terms of no row are left out. The terms that only one row has are rotated into
// one term of that row: with v their values, the best weights for them are a multiple of v, so that ‖v‖ times one weight
// says all, at the same penalty. In text that is about half of the vocabulary.
func newSparse(p *Problem, use []int, k int) *sparse {
	place, columns := places(p, use)
	a := compressed{start: make([]int, 1, len(use)+1)}
	for _, i := range use {
		own := 0.0
		for e, t := range p.rows[i].Index {
			v := p.rows[i].Value[e]
			if place[t] < 0 {
				own += float64(v) * float64(v)
				continue
			}
			a.index = append(a.index, place[t])
			a.value = append(a.value, v)
		}
		if own > 0 {
			a.index = append(a.index, int32(columns))
			a.value = append(a.value, float32(math.Sqrt(own)))
			columns++
		}
		a.start = append(a.start, len(a.index))
	}
	return &sparse{byRow: a, byColumn: a.transpose(columns), k: k}
}

// places numbers the terms that at least two of the rows have; the others get -1.
func places(p *Problem, use []int) (place []int32, columns int) {
	place = make([]int32, p.columns)
	for _, i := range use {
		for _, t := range p.rows[i].Index {
			place[t]++
		}
	}
	for t, n := range place {
		if n < 2 {
			place[t] = -1
			continue
		}
		place[t] = int32(columns)
		columns++
	}
	return place, columns
}

func (a compressed) transpose(columns int) compressed {
	t := compressed{
		start: make([]int, columns+1),
		index: make([]int32, len(a.index)),
		value: make([]float32, len(a.value)),
	}
	for _, j := range a.index {
		t.start[j+1]++
	}
	for j := range columns {
		t.start[j+1] += t.start[j]
	}
	next := append([]int(nil), t.start...)
	for i := range len(a.start) - 1 {
		for p := a.start[i]; p < a.start[i+1]; p++ {
			q := next[a.index[p]]
			next[a.index[p]]++
			t.index[q], t.value[q] = int32(i), a.value[p]
		}
	}
	return t
}

func (s *sparse) dims() int { return len(s.byColumn.start) - 1 }

func (s *sparse) scores(ctx context.Context, z, v []float64) { s.byRow.multiply(ctx, z, v, s.k) }

func (s *sparse) gradient(ctx context.Context, g, r []float64) { s.byColumn.multiply(ctx, g, r, s.k) }

func (s *sparse) mean(m, share []float64) {
	s.byColumn.lines1(m, share, 0, len(m))
}

func (s *sparse) strides() (perTerm, perClass int) { return s.k, 1 }

const (
	piece    = 1 << 15 // entries that a worker multiplies between two looks at the context: some 50 µs
	parallel = 1 << 18 // multiplications from which on more than one core is used
)

// multiply sets dst = a x, where x and dst are k wide and row-major. When the context ends, dst is left unfinished.
func (a compressed) multiply(ctx context.Context, dst, x []float64, k int) {
	workers := 1
	if len(a.index)*k >= parallel {
		workers = runtime.GOMAXPROCS(0)
	}
	if workers == 1 {
		a.pieces(ctx, dst, x, k, 0, len(a.start)-1)
		return
	}
	var wg sync.WaitGroup
	from := 0
	for w := range workers {
		to := from
		for to < len(a.start)-1 && (w == workers-1 || a.start[to] < len(a.index)*(w+1)/workers) {
			to++
		}
		wg.Add(1)
		go func(from, to int) {
			defer wg.Done()
			a.pieces(ctx, dst, x, k, from, to)
		}(from, to)
		from = to
	}
	wg.Wait()
}

// pieces computes the lines from..to of a product, looking at the context in between.
func (a compressed) pieces(ctx context.Context, dst, x []float64, k, from, to int) {
	for from < to && ctx.Err() == nil {
		end := from + 1
		for end < to && a.start[end+1]-a.start[from] <= piece {
			end++
		}
		switch k {
		case 1:
			a.lines1(dst, x, from, end)
		case 4:
			a.lines4(dst, x, from, end)
		default:
			a.lines(dst, x, k, from, end)
		}
		from = end
	}
}

func (a compressed) lines(dst, x []float64, k, from, to int) {
	for i := from; i < to; i++ {
		sum := dst[i*k : (i+1)*k]
		clear(sum)
		index := a.index[a.start[i]:a.start[i+1]]
		value := a.value[a.start[i]:a.start[i+1]]
		for e, j := range index {
			v := float64(value[e])
			for c, w := range x[int(j)*k:][:len(sum)] {
				sum[c] += v * w
			}
		}
	}
}

// lines1 is lines for one score a row.
func (a compressed) lines1(dst, x []float64, from, to int) {
	for i := from; i < to; i++ {
		index := a.index[a.start[i]:a.start[i+1]]
		value := a.value[a.start[i]:a.start[i+1]]
		sum := 0.0
		for e, j := range index {
			sum += float64(value[e]) * x[j]
		}
		dst[i] = sum
	}
}

// lines4 is lines for four scores a row, the usual number of states, with the sums in registers.
func (a compressed) lines4(dst, x []float64, from, to int) {
	for i := from; i < to; i++ {
		index := a.index[a.start[i]:a.start[i+1]]
		value := a.value[a.start[i]:a.start[i+1]]
		var s0, s1, s2, s3 float64
		for e, j := range index {
			v := float64(value[e])
			w := (*[4]float64)(x[4*int(j):])
			s0 += v * w[0]
			s1 += v * w[1]
			s2 += v * w[2]
			s3 += v * w[3]
		}
		dst[4*i], dst[4*i+1], dst[4*i+2], dst[4*i+3] = s0, s1, s2, s3
	}
}
