package lsi

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// combine gives the first k Ritz vectors Qz as the columns of an n×k row-major matrix; z is size×size.
func (s *subspace) combine(z []float64, k int) []float64 {
	out := make([]float64, s.g.n*k)
	blas64.Gemm(blas.Trans, blas.NoTrans, 1,
		blas64.General{Rows: s.size, Cols: s.g.n, Stride: s.g.n, Data: s.q},
		blas64.General{Rows: s.size, Cols: k, Stride: s.size, Data: z},
		0, blas64.General{Rows: s.g.n, Cols: k, Stride: k, Data: out})
	return out
}

// converged says whether every pair has ‖Gv - σ²v‖ ≤ 1e-8·σ₁σ. Of GQ only what the last block of Q gives lies outside of
// the basis, so that with v = Qz the difference is that part times the last entries of z. Rounding leaves about
// 1e-16·σ₁², so that nothing below 1e-13·σ₁² is asked for.
func (s *subspace) converged(values, z []float64) bool {
	k, n := len(values), s.g.n
	outside := make([]float64, k*n)
	blas64.Gemm(blas.Trans, blas.NoTrans, 1,
		blas64.General{Rows: s.last, Cols: k, Stride: s.size, Data: z[(s.size-s.last)*s.size:]},
		blas64.General{Rows: s.last, Cols: n, Stride: n, Data: s.pending},
		0, blas64.General{Rows: k, Cols: n, Stride: n, Data: outside})
	first := math.Sqrt(values[0])
	for j, v := range values {
		if r := norm(outside[j*n : (j+1)*n]); r > residual*first*math.Sqrt(v) && r > 1e-13*values[0] {
			return false
		}
	}
	return true
}

// missed looks for an eigenvalue larger than the last of the converged ones in the orthogonal complement of their
// vectors, by Lanczos steps from a random direction. It gives the Ritz vector, or nil when there is none: the Ritz value
// after j steps is with near certainty within a share of (ln n/j)² of the largest eigenvalue there (Kuczynski &
// Wozniakowski, SIAM J. Matrix Anal. Appl. 13, 1992). energy is the trace of G, of which the rest may be too little.
func (s *subspace) missed(values, vectors []float64, energy float64) []float64 {
	k := len(values)
	for _, v := range values {
		energy -= v
	}
	if energy <= values[k-1] {
		return nil
	}
	c := &subspace{g: s.g, rng: s.rng, scale: values[0], q: flip(vectors, s.g.n, k),
		size: k, done: k, columns: make([][]float64, k)}
	c.extend(c.random(1))
	for range min(checkSteps, s.g.n-k) {
		c.expand()
	}
	theta, z := symmetric(c.projected(k), c.size-k)
	if theta[0] <= values[k-1]*(1+1e-9) {
		return nil
	}
	inner := &subspace{g: s.g, size: c.size - k, q: c.q[k*s.g.n:]}
	return inner.combine(z, 1)
}
