package logistic

import "math"

// Model predicts the probabilities of classes for a document. Its methods do not change it.
type Model struct {
	Classes int
	Weights []float32 // columns×k, feature-major: term t and score c at t·k+c; k = 1 for two classes, else Classes
	Bias    []float64 // k
}

// Scores gives the k linear scores of the row, in dst if its capacity suffices: with two classes the log odds of class 1,
// else one score a class, whose differences are log odds. The row's terms must be below the number of columns.
func (m *Model) Scores(r Row, dst []float64) []float64 {
	k := len(m.Bias)
	dst = append(dst[:0], m.Bias...)
	for e, t := range r.Index {
		v := float64(r.Value[e])
		for c, w := range m.Weights[int(t)*k : (int(t)+1)*k] {
			dst[c] += v * float64(w)
		}
	}
	return dst
}

// Probabilities gives P(class | row) of all classes, which sum to 1, in dst if its capacity suffices. A class that had no
// rows in training gets 0.
func (m *Model) Probabilities(r Row, dst []float64) []float64 {
	dst = m.Scores(r, dst)
	if m.Classes == 2 {
		e := math.Exp(-math.Abs(dst[0]))
		less, more := e/(1+e), 1/(1+e)
		if dst[0] < 0 {
			less, more = more, less
		}
		return append(dst[:0], less, more)
	}
	softmax(dst)
	return dst
}
