// Package hmm is the hidden Markov model of a crawl, [HMM] §3. The hidden state of a page is its distance from a target in
// links; the observation is the page's cluster. Start with Estimate, then follow a path from page to page with Start,
// Filter and Predict. Viterbi explains a whole path.
//
// All of them take the evidence of a page: for each state j a number proportional to P(page | T_j). The paper's evidence is
// a column of B, which Evidence returns. The evidence of another model of pages can take its place.
package hmm

import (
	"math"
	"slices"
)

// Model is a hidden Markov model with n states and x+1 clusters, cluster 0 being that of the targets.
type Model struct {
	Initial    []float64   // π_i = P(first page is in T_i), n entries
	Transition [][]float64 // a_ij = P(next page is in T_j | this one is in T_i), n×n, each row sums to 1
	Emission   [][]float64 // b_ij = P(page is of cluster j | it is in T_i), n×(x+1), each row sums to 1
}

// NoCluster is the cluster of a page without an observation: none of its terms is known.
const NoCluster = -1

// Estimate estimates the parameters of a model by counting on a concept graph ([HMM] §3.2). states[p] is the hop label of
// page p in [0, n), clusters[p] its cluster in [0, clusterCount); an edge leads from its first page to its second.
// smoothing, at least 0, is added to each count; with 0 the result is the paper's.
//
//	π_i  = 1/n
//	a_ij = |L_ij| / Σ_k |L_ik|, L_ij the edges from a page in T_i to one in T_j        [HMM] §3.2, eq. (3)
//	b_ij = |N_ij| / Σ_k |N_ik|, N_ij the pages in T_i of cluster j                     [HMM] §3.2, eq. (4)
//
// As printed, the sum of (3) runs over the wrong index, and (4) swaps i and j of its own N_ij. Here each row sums to 1, as
// the definitions of A and B require. A row without any count is uniform.
func Estimate(n, clusterCount int, states, clusters []int, edges [][2]int, smoothing float64) *Model {
	if n < 1 || clusterCount < 1 {
		panic("hmm: at least one state and one cluster wanted")
	}
	if len(states) != len(clusters) {
		panic("hmm: one state and one cluster a page wanted")
	}
	if !(smoothing >= 0) {
		panic("hmm: negative smoothing")
	}
	m := &Model{
		Initial:    slices.Repeat([]float64{1 / float64(n)}, n),
		Transition: matrix(n, n, smoothing), Emission: matrix(n, clusterCount, smoothing),
	}
	for _, e := range edges {
		m.Transition[states[e[0]]][states[e[1]]]++
	}
	for p, s := range states {
		m.Emission[s][clusters[p]]++
	}
	for i := range n {
		share(m.Transition[i])
		share(m.Emission[i])
	}
	return m
}

// States returns n.
func (m *Model) States() int { return len(m.Initial) }

// Evidence returns the evidence of a page's cluster j: column j of B, which is b_ij for each state i. It is nil for
// NoCluster, which favours no state. Evidence panics on a cluster that the model does not have.
func (m *Model) Evidence(cluster int) []float64 {
	if cluster == NoCluster {
		return nil
	}
	e := make([]float64, m.States())
	for i := range e {
		e[i] = m.Emission[i][cluster]
	}
	return e
}

// Distribution reports whether v has n numbers of at least 0 whose sum differs from 1 by at most the tolerance.
func Distribution(v []float64, n int, tolerance float64) bool {
	sum := 0.0
	for _, p := range v {
		if !(p >= 0) {
			return false
		}
		sum += p
	}
	return len(v) == n && math.Abs(sum-1) <= tolerance
}

// of is the evidence for state j: 1 when nothing was observed.
func of(evidence []float64, j int) float64 {
	if evidence == nil {
		return 1
	}
	return evidence[j]
}

// check panics on evidence of the wrong length, which is a bug of the caller and never due to data.
func (m *Model) check(evidence []float64) {
	if evidence != nil && len(evidence) != m.States() {
		panic("hmm: evidence for each state wanted")
	}
}

func matrix(rows, cols int, fill float64) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = slices.Repeat([]float64{fill}, cols)
	}
	return m
}

// share scales values to sum to 1, and makes them all equal when they sum to 0. It returns the sum before.
func share(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	for i := range v {
		if sum > 0 {
			v[i] /= sum
		} else {
			v[i] = 1 / float64(len(v))
		}
	}
	return sum
}
