package senses

import "slices"

// search is a branch and bound over the words of a table, those with the fewest senses first.
type search struct {
	t     *table
	order []int       // words in the order in which they are given senses
	pairs []float64   // [depth]: sum over the pairs of words from order[depth] on of their largest similarity
	gain  [][]float64 // [depth][sense]: sum of its similarities with the senses of the words before order[depth]
	ranks []int
	best  solution
}

// slack is more than the bound can be too small by rounding, and less than a step of the key.
const slack = 1e-10

// exact finds the solution that is before all others.
func (t *table) exact() solution {
	n, m := len(t.of), t.start[len(t.of)]
	s := &search{t: t, ranks: make([]int, n), pairs: make([]float64, n+1), gain: make([][]float64, n+1)}
	for w := range n {
		s.order = append(s.order, w)
	}
	slices.SortStableFunc(s.order, func(a, b int) int { return t.senses(a) - t.senses(b) })
	for depth := range s.gain {
		s.gain[depth] = make([]float64, m)
	}
	for depth := n - 1; depth >= 0; depth-- {
		s.pairs[depth] = s.pairs[depth+1]
		for _, w := range s.order[depth+1:] {
			s.pairs[depth] += t.largest(s.order[depth], w)
		}
	}
	s.best = t.solution(s.ranks)
	s.from(0, 0, 0)
	return s.best
}

// largest is the largest similarity of a sense of v with one of w.
func (t *table) largest(v, w int) float64 {
	top := 0.0
	for rank := range t.senses(v) {
		top = max(top, slices.Max(t.row(v, rank)[t.start[w]:t.start[w+1]]))
	}
	return top
}

// from tries all senses of the words from order[depth] on, except where no solution can be before the best one. total and
// sum are the total and the sum of ranks of the words before.
func (s *search) from(depth int, total float64, sum int) {
	if depth == len(s.order) {
		if one := s.t.solution(s.ranks); one.before(s.best) {
			s.best = one
		}
		return
	}
	bound := total + s.pairs[depth] // each word left gets the most it can, from the words before and from those left
	for _, w := range s.order[depth:] {
		bound += slices.Max(s.gain[depth][s.t.start[w]:s.t.start[w+1]])
	}
	if k := key(bound + slack); k < s.best.key || k == s.best.key && sum > s.best.sum {
		return
	}
	w := s.order[depth]
	for rank := range s.t.senses(w) {
		s.ranks[w] = rank
		row := s.t.row(w, rank)
		for i, g := range s.gain[depth] {
			s.gain[depth+1][i] = g + row[i]
		}
		s.from(depth+1, total+s.gain[depth][s.t.start[w]+rank], sum+rank)
	}
	s.ranks[w] = 0
}
