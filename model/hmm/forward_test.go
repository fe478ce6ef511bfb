package hmm

import "math"

// What follows a path by Predict and Evidence, to compare these with references and with Viterbi.

// Clusters returns x+1: the number of clusters with that of the targets.
func (m *Model) Clusters() int { return len(m.Emission[0]) }

// EvidenceOf returns the evidence of each page of a path, given their clusters.
func (m *Model) EvidenceOf(clusters []int) [][]float64 {
	path := make([][]float64, len(clusters))
	for t, c := range clusters {
		path[t] = m.Evidence(c)
	}
	return path
}

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

// forward is the distribution over states of each page given the evidence up to it, and ln P(o_1..T). Unlike Filter it
// stops where the model cannot go on: the remaining rows are nil and the logarithm is -Inf.
//
// The factor that scales row t to sum to 1 is P(o_t | o_1..t-1); the logarithms add up to that of the whole.
func (m *Model) forward(path [][]float64) (alpha [][]float64, logProb float64) {
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
