package lsi

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The eigenvalues and last entries are those of the dense solver. Where an eigenvalue is multiple, only the length of the
// last entries over all its vectors is definite.
func TestTridiagonal(t *testing.T) {
	const absTol = 1e-12 // entries of size 1
	rng := rand.New(rand.NewPCG(1, 4))
	for n := 1; n <= 60; n++ {
		diagonal, beside := make([]float64, n), make([]float64, n)
		g := make([]float64, n*n)
		for i := range n {
			diagonal[i], beside[i] = rng.NormFloat64(), rng.NormFloat64()
			switch {
			case n%5 == 1 && i%3 == 0: // falls apart
				beside[i] = 0
			case n%5 == 2: // eigenvalues of very different sizes
				diagonal[i], beside[i] = diagonal[i]*math.Exp(-float64(i)), beside[i]*math.Exp(-float64(i))
			case n%5 == 3: // one of the second differences
				diagonal[i], beside[i] = 2, -1
			case n%5 == 4: // multiple eigenvalues
				diagonal[i], beside[i] = 1, float64(i%2)
			}
			g[i*n+i] = diagonal[i]
		}
		for i := range n - 1 {
			g[i*n+i+1], g[(i+1)*n+i] = beside[i], beside[i]
		}
		want, z := symmetric(g, n)
		got, last := tridiagonal(diagonal, beside)
		for j := 0; j < n; {
			a, b, end := 0.0, 0.0, j
			for ; end < n && want[end] > want[j]-1e-9; end++ {
				if math.Abs(got[end]-want[end]) > absTol {
					t.Errorf("order %d: eigenvalue %d is %v, want %v", n, end, got[end], want[end])
				}
				a += last[end] * last[end]
				b += z[(n-1)*n+end] * z[(n-1)*n+end]
			}
			if math.Abs(math.Sqrt(a)-math.Sqrt(b)) > 1e-6 { // where eigenvalues are near each other, vectors are less definite
				t.Errorf("order %d: last entries of eigenvalue %d have length %v, want %v", n, j, math.Sqrt(a), math.Sqrt(b))
			}
			j = end
		}
	}
}
