package crf

// Viterbi is the labelling of a path with the highest score, and that score. Of equal labellings it takes the lower labels
// at the end of the path.
//
// [CRF] §4.3.1 prints δ(0, y) = 1. Logarithms are added here, so that it would have to be 0; and as for α, the recursion
// begins with δ_1 = s_1, without a step before the first page.
func (m *Model) Viterbi(path []Step) (labels []int, score float64) {
	n, l := len(path), m.Labels
	if n == 0 {
		return nil, 0
	}
	scores, where := m.scores(path), make([]int32, n*l)
	a, delta, next := steps{labels: l, log: m.Steps}, scores[:l], make([]float64, l)
	for t := 1; t < n; t++ {
		s := scores[t*l : (t+1)*l]
		a.best(next, delta, where[t*l:(t+1)*l])
		addTo(s, next)
		delta = s
	}
	labels = make([]int, n)
	labels[n-1] = largest(delta)
	for t := n - 1; t > 0; t-- {
		labels[t-1] = int(where[t*l+labels[t]])
	}
	return labels, delta[labels[n-1]]
}

// largest is the index of the largest value, the first of equals.
func largest(v []float64) int {
	at := 0
	for i := range v {
		if v[i] > v[at] {
			at = i
		}
	}
	return at
}
