package measure

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Figure is a measured value with its bootstrap interval. The zero Figure, with N 0, means that nothing was measured.
type Figure struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`  // 2.5 % of the resamples lie below
	High  float64 `json:"high"` // 2.5 % lie above
	N     int     `json:"n"`    // units measured
}

const resamples = 1000

// Mean is the arithmetic mean of the values, which must be finite.
func Mean(values []float64, rng *rand.Rand) Figure {
	n := len(values)
	if n == 0 {
		return Figure{}
	}
	return interval(mean(values), n, func() float64 {
		sum := 0.0
		for range n {
			sum += values[rng.IntN(n)]
		}
		return sum / float64(n)
	})
}

// Difference is mean(a) - mean(b) for two methods measured on the same units, which are resampled in pairs: a[i] and b[i]
// belong together. It panics when the lengths differ.
func Difference(a, b []float64, rng *rand.Rand) Figure {
	if len(a) != len(b) {
		panic("measure: pairs of different length")
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return Mean(d, rng)
}

// Brier is the mean squared error of the probabilities p (Brier 1950, in its form for two classes): 0 is perfect, 0.25 is
// the score of always predicting ½. It panics when the lengths differ.
func Brier(p []float64, positive []bool, rng *rand.Rand) Figure {
	if len(p) != len(positive) {
		panic("measure: probabilities and labels of different length")
	}
	squares := make([]float64, len(p))
	for i, q := range p {
		if positive[i] {
			q = 1 - q
		}
		squares[i] = q * q
	}
	return Mean(squares, rng)
}

// interval makes the figure of a value from what again computes of as many resamples of its units.
func interval(value float64, n int, again func() float64) Figure {
	drawn := make([]float64, resamples)
	for i := range drawn {
		drawn[i] = again()
	}
	slices.Sort(drawn)
	return Figure{Value: value, Low: quantile(drawn, 0.025), High: quantile(drawn, 0.975), N: n}
}

// quantile interpolates between the sorted values nearest to the share q of them.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(math.Floor(at))
	j := min(i+1, len(sorted)-1)
	return sorted[i] + (at-float64(i))*(sorted[j]-sorted[i])
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
