package crf

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The oracle of these tests enumerates all L^n labellings and knows only the score of one.

const (
	relTol = 1e-10 // of sums over at most 81 labellings, whose rounding is some 1e-15
	absTol = 1e-12 // of probabilities
)

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 1)) }

func near(got, want, rel, abs float64) bool {
	return got == want || math.Abs(got-want) <= abs+rel*math.Max(math.Abs(got), math.Abs(want))
}

func mustNear(t *testing.T, what string, got, want []float64, rel, abs float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !near(got[i], want[i], rel, abs) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

// example is a random model, paths for it, and their sizes.
type example struct {
	model        *Model
	set          []Sequence
	pages, links int
}

// examples are 200 random models of up to 3 labels with paths of up to 4 pages.
func examples() (all []example) {
	for n := range uint64(200) {
		rng := seeded(n)
		labels, pages, links := 1+rng.IntN(3), 1+rng.IntN(5), 1+rng.IntN(4)
		e := example{model: randomModel(rng, labels, pages, links), pages: pages, links: links}
		for range 1 + rng.IntN(4) {
			e.set = append(e.set, randomSequence(rng, 1+rng.IntN(4), labels, pages, links))
		}
		all = append(all, e)
	}
	return all
}

func randomModel(rng *rand.Rand, labels, pages, links int) *Model {
	m := &Model{Labels: labels, Pages: randomTable(rng, labels, pages), Links: randomTable(rng, labels, links)}
	for range labels * labels {
		m.Steps = append(m.Steps, rng.NormFloat64())
	}
	return m
}

func randomTable(rng *rand.Rand, labels, rows int) Table {
	t := Table{Start: []int32{0}}
	for range rows {
		for y := range labels {
			if rng.IntN(3) > 0 {
				t.Label, t.Weight = append(t.Label, int32(y)), append(t.Weight, 2*rng.NormFloat64())
			}
		}
		t.Start = append(t.Start, int32(len(t.Label)))
	}
	return t
}

func randomSequence(rng *rand.Rand, n, labels, pages, links int) Sequence {
	s := Sequence{Count: float64(1 + rng.IntN(3)), Positive: rng.IntN(2) == 0}
	for range n {
		s.Steps = append(s.Steps, Step{Page: randomFeatures(rng, pages), Link: randomFeatures(rng, links)})
		s.Labels = append(s.Labels, rng.IntN(labels))
	}
	return s
}

func randomFeatures(rng *rand.Rand, n int) (on []int32) {
	for f := range n {
		if rng.IntN(2) == 0 {
			on = append(on, int32(f))
		}
	}
	return on
}

// weight looks a weight up in a table, the slow way.
func weight(t Table, feature int32, label int) float64 {
	if int(feature) >= t.Rows() {
		return 0
	}
	for e := t.Start[feature]; e < t.Start[feature+1]; e++ {
		if int(t.Label[e]) == label {
			return t.Weight[e]
		}
	}
	return 0
}

// scoreAt is s_t(y).
func scoreAt(m *Model, path []Step, t, y int) (sum float64) {
	for _, f := range path[t].Page {
		sum += weight(m.Pages, f, y)
	}
	if t > 0 {
		for _, f := range path[t].Link {
			sum += weight(m.Links, f, y)
		}
	}
	return sum
}

func scoreOf(m *Model, path []Step, labels []int) (sum float64) {
	for t, y := range labels {
		sum += scoreAt(m, path, t, y)
		if t > 0 {
			sum += m.Steps[labels[t-1]*m.Labels+y]
		}
	}
	return sum
}

// labellings calls do with every labelling of n pages.
func labellings(n, labels int, do func(y []int)) {
	y := make([]int, n)
	for {
		do(y)
		at := 0
		for ; at < n; at++ {
			if y[at]++; y[at] < labels {
				break
			}
			y[at] = 0
		}
		if at == n {
			return
		}
	}
}

// enumerated is what the enumeration says of a path.
type enumerated struct {
	z         float64
	marginals [][]float64
	best      float64
	bestOf    []int
}

func enumerate(m *Model, path []Step) enumerated {
	e := enumerated{best: math.Inf(-1)}
	for range path {
		e.marginals = append(e.marginals, make([]float64, m.Labels))
	}
	labellings(len(path), m.Labels, func(y []int) {
		score := scoreOf(m, path, y)
		w := math.Exp(score)
		e.z += w
		for t, l := range y {
			e.marginals[t][l] += w
		}
		if score > e.best {
			e.best, e.bestOf = score, append([]int{}, y...)
		}
	})
	for _, p := range e.marginals {
		for y := range p {
			p[y] /= e.z
		}
	}
	return e
}

func TestSumsAreThoseOfAllLabellings(t *testing.T) {
	for _, e := range examples() {
		for _, s := range e.set {
			want, got := enumerate(e.model, s.Steps), e.model.Lattice(s.Steps)
			mustNear(t, "log Z", []float64{got.LogZ}, []float64{math.Log(want.z)}, relTol, absTol)
			for i := range s.Steps {
				mustNear(t, "marginal", got.Marginal(i), want.marginals[i], relTol, absTol)
				all := make([]float64, e.model.Labels)
				for y := range all {
					all[y] = got.Alpha[i][y] + got.Beta[i][y]
				}
				mustNear(t, "log-sum-exp of α+β", []float64{LogSumExp(all)}, []float64{got.LogZ}, relTol, absTol)
			}
		}
	}
}

func TestViterbiIsTheBestOfAllLabellings(t *testing.T) {
	for _, e := range examples() {
		for _, s := range e.set {
			want := enumerate(e.model, s.Steps)
			labels, score := e.model.Viterbi(s.Steps)
			if !near(score, want.best, relTol, absTol) || !near(scoreOf(e.model, s.Steps, labels), want.best, relTol, absTol) {
				t.Errorf("labels %v of score %v, want %v of %v", labels, score, want.bestOf, want.best)
			}
		}
	}
}

func TestRewardVisitsIsThatOfAllLabellings(t *testing.T) {
	for i, e := range examples() {
		gamma := []float64{0, .5, .8, 1}[i%4]
		want, met := make([]float64, e.model.Labels), make([]float64, e.model.Labels)
		for _, s := range e.set {
			z := enumerate(e.model, s.Steps).z
			labellings(len(s.Steps), e.model.Labels, func(y []int) {
				share := s.Count * math.Exp(scoreOf(e.model, s.Steps, y)) / z
				worth := 0.0 // of the page, going back from the last
				if s.Positive {
					worth = 1
				}
				for t := len(y) - 1; t >= 0; t-- {
					want[y[t]] += share * worth
					met[y[t]] += share
					worth *= gamma
				}
			})
		}
		for y := range want {
			want[y] /= met[y]
		}
		mustNear(t, "reward", e.model.RewardVisits(e.set, gamma), want, relTol, absTol)
	}
}

// The printed reward is the chance that a walk ends in goal which goes from label to label by the next page's evidence.
func TestRewardPrintedIsThatOfAllWalks(t *testing.T) {
	for i, e := range examples() {
		gamma, goal := []float64{0, .5, .8, 1}[i%4], i%e.model.Labels
		want, count := make([]float64, e.model.Labels), 0.0
		for _, s := range e.set {
			count += s.Count
			weights := 0.0
			for k := range s.Steps {
				weights += math.Pow(gamma, float64(k))
			}
			for y := range want {
				for k := range s.Steps {
					r := walks(e.model, s.Steps, len(s.Steps)-1-k, y, goal)
					want[y] += s.Count * math.Pow(gamma, float64(k)) * r / weights
				}
			}
		}
		for y := range want {
			want[y] /= count
		}
		mustNear(t, "reward", e.model.RewardPrinted(e.set, goal, gamma), want, relTol, absTol)
	}
}

// walks is the chance that the walk from label y on page at ends in goal: the sum over all ways on.
func walks(m *Model, path []Step, at, y, goal int) (chance float64) {
	labellings(len(path)-1-at, m.Labels, func(on []int) {
		p, now := 1.0, y
		for i, next := range on {
			page, all := at+1+i, 0.0
			for other := range m.Labels {
				all += math.Exp(m.Steps[now*m.Labels+other] + scoreAt(m, path, page, other))
			}
			p *= math.Exp(m.Steps[now*m.Labels+next]+scoreAt(m, path, page, next)) / all
			now = next
		}
		if now == goal {
			chance += p
		}
	})
	return chance
}

// Behind a link, P(y) is the marginal of a page of which nothing is known but the link.
func TestLinkPosteriorIsThatOfAllLabellings(t *testing.T) {
	rng := seeded(7)
	for _, e := range examples() {
		reward := make([]float64, e.model.Labels)
		for y := range reward {
			reward[y] = rng.Float64()
		}
		for _, s := range e.set {
			state := e.model.Start(s.Steps[0].Page)
			for at := 1; ; at++ {
				link := randomFeatures(rng, e.links)
				on := append(append([]Step{}, s.Steps[:at]...), Step{Link: link})
				want := enumerate(e.model, on)
				mustNear(t, "posterior", Softmax(e.model.Follow(state, link).Alpha), want.marginals[at], relTol, absTol)

				score, winner := e.model.From(state).Score(link, reward)
				wantScore := 0.0
				for y, p := range want.marginals[at] {
					wantScore += reward[y] * p
				}
				mustNear(t, "score", []float64{score}, []float64{wantScore}, relTol, absTol)
				if p := want.marginals[at]; p[winner] != p[largest(p)] {
					t.Errorf("label %d wins, of %v", winner, p)
				}
				if at == len(s.Steps) {
					break
				}
				state = e.model.Arrive(e.model.Follow(state, s.Steps[at].Link), s.Steps[at].Page)
			}
		}
	}
}

// The gradient is that of F, and F that of all labellings.
func TestGradientIsThatOfF(t *testing.T) {
	const (
		h           = 1e-5
		gradientTol = 1e-6 // the error of differences is some h² of the third derivative
		roundingTol = 1e-8 // and some 1e-15/h
	)
	for i, e := range examples() {
		c2, rng := []float64{0, .05, 2}[i%3], seeded(uint64(i)+1000)
		o := mustObjective(t, e.set, size{e.model.Labels, e.pages, e.links}, c2)
		at := make([]float64, o.weights)
		for k := range at {
			at[k] = rng.NormFloat64()
		}
		value, g := o.evaluate(at)
		gradient := append([]float64{}, g...)
		mustNear(t, "F", []float64{value}, []float64{slowF(o, e, at)}, relTol, absTol)
		for k := range at {
			up, down := append([]float64{}, at...), append([]float64{}, at...)
			up[k] += h
			down[k] -= h
			want := (slowF(o, e, up) - slowF(o, e, down)) / (2 * h)
			if !near(gradient[k], want, gradientTol, roundingTol) {
				t.Fatalf("example %d, weight %d: slope %v, want %v", i, k, gradient[k], want)
			}
		}
	}
}

func mustObjective(t *testing.T, set []Sequence, n size, c2 float64) *objective {
	t.Helper()
	m, err := newMaterial(t.Context(), set, n)
	if err != nil {
		t.Fatal(err)
	}
	return newObjective(t.Context(), m, c2)
}

// slowF is F by enumeration, of a model built from the weights.
func slowF(o *objective, e example, at []float64) (sum float64) {
	o.evaluate(at)
	m := o.model(at)
	for _, s := range e.set {
		sum += s.Count * (math.Log(enumerate(m, s.Steps).z) - scoreOf(m, s.Steps, s.Labels))
	}
	for _, w := range at {
		sum += o.c2 * w * w
	}
	return sum
}
