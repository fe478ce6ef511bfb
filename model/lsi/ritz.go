package lsi

import (
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

// converged says whether every pair has ‖Gv - σ²v‖ ≤ 1e-8·σ₁σ. Rounding leaves about 1e-16·σ₁², so that nothing below
// 1e-13·σ₁² is asked for.
func (s *subspace) converged(values, vectors []float64) bool {
	k := len(values)
	v := flip(vectors, s.g.n, k)
	w := s.g.apply(v, k)
	for j, lambda := range values {
		r := w[j*s.g.n : (j+1)*s.g.n]
		axpy(-lambda, v[j*s.g.n:(j+1)*s.g.n], r)
		// r² against (1e-8·σ₁σ)², as λ = σ²
		if d := dot(r, r); d > residual*residual*values[0]*lambda && d > 1e-26*values[0]*values[0] {
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
	if last := values[k-1]; energy <= last {
		return nil
	}
	c := &subspace{g: s.g, rng: s.rng, size: k, q: flip(vectors, s.g.n, k), scale: values[0]}
	c.extend(c.random(1))
	steps := 0
	for before := k; c.size > before && steps < checkSteps; steps++ {
		before = c.size
		c.extend(s.g.apply(c.q[(c.size-1)*s.g.n:], 1))
	}
	found := c.size - k
	q := c.q[k*s.g.n:]
	t := make([]float64, found*found)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1,
		blas64.General{Rows: found, Cols: s.g.n, Stride: s.g.n, Data: q},
		blas64.General{Rows: found, Cols: s.g.n, Stride: s.g.n, Data: s.g.apply(q, found)},
		0, blas64.General{Rows: found, Cols: found, Stride: found, Data: t})
	theta, z := symmetric(t, found)
	if theta[0] <= values[k-1]*(1+1e-9) {
		return nil
	}
	inner := &subspace{g: s.g, size: found, q: q}
	return inner.combine(z, 1)
}
