package crf

import (
	"math"
	"slices"
	"testing"
)

// twice is the chain of [CRF] §5.1 with states of pages (0..L-1) and of links (L..2L-1): P₁ L₂ P₃ … The step from link-state
// y to page-state y is certain; from a page any link-state can follow, by A; all else is impossible.
func twice(m *Model) *Model {
	l, never := m.Labels, math.Inf(-1)
	d := &Model{Labels: 2 * l, Pages: Table{Start: []int32{0}}, Steps: slices.Repeat([]float64{never}, 4*l*l)}
	row := func(label []int32, weight []float64, by int) {
		for i, y := range label {
			d.Pages.Label, d.Pages.Weight = append(d.Pages.Label, y+int32(by)), append(d.Pages.Weight, weight[i])
		}
		d.Pages.Start = append(d.Pages.Start, int32(len(d.Pages.Label)))
	}
	for i, t := range []*Table{&m.Pages, &m.Links} {
		for f := range t.Rows() {
			row(t.Label[t.Start[f]:t.Start[f+1]], t.Weight[t.Start[f]:t.Start[f+1]], i*l)
		}
	}
	var links []int32 // the last feature is on at the first place, where no link-state is possible
	for y := range l {
		links = append(links, int32(l+y))
		for next := range l {
			d.Steps[y*2*l+l+next] = m.Steps[y*l+next]
		}
		d.Steps[(l+y)*2*l+y] = 0
	}
	row(links, slices.Repeat([]float64{never}, l), 0)
	return d
}

// places turns a path of n pages into one of 2n-1 places.
func places(m *Model, path []Step) (all []Step) {
	pages, links := int32(m.Pages.Rows()), int32(m.Links.Rows())
	for t, s := range path {
		if t == 0 {
			all = append(all, Step{Page: append(slices.Clone(s.Page), pages+links)})
			continue
		}
		var link []int32
		for _, f := range s.Link {
			link = append(link, pages+f)
		}
		all = append(all, Step{Page: link}, Step{Page: s.Page})
	}
	return all
}

func TestSameNumbersAsTheChainOfPagesAndLinks(t *testing.T) {
	const chainTol = 1e-10
	for _, e := range examples() {
		m, d := e.model, twice(e.model)
		l := m.Labels
		none := slices.Repeat([]float64{math.Inf(-1)}, l)
		for _, s := range e.set {
			at := places(m, s.Steps)
			got, want := m.Lattice(s.Steps), d.Lattice(at)
			mustNear(t, "log Z", []float64{got.LogZ}, []float64{want.LogZ}, 0, chainTol)
			state := m.Start(s.Steps[0].Page)
			for i := range s.Steps {
				mustNear(t, "α", slices.Concat(got.Alpha[i], none), want.Alpha[2*i], 0, chainTol)
				mustNear(t, "β", got.Beta[i], want.Beta[2*i][:l], 0, chainTol)
				mustNear(t, "marginal", slices.Concat(got.Marginal(i), make([]float64, l)), want.Marginal(2*i), 0, chainTol)
				if i == 0 {
					continue
				}
				// A link-state is the label of the page behind it.
				link := slices.Concat(make([]float64, l), got.Marginal(i))
				mustNear(t, "marginal of a link", link, want.Marginal(2*i-1), 0, chainTol)
				state = m.Follow(state, s.Steps[i].Link)
				mustNear(t, "link posterior", Softmax(state.Alpha), Softmax(want.Alpha[2*i-1])[l:], 0, chainTol)
				state = m.Arrive(state, s.Steps[i].Page)
			}
			labels, score := m.Viterbi(s.Steps)
			wantLabels, wantScore := d.Viterbi(at)
			for i, y := range labels {
				if wantLabels[2*i] != y || i > 0 && wantLabels[2*i-1] != l+y {
					t.Errorf("labels %v, of pages and links %v", labels, wantLabels)
				}
			}
			mustNear(t, "best score", []float64{score}, []float64{wantScore}, 0, chainTol)
		}
	}
}

// Along a path, the state of a crawl is the lattice's and Viterbi's, normalised.
func TestStatesAlongAPathAreTheLattice(t *testing.T) {
	for _, e := range examples() {
		for _, s := range e.set {
			lattice := e.model.Lattice(s.Steps)
			var state State
			for i, step := range s.Steps {
				if i == 0 {
					state = e.model.Start(step.Page)
				} else {
					state = e.model.Arrive(e.model.Follow(state, step.Link), step.Page)
				}
				all := LogSumExp(lattice.Alpha[i])
				want := make([]float64, e.model.Labels)
				for y := range want {
					want[y] = lattice.Alpha[i][y] - all
				}
				mustNear(t, "α", state.Alpha, want, relTol, absTol)
				mustNear(t, "δ", state.Delta, bestEnds(e.model, s.Steps[:i+1]), relTol, absTol)
			}
			labels, _ := e.model.Viterbi(s.Steps)
			if state.Delta[labels[len(labels)-1]] != 0 {
				t.Errorf("the best labelling ends in %d, δ is %v", labels[len(labels)-1], state.Delta)
			}
		}
	}
}

// bestEnds is δ by enumeration: the best score of the labellings that end in each label, less the best of all.
func bestEnds(m *Model, path []Step) []float64 {
	best := slices.Repeat([]float64{math.Inf(-1)}, m.Labels)
	labellings(len(path), m.Labels, func(y []int) {
		end := y[len(y)-1]
		best[end] = max(best[end], scoreOf(m, path, y))
	})
	shift(best, slices.Max(best))
	return best
}

// A chain of 10,000 pages, against sums that are divided by their total on each page.
func TestLongChain(t *testing.T) {
	const (
		n        = 10000
		stepTol  = 1e-9  // logarithms near 1e5 are rounded to some 1e-11
		stateTol = 1e-12 // a state is normalised on each page, and forgets old rounding
	)
	rng := seeded(11)
	m := randomModel(rng, 3, 40, 20)
	path := randomSequence(rng, n, 3, 40, 20).Steps
	weights := make([][]float64, n) // e^s
	for i := range weights {
		for y := range 3 {
			weights[i] = append(weights[i], math.Exp(scoreAt(m, path, i, y)))
		}
	}
	alpha, logs := make([][]float64, n), make([]float64, n) // scaled to sum 1; ln of what was divided by, added up
	for i := range alpha {
		alpha[i] = slices.Clone(weights[i])
		for y := range 3 {
			if i == 0 {
				continue
			}
			sum := 0.0
			for before := range 3 {
				sum += alpha[i-1][before] * math.Exp(m.Steps[before*3+y])
			}
			alpha[i][y] *= sum
		}
		logs[i] = math.Log(scale(alpha[i]))
		if i > 0 {
			logs[i] += logs[i-1]
		}
	}
	beta := make([][]float64, n)
	beta[n-1] = []float64{1. / 3, 1. / 3, 1. / 3}
	for i := n - 2; i >= 0; i-- {
		beta[i] = make([]float64, 3)
		for y := range 3 {
			for after := range 3 {
				beta[i][y] += math.Exp(m.Steps[y*3+after]) * weights[i+1][after] * beta[i+1][after]
			}
		}
		scale(beta[i])
	}

	got, state := m.Lattice(path), State{}
	mustNear(t, "log Z", []float64{got.LogZ}, []float64{logs[n-1]}, 1e-12, 0)
	for i, step := range path {
		if i == 0 {
			state = m.Start(step.Page)
		} else {
			state = m.Arrive(m.Follow(state, step.Link), step.Page)
		}
		if i%100 > 0 {
			continue
		}
		mustNear(t, "state", Softmax(state.Alpha), alpha[i], 0, stateTol)
		mustNear(t, "α", Softmax(got.Alpha[i]), alpha[i], 0, stepTol)
		mustNear(t, "log-sum-exp of α", []float64{LogSumExp(got.Alpha[i])}, []float64{logs[i]}, 1e-12, 1e-9)
		mustNear(t, "β", Softmax(got.Beta[i]), beta[i], 0, stepTol)
		both := []float64{alpha[i][0] * beta[i][0], alpha[i][1] * beta[i][1], alpha[i][2] * beta[i][2]}
		scale(both)
		mustNear(t, "marginal", got.Marginal(i), both, 0, stepTol)
		if !(slices.Max(state.Delta) == 0 && slices.Min(state.Delta) > -1e6) {
			t.Errorf("page %d: δ %v", i, state.Delta)
		}
	}
	labels, score := m.Viterbi(path)
	mustNear(t, "best score", []float64{score}, []float64{scoreOf(m, path, labels)}, 1e-12, 0)
	if !(score < got.LogZ) {
		t.Errorf("best score %v, log Z %v", score, got.LogZ)
	}
	set := []Sequence{{Steps: path, Labels: labels, Count: 1, Positive: true}}
	for name, r := range map[string][]float64{"visits": m.RewardVisits(set, .5), "printed": m.RewardPrinted(set, 0, .5)} {
		if !(slices.Min(r) >= 0 && slices.Max(r) <= 1) {
			t.Errorf("reward %s: %v", name, r)
		}
	}
}

// scale divides by the sum, which is the result.
func scale(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	for i := range v {
		v[i] /= sum
	}
	return sum
}

// Weights of hundreds, where e^w is 0 or infinite: sums, and what training expects of features and steps.
func TestSumsOfExtremeWeights(t *testing.T) {
	faintSteps := 0
	for i, e := range examples() {
		set, n := e.set, size{e.model.Labels, e.pages, e.links}
		o, rng := mustObjective(t, set, n, 0), seeded(uint64(i))
		at := make([]float64, o.weights)
		for k := range at {
			at[k] = 700 * rng.NormFloat64()
		}
		value, got := o.evaluate(at)
		m := o.model(at)
		want, wantValue := make([]float64, len(at)), 0.0
		for _, s := range set {
			logs, all := []float64{}, [][]int{}
			labellings(len(s.Steps), m.Labels, func(y []int) {
				logs, all = append(logs, scoreOf(m, s.Steps, y)), append(all, slices.Clone(y))
			})
			wantValue += s.Count * (LogSumExp(logs) - scoreOf(m, s.Steps, s.Labels))
			for k, p := range Softmax(logs) {
				count(o, want, s.Steps, all[k], s.Count*p)
			}
			count(o, want, s.Steps, s.Labels, -s.Count)
			lattice := m.Lattice(s.Steps)
			mustNear(t, "log Z", []float64{lattice.LogZ}, []float64{LogSumExp(logs)}, 1e-12, 0)
			for _, row := range lattice.Alpha {
				if slices.Max(row)-slices.Min(row) > 1000 {
					faintSteps++
				}
			}
		}
		mustNear(t, "F", []float64{value}, []float64{wantValue}, 1e-12, 1e-9)
		mustNear(t, "gradient", got, want, 0, 1e-9) // scores near 1e4 are rounded to 1e-12
	}
	if faintSteps < 100 {
		t.Errorf("only %d pages have labels that are far apart", faintSteps)
	}
}

// count adds p to each weight as often as a labelling has it on, by looking all of them up.
func count(o *objective, to []float64, path []Step, labels []int, p float64) {
	pages, links, steps := o.split(to)
	add := func(s *sights, to []float64, features []int32, y int) {
		for _, f := range features {
			if k := slices.Index(s.pairs.at(int(f)), int32(y)); k >= 0 {
				to[int(s.pairs.start[f])+k] += p
			}
		}
	}
	for t, y := range labels {
		add(&o.pages, pages, path[t].Page, y)
		if t == 0 {
			continue
		}
		add(&o.links, links, path[t].Link, y)
		if k := slices.Index(o.material.steps, int32(labels[t-1]*o.labels+y)); k >= 0 {
			steps[k] += p
		}
	}
}
