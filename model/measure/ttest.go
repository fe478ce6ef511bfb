package measure

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MeanError is the mean of values and its standard error, 0 for fewer than two.
func MeanError(values []float64) (m, se float64) {
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

// PairedT is the one-tailed paired t-test of whether a is greater than b on average: the probability of a difference that
// large or larger when there is none. Differences without any spread give 0, ½ or 1 by their sign. It panics when the lengths
// differ or are below 2.
func PairedT(a, b []float64) float64 {
	if len(a) != len(b) || len(a) < 2 {
		panic("measure: a paired test needs two or more pairs")
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	m, se := MeanError(d)
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
