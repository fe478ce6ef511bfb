package hmm

import "math"

// Viterbi returns the most probable sequence of states of a path, and ln of its joint probability with the evidence. Ties
// go to the state nearer to a target. The result is nil and -Inf when the path is impossible.
func (m *Model) Viterbi(path [][]float64) ([]int, float64) {
	for _, e := range path {
		m.check(e)
	}
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
