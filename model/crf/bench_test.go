package crf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// session makes paths as a session gives them: n paths of up to 9 pages over some pages of a site. Each page has a label and
// some 150 features of the given number, by Zipf's law, some of them the label's own; each link some 12.
func session(rng *rand.Rand, n, labels, pageFeatures, linkFeatures int) []Sequence {
	return sessionOf(rng, n, 150, labels, pageFeatures, linkFeatures)
}

// sessionOf is session with pages of some other number of features.
func sessionOf(rng *rand.Rand, n, words, labels, pageFeatures, linkFeatures int) (set []Sequence) {
	type page struct {
		label int
		on    []int32
	}
	web := make([]page, 2*n)
	for i := range web {
		y := rng.IntN(labels)
		web[i] = page{y, zipf(rng, words, pageFeatures, y, labels)}
	}
	for range n {
		s := Sequence{Count: 1, Positive: rng.IntN(3) > 0}
		for range 3 + rng.IntN(7) {
			p := web[rng.IntN(len(web))]
			s.Steps = append(s.Steps, Step{Page: p.on, Link: zipf(rng, 12, linkFeatures, p.label, labels)})
			s.Labels = append(s.Labels, p.label)
		}
		set = append(set, s)
	}
	return set
}

func zipf(rng *rand.Rand, n, features, y, labels int) (on []int32) {
	for range n {
		f := int(math.Pow(float64(features), rng.Float64())) - 1
		if rng.Float64() < .2 {
			f = (f*labels + y) % features
		}
		on = append(on, int32(f))
	}
	slices.Sort(on)
	return slices.Compact(on)
}

// BenchmarkFit trains on sessions; "weights" says how many are learned.
func BenchmarkFit(b *testing.B) {
	for _, size := range []struct{ n, words, labels, pages, links int }{
		{40, 150, 6, 2000, 300}, {122, 150, 8, 4000, 600}, {122, 150, 26, 12000, 1500}, {122, 500, 26, 20000, 2500},
		{2000, 150, 26, 20000, 3000},
	} {
		for _, c2 := range []float64{.05, .5, 2} {
			b.Run(fmt.Sprintf("paths=%d/words=%d/labels=%d/c2=%v", size.n, size.words, size.labels, c2), func(b *testing.B) {
				set := sessionOf(seeded(1), size.n, size.words, size.labels, size.pages, size.links)
				var f Fitted
				for b.Loop() {
					var err error
					if _, f, err = Fit(b.Context(), set, size.labels, size.pages, size.links, Options{C2: c2}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(f.Weights), "weights")
				b.ReportMetric(float64(f.Iterations), "iterations")
			})
		}
	}
}

// BenchmarkLinks scores the links of one page.
func BenchmarkLinks(b *testing.B) {
	rng := seeded(1)
	m := randomModel(rng, 26, 100, 3000)
	state, reward := m.Start([]int32{1, 2, 3}), make([]float64, 26)
	for _, n := range []int{100, 10000} {
		links := make([][]int32, n)
		for i := range links {
			links[i] = zipf(rng, 12, 3000, 0, 1)
		}
		b.Run(fmt.Sprintf("links=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f := m.From(state)
				for _, link := range links {
					f.Score(link, reward)
				}
			}
		})
	}
}
