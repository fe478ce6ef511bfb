package measure

import (
	"math"
	"testing"
)

// TestMeanIsStudents: of symmetric values the interval is Student's. For -1, 0 and 1, the 97.5 % point with 2 degrees of
// freedom is 4.302653 and the standard error 1/√3.
func TestMeanIsStudents(t *testing.T) {
	got := Mean([]float64{4, 5, 6}, nil)
	if half := 4.302652729911275 / math.Sqrt(3); got.Value != 5 || math.Abs(got.High-5-half) > 1e-6 || math.Abs(5-half-got.Low) > 1e-6 {
		t.Errorf("%+v", got)
	}
}

// TestUnbend: Hall's transformation, as it is printed, takes what unbend gives back to t.
func TestUnbend(t *testing.T) {
	for _, g := range []float64{-1.2, -.3, -1e-9, 0, 1e-5, .4, 1.1} {
		for _, want := range []float64{-4, -1.96, 0, .3, 2.2} {
			x := unbend(want, g)
			if got := x + g*x*x/3 + g*g*x*x*x/27 + g/6; math.Abs(got-want) > 1e-5 {
				t.Errorf("g = %v: T₁(%v) = %v, want %v", g, x, got, want)
			}
		}
	}
}

// TestMeanIsEquivariant: the interval moves and stretches with the values, and a reflection turns it round.
func TestMeanIsEquivariant(t *testing.T) {
	rng := seeded(14)
	for range 200 {
		v, moved, turned := make([]float64, 2+rng.IntN(9)), []float64{}, []float64{}
		for i := range v {
			v[i] = rng.ExpFloat64()
			moved, turned = append(moved, 7+3*v[i]), append(turned, -v[i])
		}
		a, b, c := Mean(v, rng), Mean(moved, rng), Mean(turned, rng)
		for _, pair := range [][2]float64{{b.Low, 7 + 3*a.Low}, {b.High, 7 + 3*a.High}, {c.Low, -a.High}, {c.High, -a.Low}} {
			if math.Abs(pair[0]-pair[1]) > 1e-9*math.Abs(pair[1])+1e-9 {
				t.Fatalf("%v: %+v, moved %+v, turned round %+v", v, a, b, c)
			}
		}
		if !(a.Low < a.Value && a.Value < a.High) {
			t.Fatalf("%v: %+v", v, a)
		}
	}
}

// TestAUCPerfect: with all m positives above all n negatives, DeLong's variance is 0 and the lower end is where
// (1 - θ)² = z²V(θ), with V as it is printed.
func TestAUCPerfect(t *testing.T) {
	for _, mn := range [][2]int{{1, 1}, {1, 9}, {5, 60}, {60, 5}, {40, 40}} {
		var scores []float64
		var positive []bool
		for i := range mn[0] + mn[1] {
			scores, positive = append(scores, float64(-i)), append(positive, i < mn[0])
		}
		m, n := float64(mn[0]), float64(mn[1])
		f := AUC(scores, positive, nil)
		x := f.Low
		v := x * (1 - x) * (1 + ((m+n)/2-1)*((1-x)/(2-x)+x/(1+x))) / (m * n)
		if f.Value != 1 || f.High != 1 || math.Abs((1-x)-1.959963984540054*math.Sqrt(v)) > 1e-9 {
			t.Errorf("%v: %+v", mn, f)
		}
	}
}

// TestAUCWithFew: five useful pages that happen to come before all others do not show that an order is perfect.
func TestAUCWithFew(t *testing.T) {
	var scores, other []float64
	var positive []bool
	for i := range 65 {
		scores, positive = append(scores, float64(-i)), append(positive, i < 5)
		other = append(other, float64((i*37+11)%65))
	}
	if f := AUC(scores, positive, nil); f.Low > .85 || f.Low < .6 {
		t.Errorf("%+v", f)
	}
	a, b := AUCDifference(scores, other, positive, nil), AUCDifference(other, scores, positive, nil)
	if !near(a.Value, -b.Value) || !near(a.Low, -b.High) || !near(a.High, -b.Low) || a.High > 1 {
		t.Errorf("%+v and turned round %+v", a, b)
	}
}

func TestWithin(t *testing.T) {
	for _, tt := range []struct{ f, want Figure }{
		{Figure{.5, -.1, 1.2, 3}, Figure{.5, 0, 1, 3}},
		{Figure{.5, .4, .6, 3}, Figure{.5, .4, .6, 3}},
		{Figure{1.1, .9, 1.3, 3}, Figure{1.1, .9, 1.1, 3}},
		{Figure{-.2, -.5, .1, 3}, Figure{-.2, -.2, .1, 3}},
	} {
		if got := tt.f.Within(0, 1); got != tt.want {
			t.Errorf("%+v: %+v, want %+v", tt.f, got, tt.want)
		}
	}
}
