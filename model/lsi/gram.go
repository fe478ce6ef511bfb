package lsi

import "gonum.org/v1/gonum/mat"

// gram computes all eigenvectors of AᵀA and keeps those that the rule asks for.
func gram(a, t *sparse, r rule) (values, vectors []float64) {
	all, v := symmetric(a.gram(t), a.cols)
	k := r.keep(all)
	vectors = make([]float64, a.cols*k)
	for i := range a.cols {
		copy(vectors[i*k:(i+1)*k], v[i*a.cols:])
	}
	return all[:k], vectors
}

// symmetric gives the eigenvalues of the symmetric n×n matrix g (row-major), descending, and its eigenvectors as the
// columns of an n×n row-major matrix.
func symmetric(g []float64, n int) (values, vectors []float64) {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, g), true) {
		// The QL iteration has a bound of 30 sweeps per eigenvalue, which finite input does not reach.
		panic("lsi: eigenvalues did not converge")
	}
	ascending := e.Values(nil)
	var v mat.Dense
	e.VectorsTo(&v)
	values = make([]float64, n)
	vectors = make([]float64, n*n)
	for j := range n {
		values[j] = ascending[n-1-j]
		for i := range n {
			vectors[i*n+j] = v.At(i, n-1-j)
		}
	}
	return values, vectors
}
