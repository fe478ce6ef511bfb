package lsi

import "math"

// Leading returns the first k coordinates of a vector of length 1, scaled to length 1: where Fold places the document in the
// space of rank k. It is the zero vector, of length k, for a document that has no place there. k is lowered to the length
// of the vector.
func Leading(v []float64, k int) []float64 {
	w := append([]float64(nil), v[:min(k, len(v))]...)
	length := math.Sqrt(dot(w, w))
	if length < negligible {
		clear(w)
		return w
	}
	for i := range w {
		w[i] /= length
	}
	return w
}
