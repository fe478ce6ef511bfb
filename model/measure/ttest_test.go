package measure

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMeanError(t *testing.T) {
	// The deviations of 2, 4, 9 from 5 are -3, -1, 4: variance 26/2 = 13, standard error √(13/3).
	if m, se := MeanError([]float64{2, 4, 9}); m != 5 || math.Abs(se-math.Sqrt(13./3)) > 1e-15 {
		t.Errorf("%v ± %v", m, se)
	}
	if m, se := MeanError([]float64{7}); m != 7 || se != 0 {
		t.Errorf("%v ± %v", m, se)
	}
}

// TestPairedT: with the differences 1, 2, 3, t is 2/(1/√3) = 3.4641 with 2 degrees of freedom, for which the distribution
// function is ½ + t/(2√(2+t²)): p = ½ - √12/(2√14) = .03709. With two pairs t is Cauchy: differences 1 and 3 have t = 2 and p =
// ½ - atan(2)/π = .14758.
func TestPairedT(t *testing.T) {
	for _, tt := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{2, 4, 6}, []float64{1, 2, 3}, .5 - math.Sqrt(12)/(2*math.Sqrt(14))},
		{[]float64{1, 2, 3}, []float64{2, 4, 6}, .5 + math.Sqrt(12)/(2*math.Sqrt(14))},
		{[]float64{1, 3}, []float64{0, 0}, .5 - math.Atan(2)/math.Pi},
		{[]float64{1, 2}, []float64{2, 1}, .5},
		{[]float64{1, 2}, []float64{1, 2}, .5}, {[]float64{2, 3}, []float64{1, 2}, 0}, {[]float64{0, 1}, []float64{1, 2}, 1},
	} {
		if got := PairedT(tt.a, tt.b); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v against %v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestPairedTIsUniform: without a difference, p is below x in a share of about x of the cases.
func TestPairedTIsUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 15))
	const cases = 4000
	below := 0.0
	for range cases {
		a, b := make([]float64, 6), make([]float64, 6)
		for i := range a {
			a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()
		}
		if PairedT(a, b) < .05 {
			below++
		}
	}
	if share := below / cases; math.Abs(share-.05) > .014 { // four standard errors
		t.Errorf("p < .05 in a share of %v", share)
	}
}
