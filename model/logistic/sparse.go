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

func (a compressed) lines() int { return len(a.start) - 1 }

// matrix is X in the coordinates of the terms, once by rows and once by columns: both products then only gather, and each
// number of a result is one sum in one order, whoever computes it.
type matrix struct {
	byRow, byColumn compressed
}

// newMatrix takes the rows listed in use. Terms of no row are left out. The terms that only one row has are rotated into
// one term of that row: with v their values, the best weights for them are a multiple of v, so that ‖v‖ times one weight
// says all, at the same penalty. In text that is about half of the vocabulary.
func newMatrix(ctx context.Context, p *Problem, use []int) (*matrix, error) {
	place, columns, entries := places(p, use)
	a := compressed{start: make([]int, 1, len(use)+1), index: make([]int32, 0, entries), value: make([]float32, 0, entries)}
	for _, i := range use {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
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
	t, err := a.transpose(ctx, columns)
	return &matrix{byRow: a, byColumn: t}, err
}

// places numbers the terms that at least two of the rows have; the others get -1. It also returns how many entries the matrix of
// the rows has at most.
func places(p *Problem, use []int) (place []int32, columns, entries int) {
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
		entries += int(n)
	}
	return place, columns, entries + len(use) // with one for the terms that only one row has
}

// transpose makes the lines of the columns, each in ascending order of the lines of a.
func (a compressed) transpose(ctx context.Context, columns int) (compressed, error) {
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
	for i := range a.lines() {
		if err := ctx.Err(); err != nil {
			return compressed{}, err
		}
		for p := a.start[i]; p < a.start[i+1]; p++ {
			q := next[a.index[p]]
			next[a.index[p]]++
			t.index[q], t.value[q] = int32(i), a.value[p]
		}
	}
	return t, nil
}

// sparse is a design of some rows of a matrix; parameters are feature-major.
type sparse struct {
	*matrix
	use   []int // the row of the matrix that each row of the design is
	k     int
	whole []float64 // residuals of all rows of the matrix, 0 for those not used
}

// newSparse uses the matrix of the whole problem, made once, unless only a small part of it is asked for. The terms that
// none of the used rows has then keep weights of 0.
func newSparse(ctx context.Context, p *Problem, use []int, k int) (*sparse, error) {
	if len(use) < len(p.rows)/3 {
		m, err := newMatrix(ctx, p, use)
		return &sparse{matrix: m, use: upTo(len(use)), k: k, whole: make([]float64, len(use)*k)}, err
	}
	m, err := p.whole.get(ctx, func() (*matrix, error) { return newMatrix(ctx, p, upTo(len(p.rows))) })
	return &sparse{matrix: m, use: use, k: k, whole: make([]float64, len(p.rows)*k)}, err
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func (s *sparse) dims() int { return s.byColumn.lines() }

func (s *sparse) scores(ctx context.Context, z, v []float64) {
	s.byRow.multiply(ctx, z, v, s.k, s.use)
}

func (s *sparse) gradient(ctx context.Context, g, r []float64) {
	s.byColumn.multiply(ctx, g, s.spread(r, s.k), s.k, nil)
}

func (s *sparse) mean(m, share []float64) {
	s.byColumn.sum1(m, s.spread(share, 1), nil, 0, len(m))
}

// spread puts what is k numbers a row of the design to the rows of the matrix. A row may be used more than once.
func (s *sparse) spread(r []float64, k int) []float64 {
	whole := s.whole[:s.byRow.lines()*k]
	clear(whole)
	for n, i := range s.use {
		for c := range k {
			whole[i*k+c] += r[n*k+c]
		}
	}
	return whole
}

func (s *sparse) strides() (perTerm, perClass int) { return s.k, 1 }

const (
	piece    = 1 << 15 // entries that a worker multiplies between two looks at the context: some 50 µs
	parallel = 1 << 18 // multiplications from which on more than one core is used
)

// multiply sets dst = a x, where x and dst are k wide and row-major, for the lines of a listed in which, nil for all. When
// the context ends, dst is left unfinished.
func (a compressed) multiply(ctx context.Context, dst, x []float64, k int, which []int) {
	n, entries := a.lines(), len(a.index)
	if which != nil {
		n, entries = len(which), 0
		for _, i := range which {
			entries += a.start[i+1] - a.start[i]
		}
	}
	workers := 1
	if entries*k >= parallel {
		workers = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	next, before := 0, 0
	for w := range workers {
		from, to := next, next
		for to < n && (w == workers-1 || before < entries*(w+1)/workers) {
			i := line(which, to)
			before += a.start[i+1] - a.start[i]
			to++
		}
		if w == workers-1 {
			a.pieces(ctx, dst, x, k, which, from, to)
		} else {
			wg.Go(func() { a.pieces(ctx, dst, x, k, which, from, to) })
		}
		next = to
	}
	wg.Wait()
}

// line is the n-th of the listed lines.
func line(which []int, n int) int {
	if which == nil {
		return n
	}
	return which[n]
}

// pieces computes the lines from..to of a product, looking at the context in between.
func (a compressed) pieces(ctx context.Context, dst, x []float64, k int, which []int, from, to int) {
	for from < to && ctx.Err() == nil {
		end, entries := from, 0
		for end < to && entries < piece {
			i := line(which, end)
			entries += a.start[i+1] - a.start[i]
			end++
		}
		switch k {
		case 1:
			a.sum1(dst, x, which, from, end)
		case 4:
			a.sum4(dst, x, which, from, end)
		default:
			a.sum(dst, x, k, which, from, end)
		}
		from = end
	}
}

func (a compressed) sum(dst, x []float64, k int, which []int, from, to int) {
	for n := from; n < to; n++ {
		i := line(which, n)
		sum := dst[n*k : (n+1)*k]
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

// sum1 is sum for one score a row. Several sums at a time would be no faster: most columns are short.
func (a compressed) sum1(dst, x []float64, which []int, from, to int) {
	for n := from; n < to; n++ {
		i := line(which, n)
		index := a.index[a.start[i]:a.start[i+1]]
		value := a.value[a.start[i]:a.start[i+1]]
		sum := 0.0
		for e, j := range index {
			sum += float64(value[e]) * x[j]
		}
		dst[n] = sum
	}
}

// sum4 is sum for four scores a row, the usual number of states, with the sums in registers.
func (a compressed) sum4(dst, x []float64, which []int, from, to int) {
	for n := from; n < to; n++ {
		i := line(which, n)
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
		dst[4*n], dst[4*n+1], dst[4*n+2], dst[4*n+3] = s0, s1, s2, s3
	}
}
