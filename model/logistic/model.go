package logistic

import "slices"

// Model predicts the classes of a document. Its methods do not change it.
type Model struct {
	Classes int
	Weights []float32 // columns×k, feature-major: term t and score c at t·k+c; k = 1 for two classes, else Classes
	Bias    []float64 // k
}

// Scores gives the k linear scores of the row: with two classes the log odds of class 1, else one score a class, whose
// differences are log odds. The row's terms must be below the number of columns.
func (m *Model) Scores(r Row) []float64 {
	k := len(m.Bias)
	scores := slices.Clone(m.Bias)
	for e, t := range r.Index {
		v := float64(r.Value[e])
		for c, w := range m.Weights[int(t)*k : (int(t)+1)*k] {
			scores[c] += v * float64(w)
		}
	}
	return scores
}
