package hmm

import "math"

// LogLikelihood is ln P(o_1..T): how well the model explains a path's clusters. An observation of NoCluster says nothing.
// It is 0 for an empty path, -Inf for one that the model cannot make.
func (m *Model) LogLikelihood(obs []int) float64 {
	_, logProb := m.forward(obs)
	return logProb
}

// Posterior is the distribution over states of each page of a path, given the clusters of the whole path: before and
// after it (forward-backward algorithm). It has a row a page, each summing to 1; nil when the model cannot make the path.
func (m *Model) Posterior(obs []int) [][]float64 {
	alpha, logProb := m.forward(obs)
	if math.IsInf(logProb, -1) {
		return nil
	}
	beta := make([]float64, m.States()) // P(o_{t+1}..o_T | state at t), scaled; only proportions matter
	for i := range beta {
		beta[i] = 1
	}
	for t := len(obs) - 1; t >= 0; t-- {
		for i := range beta {
			alpha[t][i] *= beta[i]
		}
		share(alpha[t])
		previous := make([]float64, len(beta))
		for i := range previous {
			for j, a := range m.Transition[i] {
				previous[i] += a * m.emission(j, obs[t]) * beta[j]
			}
		}
		share(previous)
		beta = previous
	}
	return alpha
}

// Viterbi is the most probable sequence of states of a path, and ln of its probability together with the path's clusters.
// Ties go to the state nearer to a target. It is nil and -Inf when the model cannot make the path.
func (m *Model) Viterbi(obs []int) ([]int, float64) {
	m.checkAll(obs)
	if len(obs) == 0 {
		return nil, 0
	}
	n := m.States()
	best := make([]float64, n) // ln P of the best sequence so far that ends in each state
	for j := range best {
		best[j] = math.Log(m.Initial[j]) + math.Log(m.emission(j, obs[0]))
	}
	from := make([][]int, len(obs)) // from[t][j]: the state before j in that sequence
	for t := 1; t < len(obs); t++ {
		from[t] = make([]int, n)
		next := make([]float64, n)
		for j := range next {
			next[j] = math.Inf(-1)
			for i, p := range best {
				if q := p + math.Log(m.Transition[i][j]); q > next[j] {
					next[j], from[t][j] = q, i
				}
			}
			next[j] += math.Log(m.emission(j, obs[t]))
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
	path := make([]int, len(obs))
	for t := len(obs) - 1; t >= 0; t-- {
		path[t] = last
		if t > 0 {
			last = from[t][last]
		}
	}
	return path, best[path[len(path)-1]]
}

// forward is the distribution over states of each page given the clusters up to it, and ln P(o_1..T). Unlike Filter it
// stops where the model cannot go on: the remaining rows are nil and the logarithm is -Inf.
//
// The factor that scales row t to sum to 1 is P(o_t | o_1..t-1); the logarithms add up to that of the whole.
func (m *Model) forward(obs []int) (alpha [][]float64, logProb float64) {
	m.checkAll(obs)
	alpha = make([][]float64, len(obs))
	prior := m.Initial
	for t, o := range obs {
		row := make([]float64, m.States())
		for j, p := range prior {
			row[j] = p * m.emission(j, o)
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
