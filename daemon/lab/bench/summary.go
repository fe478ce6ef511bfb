package bench

import (
	"hash/fnv"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/daemon/lab/corpus"
	"nightjar/model/measure"
)

// summarise computes a task's result from its runs.
func summarise(t *Task, trials []*trial, runs map[string][]*run, missing string) *Result {
	r := &Result{
		Task: t.Name, Group: t.Group, LookedAt: t.LookedAt, Relevant: strings.Join(t.Relevant, ","), Budget: t.Budget, Missing: missing,
		Seeds: t.Seeds, Strategies: []Strategy{}, Pairs: []Pair{},
	}
	for _, name := range t.Corpus {
		r.Corpus = append(r.Corpus, path.Base(filepath.ToSlash(name)))
	}
	for _, trial := range trials {
		r.RelevantTotal += float64(trial.total) / float64(len(trials))
	}
	for _, name := range append([]string{Oracle}, t.Strategies...) {
		r.Strategies = append(r.Strategies, strategyResult(name, t.Budget, trials, runs[name]))
	}
	r.Pairs = pairs(r.Strategies)
	return r
}

// strategyResult computes the result of a strategy. runs and trials have the same order.
func strategyResult(name string, budget int, trials []*trial, runs []*run) Strategy {
	s := Strategy{Name: name, Harvest: [][2]float64{}, Recalled: [][2]float64{}, Similar: [][2]float64{}}
	share := 1 / float64(len(runs))
	longest := 0
	for i, run := range runs {
		longest = max(longest, len(run.Found))
		total := float64(trials[i].total)
		s.Recall += share * last(run.Found) / total
		s.Similarity += share * last(run.Similar)
		s.Area += share * float64(corpus.Under(run.Found, budget)) / float64(budget) / total
		s.PerSeed = append(s.PerSeed, ratio(corpus.Under(run.Found, budget), corpus.Under(trials[i].oracle, budget)))
		s.Seconds += share * run.Seconds
		s.PeakRSS = max(s.PeakRSS, run.PeakRSS)
	}
	s.Finds = finds(trials, runs)
	f := measure.Mean(s.PerSeed, random(name)).Within(0, 1)
	s.AreaVsOracle, s.Low, s.High = f.Value, f.Low, f.High
	for _, n := range points(budget) {
		recalled := 0.0
		for i, run := range runs {
			recalled += share * at(run.Found, n) / float64(trials[i].total)
		}
		s.Recalled = append(s.Recalled, [2]float64{float64(n), recalled})
	}
	for _, n := range until(longest, points(budget)) { // after its end a crawl has no harvest rate
		harvest, similar := 0.0, 0.0
		for _, run := range runs {
			harvest += share * at(run.Found, n) / float64(max(1, min(n, len(run.Found))))
			similar += share * at(run.Similar, n)
		}
		s.Harvest = append(s.Harvest, [2]float64{float64(n), harvest})
		s.Similar = append(s.Similar, [2]float64{float64(n), similar})
	}
	return s
}

// until returns the points up to last, and last.
func until(last int, points []int) []int {
	i, _ := slices.BinarySearch(points, last)
	points = points[:i]
	if last > 0 {
		points = append(slices.Clip(points), last)
	}
	return points
}

// at is a curve's value after n pages; a curve continues flat after its end.
func at[T int | float64](curve []T, n int) float64 {
	if len(curve) == 0 {
		return 0
	}
	return float64(curve[min(n, len(curve))-1])
}

func last[T int | float64](curve []T) float64 { return at(curve, len(curve)) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// points are the numbers of pages at which curves are reported: about 100 steps that include 50, 100, 250, 500 and 1,000,
// and the budget.
func points(budget int) []int {
	step := 1
	for _, s := range []int{2, 5, 10, 25, 50} {
		if step*100 < budget {
			step = s
		}
	}
	for step*100 < budget {
		step += 50
	}
	var all []int
	for n := step; n < budget; n += step {
		all = append(all, n)
	}
	return append(all, budget)
}

// pairs compares every two strategies without the oracle.
func pairs(all []Strategy) []Pair {
	list := []Pair{}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.Name != Oracle {
				f := measure.Difference(a.PerSeed, b.PerSeed, random(a.Name, b.Name)).Within(-1, 1)
				list = append(list, Pair{A: a.Name, B: b.Name, Difference: f.Value, Low: f.Low, High: f.High})
			}
		}
	}
	return list
}

// random is the source of a figure's resamples, the same each time.
func random(names ...string) *rand.Rand {
	h := fnv.New64a()
	for _, name := range names {
		h.Write([]byte(name + "\n"))
	}
	return rand.New(rand.NewPCG(h.Sum64(), 0x62656e6368))
}
