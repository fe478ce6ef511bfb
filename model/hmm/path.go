package hmm

import "math"

// LogLikelihood returns ln P(o_1..T): how well the model explains the observations on a path. path holds the evidence of
// its pages, nil for a page without an observation. The result is 0 for an empty path, -Inf for an impossible one.
func (m *Model) LogLikelihood(path [][]float64) float64 {
	_, logProb := m.forward(path)
	return logProb
}

// Posterior returns the distribution over states of each page of a path, given the evidence of the whole path, before and
// after the page (forward-backward algorithm). It has one row for each page, which sums to 1. It is nil when the path is
// impossible.
func (m *Model) Posterior(path [][]float64) [][]float64 {
	alpha, logProb := m.forward(path)
	if math.IsInf(logProb, -1) {
		return nil
	}
	beta := make([]float64, m.States()) // P(o_{t+1}..o_T | state at t), scaled; only proportions matter
	for i := range beta {
		beta[i] = 1
	}
	for t := len(path) - 1; t >= 0; t-- {
		for i := range beta {
			alpha[t][i] *= beta[i]
		}
		share(alpha[t])
		previous := make([]float64, len(beta))
		for i := range previous {
			for j, a := range m.Transition[i] {
				previous[i] += a * of(path[t], j) * beta[j]
			}
		}
		share(previous)
		beta = previous
	}
	return alpha
}

// Viterbi returns the most probable sequence of states of a path, and ln of its joint probability with the evidence. Ties
// go to the state nearer to a target. The result is nil and -Inf when the path is impossible.
func (m *Model) Viterbi(path [][]float64) ([]int, float64) {
	m.checkAll(path)
	if len(path) == 0 {
		return nil, 0
	}
	n := m.States()
	best := make([]float64, n) // ln P of the best sequence so far that ends in each state
	for j := range best {
		best[j] = math.Log(m.Initial[j]) + math.Log(of(path[0], j))
	}
	from := make([][]int, len(path)) // from[t][j]: the state before j in that sequence
	for t := 1; t < len(path); t++ {
		from[t] = make([]int, n)
		next := make([]float64, n)
		for j := range next {
			next[j] = math.Inf(-1)
			for i, p := range best {
				if q := p + math.Log(m.Transition[i][j]); q > next[j] {
					next[j], from[t][j] = q, i
				}
			}
			next[j] += math.Log(of(path[t], j))
		}
		best = next
	}
	last := 0
	for j, p := range best {
		if p > best[last] {
			last = j
		}
	}
	if math.IsInf(best[last], -1) {
		return nil, best[last]
	}
	states, logProb := make([]int, len(path)), best[last]
	for t := len(path) - 1; t >= 0; t-- {
		states[t] = last
		if t > 0 {
			last = from[t][last]
		}
	}
	return states, logProb
}

// forward is the distribution over states of each page given the evidence up to it, and ln P(o_1..T). Unlike Filter it
// stops where the model cannot go on: the remaining rows are nil and the logarithm is -Inf.
//
// The factor that scales row t to sum to 1 is P(o_t | o_1..t-1); the logarithms add up to that of the whole.
func (m *Model) forward(path [][]float64) (alpha [][]float64, logProb float64) {
	m.checkAll(path)
	alpha = make([][]float64, len(path))
	prior := m.Initial
	for t, e := range path {
		row := make([]float64, m.States())
		for j, p := range prior {
			row[j] = p * of(e, j)
		}
		scale := share(row)
		if scale == 0 {
			return alpha, math.Inf(-1)
		}
		alpha[t], logProb = row, logProb+math.Log(scale)
		prior = m.Predict(row)
	}
	return alpha, logProb
}
