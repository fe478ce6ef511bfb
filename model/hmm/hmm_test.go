package hmm

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// absTol suffices where both sides are sums of at most a few hundred products of probabilities in float64.
const absTol = 1e-12

// referenceTol is what the values of hmmlearn are held to: they were computed in another order, over up to 300 steps.
const referenceTol = 1e-8

func near(a, b, tol float64) bool { return a == b || math.Abs(a-b) <= tol }

func wantVector(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s = %v, want %v", what, got, want)
	}
	for i := range got {
		if !near(got[i], want[i], tol) {
			t.Fatalf("%s = %v, want %v", what, got, want)
		}
	}
}

// TestEstimate counts [HMM] §3.2 by hand: a chain 0 -> 1 -> 2 with a second way 0 -> 2 and a page 3 that leads nowhere.
func TestEstimate(t *testing.T) {
	states := []int{1, 1, 0, 3}   // of pages 0 to 3
	clusters := []int{1, 2, 0, 2} // three clusters with that of the targets
	edges := [][2]int{{0, 1}, {1, 2}, {0, 2}}
	m := Estimate(4, 3, states, clusters, edges, 0)
	q, third := 0.25, 1.0/3
	wantVector(t, "π", m.Initial, []float64{q, q, q, q}, 0)
	wantVector(t, "A[0], no links from a target", m.Transition[0], []float64{q, q, q, q}, 0)
	wantVector(t, "A[1], one of three links stays", m.Transition[1], []float64{2. / 3, third, 0, 0}, absTol)
	wantVector(t, "A[2], no page", m.Transition[2], []float64{q, q, q, q}, 0)
	wantVector(t, "B[0]", m.Emission[0], []float64{1, 0, 0}, 0)
	wantVector(t, "B[1]", m.Emission[1], []float64{0, .5, .5}, 0)
	wantVector(t, "B[2], no page", m.Emission[2], []float64{third, third, third}, 0)
	wantVector(t, "B[3]", m.Emission[3], []float64{0, 0, 1}, 0)

	m = Estimate(4, 3, states, clusters, edges, 0.1)
	wantVector(t, "A[1] smoothed", m.Transition[1], []float64{2.1 / 3.4, 1.1 / 3.4, .1 / 3.4, .1 / 3.4}, absTol)
	wantVector(t, "B[0] smoothed", m.Emission[0], []float64{1.1 / 1.3, .1 / 1.3, .1 / 1.3}, absTol)
	wantVector(t, "B[2] smoothed", m.Emission[2], []float64{third, third, third}, absTol)
}

func TestFilterByHand(t *testing.T) {
	m := &Model{Initial: []float64{.5, .5}, Transition: [][]float64{{.7, .3}, {.3, .7}}, Emission: [][]float64{{.9, .1}, {.2, .8}}}
	start := m.Start(m.Evidence(0))
	wantVector(t, "start", start, []float64{.45 / .55, .1 / .55}, absTol)
	wantVector(t, "start without an observation", m.Start(m.Evidence(NoCluster)), []float64{.5, .5}, 0)
	next := m.Predict([]float64{.5, .5})
	wantVector(t, "prediction", next, []float64{.5, .5}, absTol)
	wantVector(t, "filter", m.Filter([]float64{.5, .5}, m.Evidence(1)), []float64{.05 / .45, .4 / .45}, absTol)
	wantVector(t, "filter without an observation", m.Filter([]float64{1, 0}, m.Evidence(NoCluster)), []float64{.7, .3}, absTol)
}

func TestFilterKeepsPredictionWhenNothingCanEmit(t *testing.T) {
	m := &Model{Initial: []float64{.5, .5}, Transition: [][]float64{{.7, .3}, {.3, .7}}, Emission: [][]float64{{1, 0}, {1, 0}}}
	wantVector(t, "filter", m.Filter([]float64{1, 0}, m.Evidence(1)), []float64{.7, .3}, absTol)
	wantVector(t, "start", m.Start(m.Evidence(1)), []float64{.5, .5}, absTol)
	if got := m.LogLikelihood(m.EvidenceOf([]int{0, 1})); !math.IsInf(got, -1) {
		t.Errorf("LogLikelihood of an impossible path = %v, want -Inf", got)
	}
	if got := m.Posterior(m.EvidenceOf([]int{0, 1})); got != nil {
		t.Errorf("Posterior of an impossible path = %v, want nil", got)
	}
	if got, p := m.Viterbi(m.EvidenceOf([]int{0, 1})); got != nil || !math.IsInf(p, -1) {
		t.Errorf("Viterbi of an impossible path = %v, %v, want nil, -Inf", got, p)
	}
}

// random draws a model with at most 3 states and 3 clusters; some cells are 0.
func random(rng *rand.Rand) *Model {
	n, x := 1+rng.IntN(3), 1+rng.IntN(3)
	row := func(k int) []float64 {
		v := make([]float64, k)
		for i := range v {
			if rng.IntN(4) > 0 {
				v[i] = rng.Float64()
			}
		}
		share(v)
		return v
	}
	m := &Model{Initial: row(n)}
	for range n {
		m.Transition = append(m.Transition, row(n))
		m.Emission = append(m.Emission, row(x))
	}
	return m
}

// enumeration goes through every sequence of states of a path: an oracle that shares nothing with the recursions.
type enumeration struct {
	total     float64     // P(observations)
	posterior [][]float64 // by page and state, summed, not scaled
	best      float64     // P of the best sequence with the observations
}

func enumerate(m *Model, obs []int) enumeration {
	e := enumeration{posterior: matrix(len(obs), m.States(), 0)}
	var walk func(path []int, p float64)
	walk = func(path []int, p float64) {
		if len(path) == len(obs) {
			e.total += p
			e.best = max(e.best, p)
			for t, s := range path {
				e.posterior[t][s] += p
			}
			return
		}
		for s := range m.States() {
			q := p * of(m.Evidence(obs[len(path)]), s)
			if len(path) == 0 {
				q *= m.Initial[s]
			} else {
				q *= m.Transition[path[len(path)-1]][s]
			}
			walk(append(path[:len(path):len(path)], s), q)
		}
	}
	walk(nil, 1)
	return e
}

func TestAgainstEnumeration(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		m := random(rng)
		obs := make([]int, 1+rng.IntN(4))
		for i := range obs {
			obs[i] = rng.IntN(m.Clusters()+1) - 1
		}
		e := enumerate(m, obs)
		if got := math.Exp(m.LogLikelihood(m.EvidenceOf(obs))); !near(got, e.total, absTol) {
			t.Fatalf("seed %d: likelihood %v, enumeration says %v", seed, got, e.total)
		}
		path, logProb := m.Viterbi(m.EvidenceOf(obs))
		if !near(math.Exp(logProb), e.best, absTol) {
			t.Fatalf("seed %d: best path %v has %v, enumeration says %v", seed, path, math.Exp(logProb), e.best)
		}
		if e.total == 0 {
			continue
		}
		if !near(probability(m, path, obs), e.best, absTol) {
			t.Fatalf("seed %d: the path %v is not as probable as Viterbi says", seed, path)
		}
		for i, row := range m.Posterior(m.EvidenceOf(obs)) {
			share(e.posterior[i])
			wantVector(t, "posterior", row, e.posterior[i], 1e-9)
		}
		filtered := m.Start(m.Evidence(obs[0]))
		for i := range obs {
			if i > 0 {
				filtered = m.Filter(filtered, m.Evidence(obs[i]))
			}
			prefix := enumerate(m, obs[:i+1])
			share(prefix.posterior[i])
			wantVector(t, "filtered", filtered, prefix.posterior[i], 1e-9)
		}
	}
}

func probability(m *Model, path, obs []int) float64 {
	p := m.Initial[path[0]]
	for i, s := range path {
		if i > 0 {
			p *= m.Transition[path[i-1]][s]
		}
		p *= of(m.Evidence(obs[i]), s)
	}
	return p
}

func TestAgainstHmmlearn(t *testing.T) {
	raw, err := os.ReadFile("testdata/hmmlearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Examples map[string]struct {
			Pi             []float64
			A, B           [][]float64
			Obs            []int
			LogLik         float64
			Posteriors     [][]float64
			ViterbiLogProb float64 `json:"viterbi_logprob"`
			Viterbi        []int
			Filtered       [][]float64
			Every          int // posteriors and filtered hold one page in Every; 0 means each
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Examples) != 3 {
		t.Fatalf("%d examples, want 3", len(file.Examples))
	}
	for name, e := range file.Examples {
		t.Run(name, func(t *testing.T) {
			m := &Model{Initial: e.Pi, Transition: e.A, Emission: e.B}
			every := max(e.Every, 1)
			if got := m.LogLikelihood(m.EvidenceOf(e.Obs)); !near(got, e.LogLik, referenceTol) {
				t.Errorf("log likelihood %v, want %v", got, e.LogLik)
			}
			path, logProb := m.Viterbi(m.EvidenceOf(e.Obs))
			if !near(logProb, e.ViterbiLogProb, referenceTol) {
				t.Errorf("Viterbi log probability %v, want %v", logProb, e.ViterbiLogProb)
			}
			posterior := m.Posterior(m.EvidenceOf(e.Obs))
			alpha := m.Start(m.Evidence(e.Obs[0]))
			for i := range e.Obs {
				if path[i] != e.Viterbi[i] {
					t.Fatalf("Viterbi path differs at %d", i)
				}
				if i > 0 {
					alpha = m.Filter(alpha, m.Evidence(e.Obs[i]))
				}
				if i%every == 0 {
					wantVector(t, "posterior", posterior[i], e.Posteriors[i/every], referenceTol)
					wantVector(t, "filtered", alpha, e.Filtered[i/every], referenceTol)
				}
			}
		})
	}
}

// TestProperties holds over random models and long paths: distributions stay distributions, nothing underflows, and the
// scaled forward pass says the same as one in logarithms.
func TestProperties(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 4))
		n, x := 2+rng.IntN(5), 2+rng.IntN(6)
		states, clusters := make([]int, 40), make([]int, 40)
		for i := range states {
			states[i], clusters[i] = rng.IntN(n), rng.IntN(x)
		}
		var edges [][2]int
		for range rng.IntN(100) {
			edges = append(edges, [2]int{rng.IntN(40), rng.IntN(40)})
		}
		m := Estimate(n, x, states, clusters, edges, []float64{0, .1, 1}[rng.IntN(3)])
		for i := range n {
			wantSum(t, "row of A", m.Transition[i])
			wantSum(t, "row of B", m.Emission[i])
		}
		obs := make([]int, 10_000)
		for i := range obs {
			obs[i] = clusters[rng.IntN(40)]
		}
		alpha := m.Start(m.Evidence(obs[0]))
		for _, o := range obs[1:] {
			alpha = m.Filter(alpha, m.Evidence(o))
			wantSum(t, "alpha", alpha)
			wantSum(t, "prediction", m.Predict(alpha))
		}
		if got, want := m.LogLikelihood(m.EvidenceOf(obs)), logForward(m, obs); !near(got, want, 1e-7) {
			t.Fatalf("seed %d: scaled %v, in logarithms %v", seed, got, want)
		}
	}
}

func wantSum(t *testing.T, what string, v []float64) {
	t.Helper()
	sum := 0.0
	for _, p := range v {
		if !(p >= 0 && p <= 1+absTol) {
			t.Fatalf("%s = %v, want probabilities", what, v)
		}
		sum += p
	}
	if !near(sum, 1, absTol) {
		t.Fatalf("%s sums to %v, want 1", what, sum)
	}
}

// logForward is the forward algorithm without scaling, in logarithms.
func logForward(m *Model, obs []int) float64 {
	logSum := func(v []float64) float64 {
		top := math.Inf(-1)
		for _, x := range v {
			top = max(top, x)
		}
		if math.IsInf(top, -1) {
			return top
		}
		sum := 0.0
		for _, x := range v {
			sum += math.Exp(x - top)
		}
		return top + math.Log(sum)
	}
	row := make([]float64, m.States())
	for j := range row {
		row[j] = math.Log(m.Initial[j]) + math.Log(m.Emission[j][obs[0]])
	}
	for _, o := range obs[1:] {
		next := make([]float64, len(row))
		for j := range next {
			terms := make([]float64, len(row))
			for i := range row {
				terms[i] = row[i] + math.Log(m.Transition[i][j])
			}
			next[j] = logSum(terms) + math.Log(m.Emission[j][o])
		}
		row = next
	}
	return logSum(row)
}

// TestUniform is a limit with a known answer: with uniform transitions a page's past does not matter.
func TestUniform(t *testing.T) {
	m := &Model{Initial: []float64{.5, .5}, Transition: [][]float64{{.5, .5}, {.5, .5}}, Emission: [][]float64{{.9, .1}, {.2, .8}}}
	wantVector(t, "filter", m.Filter([]float64{1, 0}, m.Evidence(0)), m.Start(m.Evidence(0)), absTol)
	if got, want := m.LogLikelihood(m.EvidenceOf([]int{0, 1, 1})), math.Log(.55*.45*.45); !near(got, want, absTol) {
		t.Errorf("log likelihood %v, want %v", got, want)
	}
}
