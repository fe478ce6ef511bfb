package measure

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// EnoughUseful is the smallest number of useful pages from which something may be claimed about what sets them apart. With
// fewer, the intervals here hold the true value still, but one page more or less moves all figures.
const EnoughUseful = 5

// z is the 97.5 % point of the normal distribution.
const z = 1.959963984540054

// Figure is a measured value with its 95 % interval. The zero Figure, with N 0, means that nothing was measured. Each
// function of this package says how it makes the interval; doc.go shows how often these intervals hold the true value.
type Figure struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"` // units measured
}

// Within cuts the ends of the interval at low and high, for values that cannot lie outside. It never cuts off the value.
func (f Figure) Within(low, high float64) Figure {
	f.Low = min(max(f.Low, low), f.Value)
	f.High = max(min(f.High, high), f.Value)
	return f
}

// Mean is the arithmetic mean of the values, which must be finite. Its interval is that of Student's t, corrected for the
// skewness of the values by Hall's transformation (Hall 1992, Journal of the Royal Statistical Society B 54, §2; Zhou &
// Gao 2000, The American Statistician 54, T₁). For values without skewness, and for two, it is Student's. It may go beyond the
// values that are possible: see Figure.Within. Its width is 0 for one value and when all are equal, which proves little
// when they are few. The random source is not used.
func Mean(values []float64, _ *rand.Rand) Figure {
	n := len(values)
	if n == 0 {
		return Figure{}
	}
	m := mean(values)
	f := Figure{Value: m, Low: m, High: m, N: n}
	if slices.Min(values) < slices.Max(values) {
		_, se := MeanError(values)
		q, bent := student(float64(n-1)), skewness(values, m)/math.Sqrt(float64(n))
		f.Low, f.High = m-se*unbend(q, bent), m-se*unbend(-q, bent)
	}
	return f
}

// Difference is mean(a) - mean(b) for two methods measured on the same units: a[i] and b[i] belong together. It is the Mean
// of the differences. It panics when the lengths differ.
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
// the score of always predicting ½. It is the Mean of the squares, within 0 and 1. It panics when the lengths differ.
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
	return Mean(squares, rng).Within(0, 1)
}

// student is the 97.5 % point of Student's t.
func student(freedom float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(.975)
}

// skewness is the third central moment of the values, which are not all equal, over the 3/2 power of the second; 0 for two.
func skewness(values []float64, mean float64) float64 {
	second, third := 0.0, 0.0
	for _, v := range values {
		d := v - mean
		second, third = second+d*d, third+d*d*d
	}
	n := float64(len(values))
	return third / n / math.Pow(second/n, 1.5)
}

// unbend is the inverse of Hall's transformation at t, where bent is the skewness over √n:
//
//	T₁(t) = t + g·t²/3 + g²·t³/27 + g/6, with g = bent
func unbend(t, bent float64) float64 {
	if math.Abs(bent) < 1e-6 {
		return t
	}
	return 3 / bent * (math.Cbrt(1+bent*(t-bent/6)) - 1)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
