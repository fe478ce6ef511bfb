package crf

import "math"

// RewardVisits is the value of each label by the paths that went through it: the discounted reward that they really got.
//
//	R(y) = Σ_l m_l Σ_i P(y_i=y | x_l) γ^(n_l-i) G_l / Σ_l m_l Σ_i P(y_i=y | x_l),   G_l = 1 for a positive path, else 0
//
// The values are in [0, 1]; a label of which no page has any share gets 0. gamma is in [0, 1]. This takes the place of
// [CRF] §5.2.1, see RewardPrinted.
func (m *Model) RewardVisits(set []Sequence, gamma float64) []float64 {
	got, met := make([]float64, m.Labels), make([]float64, m.Labels)
	a := m.steps()
	for i := range set {
		path := &set[i]
		lattice := newLattice(a, m.scores(path.Steps))
		for t := range path.Steps {
			worth := 0.0
			if path.Positive {
				worth = math.Pow(gamma, float64(len(path.Steps)-1-t))
			}
			for y, p := range lattice.Marginal(t) {
				met[y] += path.Count * p
				got[y] += path.Count * p * worth
			}
		}
	}
	for y := range got {
		if met[y] > 0 {
			got[y] /= met[y]
		}
	}
	return got
}

// RewardPrinted is the value of each label by [CRF] §5.2.1: how likely a walk from it ends in goal, averaged over
// where on the path it stands, and over the paths, a path of Count m counting m times.
//
//	R_n(y) = [y = goal]
//	R_i(y) = Σ_{y'} R_{i+1}(y') e^(A[y][y']+s_{i+1}(y')) / Σ_{y'} e^(A[y][y']+s_{i+1}(y'))
//	R^x(y) = Σ_{k=0}^{n-1} γ^k R_{n-k}(y) / Σ_{k=0}^{n-1} γ^k;   R(y) = Σ_l m_l R^{x_l}(y) / Σ_l m_l
//
// Two indices are put right. The printed recursion has e^{W·f(y′,y,x,i)} for 1 < i < n, but the step goes from y on page i
// to y′ on page i+1: f(y,y′,x,i+1), for 1 ≤ i < n, as the sum uses i = 1. The printed average has R_l^x(y) for R^{x_l}(y).
//
// It is nearly blind: the last page's own words decide R_{n-1}, whatever the label before it. The values are in [0, 1], and
// 0 for an empty set. gamma is in [0, 1]; goal is a label, or it panics.
func (m *Model) RewardPrinted(set []Sequence, goal int, gamma float64) []float64 {
	if goal < 0 || goal >= m.Labels {
		panic("crf: goal out of range")
	}
	sum, count := make([]float64, m.Labels), 0.0
	a := m.steps()
	for i := range set {
		for y, r := range a.printed(m.scores(set[i].Steps), goal, gamma) {
			sum[y] += set[i].Count * r
		}
		count += set[i].Count
	}
	for y := range sum {
		if count > 0 {
			sum[y] /= count
		}
	}
	return sum
}

// printed is R^x of a path with these scores; 0 for a path without pages.
func (s *steps) printed(scores []float64, goal int, gamma float64) []float64 {
	l := s.labels
	mean, now, before, out := make([]float64, l), make([]float64, l), make([]float64, l), make([]float64, l)
	now[goal] = 1
	weight, weights := 1.0, 0.0
	for t := len(scores) - l; t >= 0; t -= l {
		for y, r := range now {
			mean[y] += weight * r
		}
		weights += weight
		weight *= gamma
		for y := range before {
			copy(out, s.log[y*l:(y+1)*l])
			addTo(out, scores[t:t+l])
			softmax(out)
			before[y] = 0
			for after, p := range out {
				before[y] += p * now[after]
			}
		}
		now, before = before, now
	}
	for y := range mean {
		if weights > 0 {
			mean[y] /= weights
		}
	}
	return mean
}
