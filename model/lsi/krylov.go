package lsi

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

const (
	residual   = 1e-8 // bound of ‖Av - σu‖ and ‖Aᵀu - σv‖, as a share of σ₁
	ahead      = 16   // how much larger than the number of vectors wanted the subspace is at the first test for convergence
	grow       = 1.06 // it grows by this factor between tests
	checkSteps = 40   // Lanczos steps of the search for an eigenvalue that was missed
)

// krylov computes the largest eigenvalues of G = AᵀA and their vectors by Lanczos iteration with full
// reorthogonalisation (Golub & Van Loan, Matrix Computations, 4th ed., §10.1); [HMM] §2.2.1 uses Lanczos, too. With
// u = Av/σ the residual ‖Av - σu‖ is 0 and ‖Aᵀu - σv‖ = ‖Gv - σ²v‖/σ, which is iterated to at most 1e-8·σ₁.
//
// A Krylov space holds at most one copy of a multiple eigenvalue. So, when all vectors asked for have converged, a Lanczos
// run in their orthogonal complement looks for larger eigenvalues than the last; if there are any, their vectors join
// the space and the iteration goes on, from then on with blocks of vectors. Each such search looks for more copies at a
// time. To begin with a block of four takes a quarter more products on real pages.
func krylov(a, t *sparse, r rule) (values, vectors []float64) {
	g := newOperator(a, t)
	s := &subspace{g: g, rng: rand.New(rand.NewPCG(0x1a57, 0x5eed))}
	s.extend(s.random(1))
	next, copies := r.most(g.n)+ahead, 1
	for {
		for s.size < next && s.size < g.n {
			s.expand()
		}
		all, tails := s.ritz()
		values = all[:r.keep(all)]
		next = int(math.Ceil(grow * float64(s.size)))
		if s.size < g.n && !s.converged(values, tails) {
			continue
		}
		_, z := symmetric(s.projected(0), s.size)
		vectors = s.combine(z, len(values))
		if s.size == g.n {
			return values, vectors
		}
		missed := s.missed(values, vectors, r, copies)
		if missed == nil {
			return values, vectors
		}
		copies *= 2
		s.pending = append(s.pending, missed...)
		next = s.size + ahead
	}
}

// subspace is a growing orthonormal basis Q with QᵀGQ.
type subspace struct {
	g       *operator
	rng     *rand.Rand
	size    int
	q       []float64   // basis vectors, one a row: size×n
	done    int         // the first done vectors have been multiplied by G
	columns [][]float64 // columns[j][i] = q_i·G q_j for j < done and at least all i <= j
	pending []float64   // what is to join the basis next: first the part of G q outside of it, for the last block of q
	last    int         // vectors in that last block
	scale   float64     // largest ‖G q‖ seen, at most the largest eigenvalue
}

// random gives count random directions. The seed is fixed: the result must depend on the input only.
func (s *subspace) random(count int) []float64 {
	x := make([]float64, count*s.g.n)
	for i := range x {
		x[i] = s.rng.NormFloat64()
	}
	return x
}

// expand multiplies the newest basis vectors by G and takes what is new in the products into the basis. When nothing is
// new, the basis spans an invariant space, and random directions continue in its complement.
func (s *subspace) expand() {
	s.multiply()
	x := s.pending
	s.pending = nil
	s.extend(x)
	for s.size == s.done && s.size < s.g.n {
		s.extend(s.random(1))
	}
}

// multiply applies G to the basis vectors that it has not been applied to, notes the inner products of the results with
// the basis, and leaves the rest pending.
func (s *subspace) multiply() {
	n, count := s.g.n, s.size-s.done
	if count == 0 {
		return
	}
	w := make([]float64, count*n)
	for c := range count {
		product, from := w[c*n:(c+1)*n], (s.done+c)*n
		s.g.apply(product, s.q[from:from+n])
		s.scale = max(s.scale, norm(product))
	}
	s.columns = append(s.columns, s.remove(w)...)
	s.pending, s.last, s.done = w, count, s.size
}

// projected gives QᵀGQ, row-major, for the basis vectors from the given one on.
func (s *subspace) projected(from int) []float64 {
	s.multiply()
	n := s.size - from
	out := make([]float64, n*n)
	for j := range n {
		for i, product := range s.columns[from+j][from : from+j+1] {
			out[i*n+j], out[j*n+i] = product, product
		}
	}
	return out
}

// remove takes the part in the basis out of each row of w and gives the rows' inner products with the basis.
func (s *subspace) remove(w []float64) [][]float64 {
	n := s.g.n
	if s.size == 0 {
		return nil
	}
	q := blas64.General{Rows: s.size, Cols: n, Stride: n, Data: s.q}
	products := make([][]float64, len(w)/n)
	for c := range products {
		products[c] = make([]float64, s.size)
		row, product := vector(w[c*n:(c+1)*n]), vector(products[c])
		blas64.Gemv(blas.NoTrans, 1, q, row, 0, product)
		blas64.Gemv(blas.Trans, -1, q, product, 1, row)
	}
	return products
}

// extend adds the rows of x to the basis, made orthonormal; those that are already in it, up to rounding, are left out.
func (s *subspace) extend(x []float64) {
	n := s.g.n
	x, _ = orthonormal(x, n, 1e-13*s.scale)
	for left := 0.0; left < 0.7; { // what shrank much was mostly rounding error: once more
		s.remove(x)
		x, left = orthonormal(x, n, 0.01)
	}
	room := (n - s.size) * n
	s.q = append(s.q, x[:min(len(x), room)]...)
	s.size = len(s.q) / n
}

// orthonormal makes the rows of x (each of length n) orthonormal by modified Gram-Schmidt, in place, leaving out those
// of which no more than tiny is left. least is the shortest length left of one that is kept, at most 1.
func orthonormal(x []float64, n int, tiny float64) (kept []float64, least float64) {
	rows := 0
	least = 1
	for c := range len(x) / n {
		v := x[c*n : (c+1)*n]
		for p := range rows {
			floats.AddScaled(v, -dot(x[p*n:(p+1)*n], v), x[p*n:(p+1)*n])
		}
		length := norm(v)
		if length <= tiny {
			continue
		}
		least = min(least, length)
		w := x[rows*n : (rows+1)*n]
		for i := range v {
			w[i] = v[i] / length
		}
		rows++
	}
	return x[:rows*n], least
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }
