package scheduler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"nightjar/crawler/clock"
)

// TestShares: shares sum to 1, none is less than a tenth, those above it are as the promises, and who promises more has no less.
func TestShares(t *testing.T) {
	random := rand.New(rand.NewPCG(32, 1))
	for range 2000 {
		promised := make([]*float64, 1+random.IntN(14))
		for i := range promised {
			if p := math.Floor(random.ExpFloat64() * 5); random.IntN(5) > 0 {
				promised[i] = &p
			}
		}
		all, least := shares(promised), min(leastShare, 1/float64(len(promised)))
		sum := 0.0
		for _, share := range all {
			sum += share
		}
		if math.Abs(sum-1) > 1e-9 || slices.Min(all) < least-1e-12 {
			t.Fatalf("shares %v of %v", all, weigh(promised))
		}
		for i, p := range promised {
			for j, q := range promised {
				if p == nil || q == nil || *q == 0 {
					continue
				}
				if all[i] > least+1e-9 && all[j] > least+1e-9 && math.Abs(all[i]/all[j] - *p / *q) > 1e-6 || *p > *q && all[i] < all[j] {
					t.Fatalf("shares %v of %v", all, weigh(promised))
				}
			}
		}
	}
	five, none := 5.0, 0.0
	for _, tt := range []struct {
		promised []*float64
		want     []float64
	}{
		{[]*float64{&five}, []float64{1}},
		{[]*float64{&five, &none}, []float64{.9, .1}},
		{[]*float64{&none, &none}, []float64{.5, .5}},
		{[]*float64{nil, nil, nil, nil}, []float64{.25, .25, .25, .25}},
		{[]*float64{&five, nil}, []float64{.5, .5}},
	} {
		if got := shares(tt.promised); !slices.EqualFunc(got, tt.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("shares %v, want %v", got, tt.want)
		}
	}
}

// TestTurnsGoByPromise: turns are given by promise; a run that rested does not make up for it, and one that joins does not either.
func TestTurnsGoByPromise(t *testing.T) {
	s := &Scheduler{o: Options{Clock: clock.Or(nil)}}
	count := func(turns int) map[*run]int {
		all := map[*run]int{}
		for range turns {
			all[s.next()]++
		}
		return all
	}
	join := func(promises float64) *run {
		r := &run{promised: &promises}
		s.begins(r)
		s.runs = append(s.runs, r)
		return r
	}
	rich, poor := join(30), join(10)
	if got := count(400); got[rich] != 300 || got[poor] != 100 {
		t.Errorf("%d and %d turns, want three times as many", got[rich], got[poor])
	}
	poor.waits = "the network"
	if got := count(300); got[rich] != 300 {
		t.Errorf("a run that rests has %d turns", got[poor])
	}
	poor.waits = ""
	if got := count(400); math.Abs(float64(got[poor]-100)) > 2 {
		t.Errorf("%d turns after a rest, want 100", got[poor])
	}
	none := join(0)
	if got := count(400); math.Abs(float64(got[none]-40)) > 2 {
		t.Errorf("%d turns of a run that promises nothing, want a tenth", got[none])
	}
	for _, r := range s.runs {
		r.held = true
	}
	if s.next() != nil {
		t.Error("a run has a turn that the person paused")
	}
}
