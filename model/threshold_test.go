package model

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestThreshold(t *testing.T) {
	tests := []struct {
		name            string
		targets, others []float64
		chosen          float64
		value, f1       float64
		calibrated      bool
		how             string
	}{
		{"chosen", []float64{.9, .9}, []float64{.1}, .55, .55, 0, false, "You chose 0.55"},
		{"one target", []float64{0}, []float64{.1, .2, .3}, 0, .7, 0, false, "Not calibrated: with one useful page"},
		{"apart", []float64{.9, .8}, []float64{.1, .4}, 0, .6, 1, true, "0.60 tells its 2 useful pages from the 2 others best (F1 1.00)"},
		{"overlapping", []float64{.9, .8, .4}, []float64{.1, .5, .6}, 0, .7, .8, true, "(F1 0.80)"},
		{"ties to the larger", []float64{.9, .4}, []float64{.6, .5, .1}, 0, .75, 2. / 3, true, ""},
		{"all alike", []float64{.5, .5}, []float64{.5, .5, .5}, 0, .7, 0, false, "Not calibrated: no threshold"},
		{"others nearer than targets", []float64{.1, .2}, []float64{.8, .9, .9}, 0, .7, 0, false, "Not calibrated: no threshold"},
		{"moved up", []float64{.4, .4}, []float64{0, .1}, 0, .3, 1, true, "is 0.25, moved to 0.30"},
		{"moved down", []float64{.99, .99}, []float64{.97, .5}, 0, .95, .8, true, "is 0.98, moved to 0.95"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := threshold(tt.targets, tt.others, tt.chosen)
			if math.Abs(g.Value-tt.value) > 1e-12 || math.Abs(g.F1-tt.f1) > 1e-12 || g.Calibrated != tt.calibrated || !strings.Contains(g.How, tt.how) {
				t.Errorf("got %+v, want %v, F1 %v, calibrated %v, %q", g, tt.value, tt.f1, tt.calibrated, tt.how)
			}
		})
	}
}

// TestThresholdIsBest holds over random values, all inside the allowed range: no other γ has a better F1.
func TestThresholdIsBest(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var targets, others []float64
		for range 2 + rng.IntN(10) {
			targets = append(targets, math.Round((.35+.5*rng.Float64())*20)/20)
		}
		for range 3 + rng.IntN(20) {
			others = append(others, math.Round((.3+.5*rng.Float64())*20)/20)
		}
		g := threshold(targets, others, 0)
		if !g.Calibrated {
			continue
		}
		for gamma := minGamma; gamma <= maxGamma; gamma += .005 {
			if better := f1Of(targets, others, gamma); better > g.F1+1e-12 {
				t.Fatalf("seed %d: γ %v has F1 %v, %v has %v", seed, g.Value, g.F1, gamma, better)
			}
		}
	}
}
