package crf

import (
	"math"
	"slices"
)

// steps is A, ready for sums over a step: with e^A at hand, a step costs L exponentials in the place of L².
type steps struct {
	labels int
	log    []float64 // A, row-major
	exp    []float64 // e^(A-top)
	top    float64   // the largest of A
}

func newSteps(labels int, a []float64) *steps {
	s := &steps{labels: labels, log: a, exp: make([]float64, len(a))}
	s.prepare()
	return s
}

// prepare is to be called after log has changed.
func (s *steps) prepare() {
	s.top = slices.Max(s.log)
	expOf(s.exp, s.log)
}

// expOf sets to = e^(logs-top), where top is the largest of them, which is the result. All are 0 when it is -Inf.
func expOf(to, logs []float64) (top float64) {
	top = slices.Max(logs)
	if math.IsInf(top, -1) {
		clear(to)
		return top
	}
	for i, v := range logs {
		to[i] = math.Exp(v - top)
	}
	return top
}

// faint bounds the sums of products e^(a-max a)·e^(b-max b) that are trusted. A product that is lost in underflow is less
// than 1e-307, so that up to 1e6 of them change a sum above faint by less than the rounding of a float64.
const faint = 1e-280

// forward sets to[y] = logsumexp_{y'} (from[y'] + A[y'][y]) and weights = e^(from - max from).
func (s *steps) forward(to, from, weights []float64) {
	top := expOf(weights, from) + s.top
	clear(to)
	for before, w := range weights {
		if w == 0 {
			continue
		}
		for y, e := range s.exp[before*s.labels : (before+1)*s.labels] {
			to[y] += w * e
		}
	}
	for y, sum := range to {
		if sum >= faint {
			to[y] = top + math.Log(sum)
		} else {
			to[y] = s.into(y, from)
		}
	}
}

// into is forward's sum for one label, with nothing lost.
func (s *steps) into(y int, from []float64) float64 {
	top := math.Inf(-1)
	for before, v := range from {
		top = max(top, v+s.log[before*s.labels+y])
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for before, v := range from {
		sum += math.Exp(v + s.log[before*s.labels+y] - top)
	}
	return top + math.Log(sum)
}

// backward sets to[y] = logsumexp_{y'} (A[y][y'] + from[y']) and weights = e^(from - max from).
func (s *steps) backward(to, from, weights []float64) {
	top := expOf(weights, from) + s.top
	for y := range to {
		sum := 0.0
		for after, e := range s.exp[y*s.labels : (y+1)*s.labels] {
			sum += e * weights[after]
		}
		if sum >= faint {
			to[y] = top + math.Log(sum)
		} else {
			to[y] = s.outOf(y, from)
		}
	}
}

// outOf is backward's sum for one label, with nothing lost.
func (s *steps) outOf(y int, from []float64) float64 {
	row, top := s.log[y*s.labels:(y+1)*s.labels], math.Inf(-1)
	for after, v := range from {
		top = max(top, row[after]+v)
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for after, v := range from {
		sum += math.Exp(row[after] + v - top)
	}
	return top + math.Log(sum)
}

// best sets to[y] = max_{y'} (from[y'] + A[y'][y]), and where from[y'] is that y', the first of equals. where may be nil.
func (s *steps) best(to, from []float64, where []int32) {
	for y := range to {
		top, at := math.Inf(-1), 0
		for before, v := range from {
			if v += s.log[before*s.labels+y]; v > top {
				top, at = v, before
			}
		}
		to[y] = top
		if where != nil {
			where[y] = int32(at)
		}
	}
}
