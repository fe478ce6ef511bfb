package strategy

import (
	"math"

	"nightjar/model"
	"nightjar/model/hmm"
)

// hmmStrategy follows links as the hidden Markov model predicts, [HMM] §4: the state carried along a path is the
// distribution over states of its last page, and all links of a page have the prediction for its children as priority.
type hmmStrategy struct {
	judge
	model *hmm.Model
}

func newHMM(b *model.Bundle) Strategy { return &hmmStrategy{judge: judge{b}, model: b.HMM()} }

func (s *hmmStrategy) Name() string { return "hmm" }

// Judge follows [HMM] §4.3, fig. 7: a start page has α = π·b(o), any other the filtered α of its parent, and its
// children the prediction. In print the second line has α(j,t) for α(j,t-1).
func (s *hmmStrategy) Judge(v Visit) Judgement {
	j, o := s.judge.judge(v)
	var alpha []float64
	if !v.Start && s.distribution(v.Parent.Alpha) {
		alpha = s.model.Filter(v.Parent.Alpha, s.model.Evidence(o.Cluster))
	} else {
		alpha = s.model.Start(s.model.Evidence(o.Cluster)) // also where the path's state was lost or is of another model
	}
	j.States, j.Path = alpha, PathState{Alpha: alpha}
	j.Priorities = same(v, hmmPriority(s.model.Predict(alpha)))
	return j
}

// distribution reports whether alpha, read from a store, can be a distribution over this model's states.
func (s *hmmStrategy) distribution(alpha []float64) bool {
	sum := 0.0
	for _, p := range alpha {
		if !(p >= 0) {
			return false
		}
		sum += p
	}
	return len(alpha) == s.model.States() && math.Abs(sum-1) < epsilon
}

// hmmPriority is the key (P(T_0), P(T_1), …) of [HMM] §4.1, in steps of ε.
func hmmPriority(prediction []float64) Priority {
	p := make(Priority, len(prediction))
	for i, x := range prediction {
		p[i] = quantise(x)
	}
	return p
}
