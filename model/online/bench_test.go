package online

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkFit fits a regression to 2,000 links of 12 signals and 40 tokens, half of them those of most links.
func BenchmarkFit(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	examples := make([]Example, 2000)
	for i := range examples {
		e := Example{Outcome: rng.Float64(), Weight: 1}
		for range 12 {
			e.Signals = append(e.Signals, float32(rng.NormFloat64()))
		}
		for range 30 + rng.IntN(20) {
			e.Tokens = append(e.Tokens, uint32(rng.ExpFloat64()*500))
		}
		examples[i] = e
	}
	design := NewDesign(examples)
	b.ReportAllocs()
	for b.Loop() {
		if err := NewRegression(make([]float64, 12)).FitTo(b.Context(), design, examples); err != nil {
			b.Fatal(err)
		}
	}
}
