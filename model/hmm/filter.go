package hmm

// Start is the distribution over states of a path's first page, given its evidence: n numbers of at least 0, or nil when
// nothing was observed.
//
//	α_1(j) = π_j · b_j(o_1) / Σ_i π_i · b_i(o_1)                                       [HMM] §4.3, fig. 7
func (m *Model) Start(evidence []float64) []float64 { return m.weigh(m.Initial, evidence) }

// Filter is the distribution over states of the page a link led to, given that of the page that held the link and the
// new page's evidence (nil when nothing was observed). alpha has n entries, sums to 1, and is not changed.
//
//	α_t(j) = b_j(o_t) · Σ_i α_{t-1}(i) · a_ij, scaled to sum to 1                      [HMM] §3.3, eq. (6), (7)
//
// The paper does not scale, though it calls α_t the distribution P(S_t | O_1..t); unscaled, a deep page could not be
// compared with a shallow one. When the evidence excludes every reachable state, the prediction is kept.
func (m *Model) Filter(alpha, evidence []float64) []float64 {
	return m.weigh(m.Predict(alpha), evidence)
}

// Predict is the distribution over states of the pages that a page's links lead to, given that of the page itself.
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
