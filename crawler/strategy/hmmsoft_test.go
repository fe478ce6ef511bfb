package strategy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHMMSoftFollowsThePath recomputes the states and keys of a path with plain sums.
func TestHMMSoftFollowsThePath(t *testing.T) {
	if bundle().Observe("hockey").Emission == nil {
		t.Fatal("the model reads no words")
	}
	followThePath(t, "hmm-soft", func(text string) []float64 { return bundle().Observe(text).Emission },
		func(prediction []float64, key Priority) {
			want := prediction[0] + prediction[1]/2 + prediction[2]/4 + prediction[3]/8
			if len(key) != 1 || math.Abs(float64(key[0])/1e6-want) > 1e-6 {
				t.Errorf("key %v of prediction %v, want %v", key, prediction, want)
			}
		})
}

func TestSoftNearerPagesComeFirst(t *testing.T) { wantNearerFirst(t, mustNew(t, "hmm-soft")) }

// TestExpectedValueIsMonotone holds for random distributions: to move probability to a nearer state raises the key, and
// the key lies between those of the last state and of the first.
func TestExpectedValueIsMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for range 10_000 {
		n := 2 + rng.IntN(6)
		p, sum := make([]float64, n), 0.0
		for i := range p {
			p[i] = rng.ExpFloat64()
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
		far := 1 + rng.IntN(n-1)
		near := rng.IntN(far)
		moved := slices.Clone(p)
		step := p[far] * rng.Float64()
		moved[near], moved[far] = moved[near]+step, moved[far]-step
		before, after := expectedValue(p), expectedValue(moved)
		gain := step * (math.Pow(.5, float64(near)) - math.Pow(.5, float64(far)))
		if d := float64(after[0]-before[0]) / 1e6; math.Abs(d-gain) > 1.1e-6 || after.Compare(before) < 0 {
			t.Fatalf("%v and %v have the keys %v and %v, want %v more", p, moved, before, after, gain)
		}
		if k := float64(before[0]) / 1e6; k > 1+1e-6 || k < math.Pow(.5, float64(n-1))-1e-6 {
			t.Fatalf("%v has the key %v", p, before)
		}
	}
}
