package tfidf

import "math"

// Vector is a sparse vector: Index strictly ascending, len(Index) == len(Value). The zero value is the vector of a page
// without known terms. Vectors may share their Index; nothing here changes one.
type Vector struct {
	Index []int32
	Value []float64
}

// Norm is the Euclidean length of v, at least 0.
func (v Vector) Norm() float64 {
	sum := 0.0
	for _, x := range v.Value {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// Unit is v scaled to length 1, without the terms whose weight is 0. It has no terms when v is the zero vector.
func (v Vector) Unit() Vector {
	norm := v.Norm()
	if norm == 0 {
		return Vector{}
	}
	u := Vector{Index: make([]int32, 0, len(v.Index)), Value: make([]float64, 0, len(v.Value))}
	for i, x := range v.Value {
		if x != 0 {
			u.Index, u.Value = append(u.Index, v.Index[i]), append(u.Value, x/norm)
		}
	}
	return u
}

// Dense is the inner product of v and a dense vector that has an entry for each index of v.
func (v Vector) Dense(x []float64) float64 {
	value := v.Value[:len(v.Index)]
	sum := 0.0
	for i, t := range v.Index {
		sum += value[i] * x[t]
	}
	return sum
}

// AddTo adds v·factor to a dense vector that has an entry for each index of v.
func (v Vector) AddTo(x []float64, factor float64) {
	value := v.Value[:len(v.Index)]
	for i, t := range v.Index {
		x[t] += factor * value[i]
	}
}

// Dot is the inner product of two vectors.
func Dot(v, w Vector) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(v.Index) && j < len(w.Index); {
		switch {
		case v.Index[i] < w.Index[j]:
			i++
		case v.Index[i] > w.Index[j]:
			j++
		default:
			sum += v.Value[i] * w.Value[j]
			i, j = i+1, j+1
		}
	}
	return sum
}
