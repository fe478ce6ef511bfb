package weighted

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	weights := []float64{0, 1, 3, 0, 4, 0}
	const draws = 40_000
	drawn := make([]int, len(weights))
	for range draws {
		drawn[Draw(weights, rng)]++
	}
	for i, w := range weights {
		share := w / 8
		if got := float64(drawn[i]) / draws; math.Abs(got-share) > 5*math.Sqrt(share*(1-share)/draws) {
			t.Errorf("index %d was drawn with probability %.3f, not %.3f", i, got, share)
		}
	}
	for _, none := range [][]float64{nil, {0, 0}} {
		if got := Draw(none, rng); got != -1 {
			t.Errorf("%v: %d", none, got)
		}
	}
}
