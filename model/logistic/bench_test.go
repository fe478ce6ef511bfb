package logistic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// textLike makes rows as pages give them: terms by Zipf's law, a topic of its own for each class, some 300 different
// terms a row, log-tf times a rarity weight, length 1.
func textLike(n, columns, terms, classes int, rng *rand.Rand) (rows []Row, label []int) {
	for range n {
		class := rng.IntN(classes)
		counts := map[int32]float64{}
		for len(counts) < terms {
			t := int32(math.Pow(float64(columns), rng.Float64())) - 1
			if rng.Float64() < 0.1 {
				t = (t*int32(classes) + int32(class) + 50) % int32(columns)
			}
			counts[t]++
		}
		rows = append(rows, unit(counts))
		label = append(label, class)
	}
	return rows, label
}

func unit(counts map[int32]float64) (r Row) {
	squares := 0.0
	for t, n := range counts {
		r.Index = append(r.Index, t)
		counts[t] = (1 + math.Log(n)) * math.Log(2+float64(t))
		squares += counts[t] * counts[t]
	}
	slices.Sort(r.Index)
	for _, t := range r.Index {
		r.Value = append(r.Value, float32(counts[t]/math.Sqrt(squares)))
	}
	return r
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// BenchmarkFit fits problems of the sizes of sessions; "new" prepares the problem each time, "again" only the first time.
func BenchmarkFit(b *testing.B) {
	for _, size := range []struct{ n, columns, classes int }{
		{200, 15000, 2}, {200, 15000, 4}, {700, 30000, 4}, {2200, 40000, 2}, {2200, 40000, 4}, {5000, 60000, 4},
	} {
		rows, label := textLike(size.n, size.columns, 300, size.classes, rand.New(rand.NewPCG(1, 2)))
		for _, c := range []float64{1, 10} {
			fit := func(b *testing.B, p *Problem) {
				if _, err := p.Fit(context.Background(), upTo(size.n), label, ones(size.n), size.classes, Options{C: c}); err != nil {
					b.Fatal(err)
				}
			}
			name := fmt.Sprintf("rows=%d/classes=%d/C=%v", size.n, size.classes, c)
			b.Run(name+"/new", func(b *testing.B) {
				for b.Loop() {
					fit(b, NewProblem(rows, size.columns))
				}
			})
			b.Run(name+"/again", func(b *testing.B) {
				p := NewProblem(rows, size.columns)
				for b.Loop() {
					fit(b, p)
				}
			})
		}
	}
}
