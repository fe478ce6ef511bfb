package model

import (
	"errors"
	"fmt"

	"nightjar/model/hmm"
)

// hmmSection is the section "hmm": the hidden Markov model.
type hmmSection struct {
	Initial    []float64   `cbor:"initial"`
	Transition [][]float64 `cbor:"transition"`
	Emission   [][]float64 `cbor:"emission"`
}

func (s *hmmSection) from(b *Bundle) bool {
	*s = hmmSection{Initial: b.Initial, Transition: b.Transition, Emission: b.Emission}
	return true
}

func (s *hmmSection) into(b *Bundle) error {
	b.Initial, b.Transition, b.Emission = s.Initial, s.Transition, s.Emission
	return nil
}

func (b *Bundle) checkHMM() error {
	n, x := len(b.Initial), len(b.Clusters)
	if n < 2 || len(b.Transition) != n || len(b.Emission) != n {
		return fmt.Errorf("a model of %d states has %d and %d rows", n, len(b.Transition), len(b.Emission))
	}
	if !hmm.Distribution(b.Initial, n, rowTol) {
		return errors.New("π is no distribution over the states")
	}
	for i := range n {
		if !hmm.Distribution(b.Transition[i], n, rowTol) || !hmm.Distribution(b.Emission[i], x, rowTol) {
			return fmt.Errorf("row %d of A or B is no distribution", i)
		}
	}
	return nil
}
