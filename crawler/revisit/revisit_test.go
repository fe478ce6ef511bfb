package revisit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRateBrute: no rate on a fine grid is likelier than the one that Rate gives.
func TestRateBrute(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var h History
		for range rng.IntN(2 * kept) {
			h = h.Add(rng.ExpFloat64()*3, rng.IntN(3) == 0)
		}
		u := Usual([]History{h})
		likely := func(r float64) float64 {
			sum := math.Log(r) - r/u
			for _, days := range h {
				if days < 0 {
					sum += r * days
				} else {
					sum += math.Log(Chance(r, days))
				}
			}
			return sum
		}
		rate := h.Rate(u)
		for r := 1e-3; r < 1e3; r *= 1.01 {
			if likely(r) > likely(rate)+1e-9 {
				t.Fatalf("%v: rate %g is likelier than %g", h, r, rate)
			}
		}
	}
}

// TestRateFinds: on pages with known rates, looked at once a day, the estimate is right on average to a fifth.
func TestRateFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, real := range []float64{.05, .2, .5, 1} {
		pages := make([]History, 500)
		for i := range pages {
			for range kept {
				pages[i] = pages[i].Add(1, rng.Float64() < Chance(real, 1))
			}
		}
		u := Usual(pages)
		sum := 0.0
		for _, h := range pages {
			sum += h.Rate(u)
		}
		if mean := sum / float64(len(pages)); math.Abs(mean/real-1) > .2 {
			t.Errorf("rate %g: estimated %g on average", real, mean)
		}
	}
}

// TestWaits: a page that brings nothing new waits longer each time; one that always does is due every day.
func TestWaits(t *testing.T) {
	wait := func(h History) float64 {
		days := .0
		for !Due(h.Rate(Usual(nil)), days, 0) {
			days += .01
		}
		return days
	}
	var still, busy History
	last := wait(still)
	if last > 1 {
		t.Errorf("the first look is due after %g days, not in the next night", last)
	}
	for range 8 {
		still = still.Add(last, false)
		if next := wait(still); next < 1.3*last {
			t.Errorf("after %v it waits %g days, after %g the last time", still, next, last)
		} else {
			last = next
		}
		busy = busy.Add(1, true)
	}
	if wait(busy) > .5 {
		t.Errorf("a page with something new every day waits %g days", wait(busy))
	}
}

// TestTold: what somebody says makes a page due as far as it is likely, and never later.
func TestTold(t *testing.T) {
	for _, c := range []struct {
		rate, days, told float64
		due              bool
	}{{.1, 1, 0, false}, {.1, 1, .1, false}, {.1, 1, .25, true}, {0, 1, .3, true}, {0, 1, .29, false}, {.4, 1, 0, true}, {.4, 1, .9, true}} {
		if got := Due(c.rate, c.days, c.told); got != c.due {
			t.Errorf("rate %g, %g days, told %g: due %v", c.rate, c.days, c.told, got)
		}
	}
}

// TestUsual: looks at pages that the person saw long ago, at which nearly all have something new, do not make the others wait.
func TestUsual(t *testing.T) {
	for _, age := range []float64{1, 60, 365, 9000} {
		var seen []History
		for i := range 10 {
			seen = append(seen, History{}.Add(age, age > 1 && i > 1 || i > 6))
		}
		if wait := -math.Log(1-least) / Usual(seen); wait > 3 {
			t.Errorf("after %g days: other pages wait %.1f days", age, wait)
		}
	}
}

func FuzzHistory(f *testing.F) {
	f.Add(1.0, true, -3.0, false)
	f.Add(math.Inf(1), false, math.NaN(), true)
	f.Add(1e300, true, 1e-300, true)
	f.Fuzz(func(t *testing.T, a float64, x bool, b float64, y bool) {
		h := History{}.Add(a, x).Add(b, y)
		if r := h.Rate(Usual([]History{h})); !(r >= 0) || math.IsInf(r, 1) {
			t.Errorf("%v: rate %g", h, r)
		}
	})
}
