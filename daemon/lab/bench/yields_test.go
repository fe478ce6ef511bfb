package bench

import (
	"math"
	"math/rand/v2"
	"testing"

	"nightjar/daemon/yield"
)

// TestYields: a judge that is right is held nearly always, one that is wrong by far never; marks help; sums are those of
// all crawls together.
func TestYields(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 18))
	crawls := func(n int, useful func(p float64) float64) (all [][]yield.Marked) {
		for range n {
			var finds []yield.Marked
			for range 40 {
				p := rng.Float64()
				finds = append(finds, yield.Marked{P: p, Useful: rng.Float64() < useful(p)})
			}
			all = append(all, finds)
		}
		return all
	}
	right := crawls(30, func(p float64) float64 { return p })
	wrong := crawls(30, func(p float64) float64 { return p / 50 })
	few := [][]yield.Marked{right[0][:yield.Enough-1]}
	a, b := yields(right), yields(wrong)
	if a.Crawls != 30 || a.Held < 29 || a.Marked < 25 || !(1 < a.MarkedFactor && a.MarkedFactor < a.Factor) {
		t.Errorf("a judge that is right: %+v", a)
	}
	if b.Held > 2 || b.Marked <= b.Held {
		t.Errorf("a judge that is wrong: %+v", b)
	}
	if y := yields(few); y != (Yields{}) {
		t.Errorf("few finds: %+v", y)
	}
	both, want := a.and(b).and(Yields{}), yields(append(append(right, few...), wrong...))
	if both.Crawls != want.Crawls || both.Held != want.Held || both.Marked != want.Marked || math.Abs(both.Factor-want.Factor) > 1e-9 ||
		math.Abs(both.MarkedFactor-want.MarkedFactor) > 1e-9 {
		t.Errorf("%+v, want %+v", both, want)
	}
	if y := (Yields{}).and(a); y.Crawls != a.Crawls || math.Abs(y.Factor-a.Factor) > 1e-9 {
		t.Errorf("%+v, want %+v", y, a)
	}
}
