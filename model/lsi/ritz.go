package lsi

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
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

// ritz gives the Ritz values, the eigenvalues of QᵀGQ, descending, and of the eigenvector of each the entries that belong
// to the last block of Q: row i of tails is entry i of them, one a value.
func (s *subspace) ritz() (values []float64, tails [][]float64) {
	values, z := symmetric(s.projected(0), s.size)
	for i := s.size - s.last; i < s.size; i++ {
		tails = append(tails, z[i*s.size:(i+1)*s.size])
	}
	return values, tails
}

// converged says whether every pair has ‖Gv - σ²v‖ ≤ 1e-8·σ₁σ. Of GQ only what the last block of Q gives lies outside of
// the basis, so that with v = Qz the difference is that part times the last entries of z, the tails. Rounding leaves
// about 1e-16·σ₁², so that nothing below 1e-13·σ₁² is asked for.
func (s *subspace) converged(values []float64, tails [][]float64) bool {
	n, first := s.g.n, math.Sqrt(values[0])
	outside := make([]float64, n)
	for j, v := range values {
		clear(outside)
		for i, tail := range tails {
			floats.AddScaled(outside, tail[j], s.pending[i*n:(i+1)*n])
		}
		if r := norm(outside); r > residual*first*math.Sqrt(v) && r > 1e-13*values[0] {
			return false
		}
	}
	return true
}

// missed looks for eigenvalues larger than the last of the converged ones in the orthogonal complement of their vectors,
// or for any when there are fewer than the rule wants. It takes Lanczos steps from so many random directions, and finds at
// most as many copies of one eigenvalue. It gives the Ritz vectors, one a row, or nil when there are none: the Ritz value
// after j steps is with near certainty within a share of (ln n/j)² of the largest eigenvalue there (Kuczynski &
// Wozniakowski, SIAM J. Matrix Anal. Appl. 13, 1992). The rest of the energy, the trace of G, may be too little.
func (s *subspace) missed(values, vectors []float64, r rule, directions int) []float64 {
	k, least, rest := len(values), values[len(values)-1]*(1+1e-9), r.energy
	for _, v := range values {
		rest -= v
	}
	if k < r.most(s.g.n) && (r.rank > 0 || rest > (1-keepEnergy)*r.energy) {
		least = minSingular * minSingular * values[0]
	}
	if rest <= least {
		return nil
	}
	c := &subspace{g: s.g, rng: s.rng, scale: values[0], q: flip(vectors, s.g.n, k),
		size: k, done: k, columns: make([][]float64, k)}
	c.extend(c.random(directions))
	for step := 0; step < checkSteps && c.size < s.g.n; step++ {
		c.expand()
	}
	theta, z := symmetric(c.projected(k), c.size-k)
	found := 0
	for found < len(theta) && theta[found] > least {
		found++
	}
	if found == 0 {
		return nil
	}
	inner := &subspace{g: s.g, size: c.size - k, q: c.q[k*s.g.n:]}
	return flip(inner.combine(z, found), s.g.n, found)
}
