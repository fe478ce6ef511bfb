package strategy

import (
	"context"

	"nightjar/model"
)

var hmmSoftKind = Kind{
	Name:    "hmm-soft",
	Summary: "follows links from the page that a hidden Markov model estimates to be nearest to a useful page, using all words of the page",
	Look:    4,
	Best:    "no other was on a page that seemed nearer to a useful one",
	New:     newHMMSoft,
}

// newHMMSoft follows links by the same hidden Markov model as hmm, but observes all words of a page instead of
// the number of its cluster: the evidence for a state is P(T_j | page)/P(T_j), which is proportional to
// P(page | T_j) as [HMM] §3.3 wants it. Links are ordered by an expected value, so that a slightly larger probability of
// being at a target does not outweigh a much larger one of being near.
func newHMMSoft(_ context.Context, b *model.Bundle) (Strategy, error) {
	return &hmmStrategy{
		reader: reader{b, "hmm-soft"}, model: b.HMM(), key: expectedValue,
		evidence: func(o model.Observation) []float64 { return o.Emission },
	}, nil
}

// expectedValue is model.ExpectedValue as a key, the same by which a model rehearses this strategy.
func expectedValue(prediction []float64) Priority { return fine(model.ExpectedValue(prediction)) }
