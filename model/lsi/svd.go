package lsi

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"nightjar/model/internal/parallel"
)

const (
	keepEnergy  = 0.90 // share of the squared singular values that the default rank keeps
	maxRank     = 50   // largest default rank
	minSingular = 1e-6 // singular values below this share of the first are dropped

	// few is the largest number of documents (or terms, if these are fewer) for which all eigenvectors of the Gram matrix
	// are computed. That costs O(N³), the iteration about O(N²) as long as the rank is small. Processor time in the
	// setting of BenchmarkWays, Gram and iteration: 18 and 23 ms for 200 documents, 33 and 30 ms for 250, 120 and 82 ms for
	// 400.
	few = 250
)

// eigen is a way to the eigenvectors of largest eigenvalue of AᵀA, given A and its transpose: eigenvalues descending,
// as many as rule asks for, and their vectors as the columns of a cols×k row-major matrix.
type eigen func(a, t *sparse, r rule) (values, vectors []float64)

// truncate gives the left singular vectors (rows×k, row-major) and singular values of the rank-k approximation of a,
// [HMM] §2.2.1, eq. (2). rank is as in Fit.
func truncate[F number](a *sparse, rank int) (left []F, singular []float64) {
	way := krylov
	if min(a.rows, a.cols) <= few {
		way = gram
	}
	return truncateBy[F](way, a, rank)
}

// truncateBy is truncate by a given way. It works on the smaller side of a: with few terms and many documents the
// eigenvectors of AAᵀ are the left singular vectors themselves.
func truncateBy[F number](way eigen, a *sparse, rank int) (left []F, singular []float64) {
	if len(a.value) == 0 {
		return nil, nil
	}
	r := rule{rank: rank, energy: a.energy()}
	t := a.transpose()
	if a.rows < a.cols {
		values, vectors := way(t, a, r)
		left = make([]F, len(vectors))
		for i, v := range vectors {
			left[i] = F(v)
		}
		return signed(left, len(values)), roots(values)
	}
	values, right := way(a, t, r)
	singular = roots(values)
	return signed(lefts[F](t, right, singular), len(values)), singular
}

// number is how singular vectors are kept. All is computed in double precision; single precision is rounded to at the end,
// row by row, as the whole in double precision would be the largest matrix of a training.
type number interface{ float32 | float64 }

// lefts gives the left singular vectors U = A V Σ⁻¹, given Aᵀ and the right ones.
func lefts[F number](t *sparse, right, singular []float64) []F {
	k := len(singular)
	out := make([]F, t.cols*k)
	parallel.Ranges(t.cols, pieces, func(from, to int) {
		sum := make([]float64, k)
		for j := from; j < to; j++ {
			clear(sum)
			index, value := t.column(j)
			for p, i := range index {
				floats.AddScaled(sum, value[p], right[int(i)*k:][:k])
			}
			for c, v := range sum {
				out[j*k+c] = F(v / singular[c])
			}
		}
	})
	return out
}

// roots gives the singular values, the roots of the eigenvalues of AᵀA.
func roots(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Sqrt(v)
	}
	return out
}

// signed makes the sign of each of the k columns of u definite, in place: the first entry that is as large as any (to
// 1e-6, so that rounding does not choose among equals) is positive.
func signed[F number](u []F, k int) []F {
	largest := make([]float64, k)
	for i := 0; i < len(u); i += k { // by rows, as they lie in memory
		for j, v := range u[i : i+k] {
			largest[j] = max(largest[j], math.Abs(float64(v)))
		}
	}
	sign := make([]F, k)
	for i, undecided := 0, k; undecided > 0; i += k {
		for j, v := range u[i : i+k] {
			if sign[j] == 0 && math.Abs(float64(v)) >= largest[j]*(1-1e-6) {
				sign[j] = F(math.Copysign(1, float64(v)))
				undecided--
			}
		}
	}
	for i := range u {
		u[i] *= sign[i%k]
	}
	return u
}

// rule says how many dimensions to keep.
type rule struct {
	rank   int     // as in Fit: 0 means by energy
	energy float64 // sum of all squared singular values
}

// most is the largest number of dimensions that can be asked for when there are n.
func (r rule) most(n int) int {
	if r.rank > 0 {
		return min(r.rank, n)
	}
	return min(maxRank, n)
}

// keep gives the number of dimensions kept of those whose squared singular values are given, descending. The energy is
// compared with a slack of 1e-12, so that rounding does not choose when the sum is 90 % exactly.
func (r rule) keep(values []float64) int {
	most := r.most(len(values))
	sum := 0.0
	for k := range most {
		if values[k] <= 0 || values[k] < minSingular*minSingular*values[0] {
			return k
		}
		sum += values[k]
		if r.rank <= 0 && sum >= (keepEnergy-1e-12)*r.energy {
			return k + 1
		}
	}
	return most
}
