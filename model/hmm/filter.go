package hmm

// Start returns the distribution over states of the first page of a path, given its evidence: n numbers of at least 0, or
// nil when nothing was observed.
//
//	α_1(j) = π_j · b_j(o_1) / Σ_i π_i · b_i(o_1)                                       [HMM] §4.3, fig. 7
func (m *Model) Start(evidence []float64) []float64 { return m.weigh(m.Initial, evidence) }

// Filter returns the distribution over states of the page that a link led to. alpha is the distribution of the page with
// the link; evidence is that of the new page, nil when nothing was observed. alpha has n entries, sums to 1, and is not
// changed.
//
//	α_t(j) = b_j(o_t) · Σ_i α_{t-1}(i) · a_ij, scaled to sum to 1                      [HMM] §3.3, eq. (6), (7)
//
// The paper does not scale α_t, though it calls it the distribution P(S_t | O_1..t). Without scaling, a deep page could
// not be compared with a shallow one. When the evidence excludes every reachable state, Filter returns the prediction.
func (m *Model) Filter(alpha, evidence []float64) []float64 {
	return m.weigh(m.Predict(alpha), evidence)
}

// Predict returns the distribution over states of the pages that a page's links lead to, given that of the page itself.
//
//	α'_{t+1}(j) = Σ_i α_t(i) · a_ij                                                    [HMM] §3.3, eq. (5), (8)
func (m *Model) Predict(alpha []float64) []float64 {
	if len(alpha) != m.States() {
		panic("hmm: one probability a state wanted")
	}
	next := make([]float64, len(alpha))
	for i, p := range alpha {
		for j, a := range m.Transition[i] {
			next[j] += p * a
		}
	}
	return next
}

// weigh multiplies a distribution by the evidence and scales it to sum to 1. Evidence that excludes every state changes
// nothing.
func (m *Model) weigh(prior, evidence []float64) []float64 {
	m.check(evidence)
	alpha := make([]float64, len(prior))
	for j, p := range prior {
		alpha[j] = p * of(evidence, j)
	}
	if share(alpha) > 0 {
		return alpha
	}
	copy(alpha, prior)
	share(alpha)
	return alpha
}
