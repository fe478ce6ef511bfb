package model

import (
	"errors"
	"fmt"

	"nightjar/model/hmm"
)

// classifiersSection is the section "classifiers": the features, and what the soft emission and the judge weigh them by.
type classifiersSection struct {
	Terms   []string        `cbor:"terms"`
	Written []string        `cbor:"written"`
	IDF     packed[float32] `cbor:"idf"`

	SoftWeights packed[float32] `cbor:"soft_weights"`
	SoftBias    []float64       `cbor:"soft_bias"`
	SoftPrior   []float64       `cbor:"soft_prior"`

	JudgeWeights packed[float32] `cbor:"judge_weights"`
	JudgeBias    float64         `cbor:"judge_bias"`
	Slope        float64         `cbor:"judge_slope"`
	Offset       float64         `cbor:"judge_offset"`
	Threshold    float64         `cbor:"judge_threshold"`
	F1           float64         `cbor:"judge_f1"`
	How          string          `cbor:"judge_how"`
}

func (s *classifiersSection) from(b *Bundle) bool {
	f, j := &b.Features, &b.Judge
	*s = classifiersSection{
		Terms: f.Terms, Written: f.Written, IDF: f.IDF,
		SoftWeights: b.Soft.Weights, SoftBias: b.Soft.Bias, SoftPrior: b.Soft.Prior,
		JudgeWeights: j.Weights, JudgeBias: j.Bias, Slope: j.Slope, Offset: j.Offset, Threshold: j.Threshold, F1: j.F1, How: j.How,
	}
	return true
}

func (s *classifiersSection) into(b *Bundle) error {
	b.Features = Features{Terms: s.Terms, Written: s.Written, IDF: s.IDF}
	b.Soft = Soft{Weights: s.SoftWeights, Bias: s.SoftBias, Prior: s.SoftPrior}
	b.Judge = Judge{Weights: s.JudgeWeights, Bias: s.JudgeBias, Slope: s.Slope, Offset: s.Offset, Threshold: s.Threshold, F1: s.F1, How: s.How}
	return nil
}

// maxWeight is far beyond what a regression on rows of length 1 gives a word.
const maxWeight = 1e9

func (b *Bundle) checkClassifiers() error {
	f, n := len(b.Features.Terms), len(b.Initial)
	if f > maxList || len(b.Features.IDF) != f || len(b.Features.Written) != f || !within(b.Features.IDF, 0, maxIDF) {
		return fmt.Errorf("%d features have %d weights", f, len(b.Features.IDF))
	}
	if !ascending(b.Features.Terms) {
		return errors.New("the features are out of order")
	}
	s, j := &b.Soft, &b.Judge
	if len(s.Weights) != f*n || len(s.Bias) != n || len(s.Prior) != n || len(j.Weights) != f {
		return fmt.Errorf("%d features and %d states have %d and %d weights", f, n, len(s.Weights), len(j.Weights))
	}
	if !within(s.Weights, -maxWeight, maxWeight) || !within(s.Bias, -maxWeight, maxWeight) || !within(j.Weights, -maxWeight, maxWeight) {
		return errors.New("the weight of a word is out of range")
	}
	if !hmm.Distribution(s.Prior, n, rowTol) {
		return errors.New("P(T) is no distribution over the states")
	}
	if !within([]float64{j.Bias, j.Offset}, -maxWeight, maxWeight) || !within([]float64{j.Slope}, -maxWeight, 0) ||
		!within([]float64{j.Threshold, j.F1}, 0, 1) {
		return errors.New("the judge is out of range")
	}
	return nil
}
