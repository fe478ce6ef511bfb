package crf

import (
	"math"
	"slices"
)

// LogSumExp is ln Σ e^v over natural logarithms, without overflow: -Inf for none, or when all are -Inf.
func LogSumExp(logs []float64) float64 {
	if len(logs) == 0 {
		return math.Inf(-1)
	}
	top := slices.Max(logs)
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, v := range logs {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// Softmax is the distribution with these natural logarithms of weights. When all are -Inf, no label is better than
// another, and each gets the same.
func Softmax(logs []float64) []float64 {
	p := slices.Clone(logs)
	softmax(p)
	return p
}

// softmax replaces logarithms by probabilities.
func softmax(p []float64) {
	if len(p) == 0 {
		return
	}
	top, sum := slices.Max(p), 0.0
	for y, v := range p {
		if v == top {
			p[y] = 1 // also when both are -Inf
		} else {
			p[y] = math.Exp(v - top)
		}
		sum += p[y]
	}
	for y := range p {
		p[y] /= sum
	}
}

func addTo(a, b []float64) {
	for i, v := range b {
		a[i] += v
	}
}

// shift subtracts by from all of v. Logarithms that are all -Inf stay what they are.
func shift(v []float64, by float64) {
	if math.IsInf(by, -1) {
		return
	}
	for i := range v {
		v[i] -= by
	}
}
