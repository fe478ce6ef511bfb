package measure

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRatio(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	if f := Ratio(nil, nil, rng); f != (Figure{}) {
		t.Errorf("of nothing: %+v", f)
	}
	if f := Ratio([]float64{0, 0}, []float64{0, 0}, rng); f != (Figure{}) {
		t.Errorf("of no whole: %+v", f)
	}
	if f := Ratio([]float64{1, 3}, []float64{2, 6}, rng); f.Value != .5 || f.Low > .1 || f.High < .9 || f.N != 8 {
		t.Errorf("of equal shares: %+v", f)
	}
	part, whole := make([]float64, 400), make([]float64, 400)
	for i := range part { // units that stand and fall as a whole: the standard error is that of 400 draws, not of 4,000
		whole[i] = 10
		if i%5 == 0 {
			part[i] = 10
		}
	}
	f := Ratio(part, whole, rng)
	if half := (f.High - f.Low) / 2; f.Value != .2 || f.N != 4000 || math.Abs(half-1.96*.02) > .008 {
		t.Errorf("%+v, half its interval %v", f, half)
	}
	one := Ratio([]float64{1, 0}, []float64{1, 0}, rng) // of one unit nothing is known about others
	if one != (Figure{1, 0, 1, 1}) {
		t.Errorf("%+v", one)
	}
	// Ten units of one question, all correct: Wilson's interval with t for 9 degrees of freedom, 2.262, ends at 10/(10 + 2.262²).
	ones := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	if f := Ratio(ones, ones, rng); f.High != 1 || math.Abs(f.Low-10/(10+2.262157*2.262157)) > 1e-6 {
		t.Errorf("all correct: %+v", f)
	}
	defer func() {
		if recover() == nil {
			t.Error("lengths that differ are taken")
		}
	}()
	Ratio([]float64{1}, nil, rng)
}
