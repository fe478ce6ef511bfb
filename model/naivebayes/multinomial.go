package naivebayes

import (
	"math"

	"nightjar/model/tfidf"
)

// Multinomial is a multinomial Naive Bayes model over weights, which may be fractions.
type Multinomial struct {
	LogPrior []float64   // ln of the share of the classes, -Inf for a class without rows; len classes
	LogTerm  [][]float64 // ln P(t|c), classes×columns
}

// FitMultinomial trains on rows whose weights are at least 0; class[i] in [0, classes) is the class of row i, and the
// indices of the rows are in [0, columns).
//
//	P(t|c) = (1 + Σ_{p∈c} w_tp) / (columns + Σ_{p∈c} Σ_s w_sp)
func FitMultinomial(rows []tfidf.Vector, class []int, classes, columns int) *Multinomial {
	m := &Multinomial{LogPrior: logShares(class, classes, 0), LogTerm: matrix(classes, columns)}
	for i, r := range rows {
		r.AddTo(m.LogTerm[class[i]], 1)
	}
	for _, sums := range m.LogTerm {
		total := float64(columns)
		for _, x := range sums {
			total += x
		}
		for t, x := range sums {
			sums[t] = math.Log((1 + x) / total)
		}
	}
	return m
}

// Joint gives ln P(c) + Σ_t w_t ln P(t|c) for each class.
func (m *Multinomial) Joint(v tfidf.Vector) []float64 {
	joint := make([]float64, len(m.LogPrior))
	for c, prior := range m.LogPrior {
		joint[c] = prior + v.Dense(m.LogTerm[c])
	}
	return joint
}

// logShares gives ln of the share of each class among the rows, each class counting more rows than it has.
func logShares(class []int, classes int, more float64) []float64 {
	share := make([]float64, classes)
	for _, c := range class {
		share[c]++
	}
	for c, n := range share {
		share[c] = math.Log((n + more) / (float64(len(class)) + more*float64(classes)))
	}
	return share
}

func matrix(rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}
