package report

import (
	"math"
	"math/rand/v2"

	"nightjar/daemon/lab/bench"
)

var realNames = []string{"oracle", "breadth-first", "random", "best-first", "naive-bayes", "best-classifier", "context-graph",
	"hmm", "hmm-soft", "ache", "link-value"}

// sample is a result with curves of the given strategies as crawls have them: recall grows towards an end, harvest falls.
func sample(rng *rand.Rand, budget int, names ...string) *bench.Result {
	r := &bench.Result{Task: "Mammals", Group: "Wikispeedia", Corpus: []string{"wikispeedia.warc.gz"}, Relevant: "subject.Mammals",
		Budget: budget, Missing: "free", Seeds: []uint64{1, 2, 3}, RelevantTotal: 120}
	for i, name := range names {
		end, bend := 0.1+0.8*rng.Float64(), 0.3+2*rng.Float64()
		if name == oracle {
			end, bend = 1, 8
		}
		s := bench.Strategy{Name: name, Recall: end, Area: end / 2, AreaVsOracle: end * 0.9, Low: end*0.9 - 0.03, High: end*0.9 + 0.03,
			Seconds: 1 + float64(i), PeakRSS: int64(i+1) << 24, Similarity: 0.3 + 0.3*rng.Float64()}
		step := max(1, budget/100)
		for n := step; n <= budget; n += step {
			share := float64(n) / float64(budget)
			recall := end * (1 - math.Exp(-bend*share)) / (1 - math.Exp(-bend))
			s.Recalled = append(s.Recalled, [2]float64{float64(n), recall})
			s.Harvest = append(s.Harvest, [2]float64{float64(n), math.Min(1, recall*r.RelevantTotal/float64(n))})
			s.Similar = append(s.Similar, [2]float64{float64(n), s.Similarity + 0.3*math.Exp(-9*share)*rng.Float64()})
		}
		for range r.Seeds {
			s.PerSeed = append(s.PerSeed, s.AreaVsOracle+0.04*(rng.Float64()-0.5))
		}
		r.Strategies = append(r.Strategies, s)
	}
	return r
}
