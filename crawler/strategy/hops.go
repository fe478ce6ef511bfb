package strategy

import (
	"math"
	"slices"

	"nightjar/model"
)

// Hops explains a path: for each page, the most likely number of links to a target given the evidence of all pages
// (Judgement.Evidence, empty for a page without); n-1 means that many or more. It is nil when no page has evidence, as with
// strategies without states, when the evidence belongs to another model, or when the path is impossible in the model.
func Hops(b *model.Bundle, path [][]float64) []int {
	m, known := b.HMM(), make([][]float64, len(path))
	spoken := false
	for i, evidence := range path {
		if len(evidence) == 0 {
			continue
		}
		if len(evidence) != m.States() || !positive(evidence) {
			return nil
		}
		known[i], spoken = evidence, true
	}
	if !spoken {
		return nil
	}
	states, _ := m.Viterbi(known)
	return states
}

// positive reports whether each number is finite and at least 0: evidence comes from a store.
func positive(evidence []float64) bool {
	return !slices.ContainsFunc(evidence, func(e float64) bool { return !(e >= 0) || math.IsInf(e, 1) })
}
