package lsi

import (
	"cmp"
	"math"
	"slices"
)

// tridiagonal gives the eigenvalues of a symmetric tridiagonal matrix, descending, and the last entry of the eigenvector
// of each. beside[i] is the entry next to diagonal[i] and diagonal[i+1]; it is as long as the diagonal, and its last
// entry is not read. Both are overwritten.
//
// It is the QL iteration with implicit shifts (Golub & Van Loan, Matrix Computations, 4th ed., §8.3), of which only the last
// row of the eigenvectors is kept (Golub & Welsch, Mathematics of Computation 23, 1969): that takes O(n²) steps, all
// vectors O(n³). Entries below 1e-16 of the matrix count as 0.
func tridiagonal(diagonal, beside []float64) (values, last []float64) {
	d, e, n := diagonal, beside, len(diagonal)
	last = make([]float64, n)
	last[n-1], e[n-1] = 1, 0
	scale := 0.0
	for i := range n {
		scale = max(scale, math.Abs(d[i]), math.Abs(e[i]))
	}
	negligible := 1e-16 * scale
	for l := range n {
		for {
			m := l
			for m < n-1 && math.Abs(e[m]) > negligible {
				m++
			}
			if m == l {
				break
			}
			sweep(d, e, last, l, m)
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(d[b], d[a]) })
	values, tail := make([]float64, n), make([]float64, n)
	for at, i := range order {
		values[at], tail[at] = d[i], last[i]
	}
	return values, tail
}

// sweep is one step of the iteration on the rows l to m, with the shift of Wilkinson; it makes e[l] smaller. z is the last
// row of the product of all rotations.
func sweep(d, e, z []float64, l, m int) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := s*e[i], c*e[i]
		r := math.Hypot(f, g)
		e[i+1] = r
		if r == 0 { // the matrix falls apart here
			d[i+1] -= p
			e[m] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		z[i], z[i+1] = c*z[i]-s*z[i+1], s*z[i]+c*z[i+1]
	}
	d[l] -= p
	e[l], e[m] = g, 0
}
