package measure

import "math"

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
