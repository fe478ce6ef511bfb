package lsi

import (
	"math"

	"nightjar/model/internal/parallel"
	"nightjar/model/text"
)

// Space is a fitted LSI space of k dimensions over m terms. Its exported fields must not be changed; its methods are
// safe for concurrent use.
type Space struct {
	Terms    []string  // vocabulary, sorted, m entries
	IDF      []float64 // log2(N/df)+1, m entries
	Basis    []float32 // U_k, m×k, row-major, orthonormal columns up to rounding (6e-8 of each number)
	Singular []float64 // σ_1 ≥ … ≥ σ_k > 0
}

// Fit returns the space of the documents and their unit coordinates in it (a zero vector of length k for a document without
// terms). Terms of the collection that no document has are left out. rank is the number of dimensions; 0 means the smallest
// number that keeps 90 % of the squared singular values, at most 50. It is lowered to what the documents and terms allow,
// and singular values below 1e-6·σ₁ are dropped. Without any terms the space has rank 0. The coordinates of document i are
// exactly those that Fold returns for it.
//
// The decomposition is in double precision. At its end U_k is rounded to single precision, which moves a coordinate by less
// than 1e-7 and halves the size of a trained model.
func Fit(docs text.Collection, rank int) (*Space, [][]float64) {
	terms, df, number := vocabulary(docs)
	s := &Space{Terms: terms, IDF: idf(df, len(docs.Docs))}
	a := matrix(docs, number, s.IDF)
	s.Basis, s.Singular = truncate[float32](a, rank)
	coords := make([][]float64, a.cols)
	parallel.Each(a.cols, func(j int) { coords[j], _ = s.project(a.column(j)) })
	return s, coords
}

// Fold returns the coordinates of an unseen document: U_kᵀ d scaled to length 1, where d is weighted by [HMM] eq. (1) with
// the training vocabulary and document frequencies. The terms of the document are given by their places in Terms, ascending.
// known is false, and v the zero vector of length k, when the document has no terms, or when they lie wholly in the
// dimensions that the space has dropped.
func (s *Space) Fold(doc []text.Occurrence) (v []float64, known bool) {
	index, value := make([]int32, len(doc)), make([]float64, len(doc))
	for p, o := range doc {
		index[p], value[p] = o.Term(), float64(o.Times())
	}
	weigh(index, value, s.IDF)
	return s.project(index, value)
}

// negligible is the length of U_kᵀ d, of a d of length 1, below which it is rounding error and has no direction.
const negligible = 1e-9

// project gives U_kᵀ d scaled to length 1, or zero and false, of the d with these values in these rows.
func (s *Space) project(index []int32, value []float64) ([]float64, bool) {
	k := len(s.Singular)
	v := make([]float64, k)
	p := 0
	for ; p+2 <= len(index); p += 2 { // two at a time, which halves the reading and writing of sums
		w, x := value[p], value[p+1]
		row, next := s.Basis[int(index[p])*k:][:len(v)], s.Basis[int(index[p+1])*k:][:len(v)]
		for j, u := range row {
			v[j] = v[j] + w*float64(u) + x*float64(next[j])
		}
	}
	if p < len(index) {
		for j, u := range s.Basis[int(index[p])*k:][:len(v)] {
			v[j] += value[p] * float64(u)
		}
	}
	norm := math.Sqrt(dot(v, v))
	if norm < negligible {
		clear(v)
		return v, false
	}
	for j := range v {
		v[j] /= norm
	}
	return v, true
}

// UnitCosine is the cosine of the angle between two vectors of length 1, such as coordinates in a space, in [-1, 1].
func UnitCosine(a, b []float64) float64 { return max(-1, min(1, dot(a, b))) }

// dot is the inner product.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
