package strategy

import (
	"math"

	"nightjar/model"
)

// Hops explains a path: for each of its pages the most likely number of links left to a target, given what all of them
// said (Judgement.Evidence, empty for a page that said nothing); n-1 means that many or more. It is nil when no page said
// anything, as with strategies without states, when the evidence is not of this model, or when the model cannot make the
// path.
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

// positive reports whether each number is finite and at least 0: evidence may have been stored by anyone.
func positive(evidence []float64) bool {
	for _, e := range evidence {
		if !(e >= 0) || math.IsInf(e, 1) {
			return false
		}
	}
	return true
}
