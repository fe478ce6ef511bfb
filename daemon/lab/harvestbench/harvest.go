package main

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// harvest is H_1, H_2, ... of the pages of a crawl with these probabilities, in the order of fetching.
//
//	H_t = 1/t Σ_{i≤t} Pr(c⁺|p_i)        [PANORAMA] §4, eq. (4.7)
func harvest(p []float64) []float64 {
	h := make([]float64, len(p))
	sum := 0.0
	for i, x := range p {
		sum += x
		h[i] = sum / float64(i+1)
	}
	return h
}

// after is H_t; that of a crawl that ended earlier is its last. A crawl without pages has 0.
func after(h []float64, t int) float64 {
	if len(h) == 0 {
		return 0
	}
	return h[min(t, len(h))-1]
}

// mean is the mean of values and its standard error, 0 for fewer than two.
func mean(values []float64) (m, se float64) {
	n := float64(len(values))
	for _, x := range values {
		m += x / n
	}
	if n < 2 {
		return m, 0
	}
	squares := 0.0
	for _, x := range values {
		squares += (x - m) * (x - m)
	}
	return m, math.Sqrt(squares / (n - 1) / n)
}

// paired is the one-tailed paired t-test of whether a is greater than b on average: the probability of a difference that
// large or larger when there is none. Differences without any spread give 0, ½ or 1 by their sign. It panics when the lengths
// differ or are below 2.
func paired(a, b []float64) float64 {
	if len(a) != len(b) || len(a) < 2 {
		panic("harvestbench: a paired test needs two or more pairs")
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	m, se := mean(d)
	switch {
	case se > 0:
		return distuv.StudentsT{Sigma: 1, Nu: float64(len(d) - 1)}.Survival(m / se)
	case m > 0:
		return 0
	case m < 0:
		return 1
	}
	return .5
}
