package model

import (
	"context"
	"math"
	"slices"

	"nightjar/model/logistic"
)

const (
	// softStrength is C of the soft emission's regression, the usual 1. With 10 its predicted states agree better with the
	// real ones on a session, but crawls of other pages find less: it relies too much on the session's own words.
	softStrength = 1.0

	leastPrior = 0.02 // smallest divisor of the ratio, so that a rare state does not look certain
	leastRatio = 1e-3 // no page excludes a state
)

// softEmission learns P(T_j | page) from the words of the known pages and of the background, and sharpens it by
// material.power.
func (m *material) softEmission(ctx context.Context, s sample, state []int) (Soft, error) {
	use, label := m.stateRows(s, state)
	soft, err := m.fitSoft(ctx, use, label)
	if err != nil {
		return Soft{}, err
	}
	soft.sharpen(m.power)
	return soft, nil
}

// stateRows lists the rows that the soft emission learns from, and the state of each. The background has the last state.
func (m *material) stateRows(s sample, state []int) (use, label []int) {
	for _, i := range s.known {
		use, label = append(use, i), append(label, state[i])
	}
	for i := len(m.set.Pages); i < len(m.rows); i++ {
		use, label = append(use, i), append(label, m.settings.States-1)
	}
	return use, label
}

// fitSoft fits the states of rows. The states that have rows get the same total weight each, so that P(T_j) is one over
// the number of these states.
func (m *material) fitSoft(ctx context.Context, use, label []int) (Soft, error) {
	present := compact(label, m.settings.States)
	weight, classes := balanced(label, present)
	fit, err := m.problem.Fit(ctx, use, apply(label, present), weight, classes, logistic.Options{C: softStrength})
	if err != nil {
		return Soft{}, err
	}
	return spread(fit, present, len(m.features.Terms)), nil
}

// compact numbers the labels in [0, n) that occur, in order; the others get -1.
func compact(label []int, n int) []int {
	number := make([]int, n)
	for _, l := range label {
		number[l] = 1
	}
	next := 0
	for l, occurs := range number {
		if number[l] = -1; occurs == 1 {
			number[l] = next
			next++
		}
	}
	return number
}

func apply(label, number []int) []int {
	out := make([]int, len(label))
	for i, l := range label {
		out[i] = number[l]
	}
	return out
}

// balanced weighs rows so that all classes have the same total weight. The weights sum to the number of rows.
func balanced(label, number []int) (weight []float64, classes int) {
	rows := make([]int, len(number))
	for _, l := range label {
		rows[l]++
	}
	for _, r := range rows {
		if r > 0 {
			classes++
		}
	}
	weight = make([]float64, len(label))
	for i, l := range label {
		weight[i] = float64(len(label)) / float64(classes*rows[l])
	}
	return weight, classes
}

// spread puts each class of a fit in the place of its state.
func spread(fit *logistic.Model, number []int, features int) Soft {
	n := len(number)
	s := Soft{Weights: make([]float32, features*n), Bias: make([]float64, n), Prior: make([]float64, n)}
	k := len(fit.Bias)
	for state, class := range number {
		if class < 0 {
			continue
		}
		s.Prior[state] = 1 / float64(fit.Classes)
		column := class
		if k == 1 { // two classes: the fit scores the second, the first has 0
			column = class - 1
		}
		if column < 0 {
			continue
		}
		s.Bias[state] = fit.Bias[column]
		for f := range features {
			s.Weights[f*n+state] = fit.Weights[f*k+column]
		}
	}
	return s
}

// evidence is the evidence of a page's words for each of n states: P(T_j | page)/P(T_j), with a divisor of at least .02
// and a ratio of at least .001, which states without rows get, too.
func (s *Soft) evidence(r logistic.Row) []float64 {
	p := s.probabilities(r)
	for j := range p {
		p[j] = max(leastRatio, p[j]/max(leastPrior, s.Prior[j]))
	}
	return p
}

// probabilities is P(T_j | page) for each state; 0 for states without rows.
func (s *Soft) probabilities(r logistic.Row) []float64 {
	p := s.scores(r)
	total := logSum(p, 1)
	for j, x := range p {
		p[j] = math.Exp(x - total)
	}
	return p
}

// scores is ln P(T_j | page) for each state, up to a common term; -Inf for states without rows.
func (s *Soft) scores(r logistic.Row) []float64 {
	z := (&logistic.Model{Weights: s.Weights, Bias: s.Bias}).Scores(r)
	for j, p := range s.Prior {
		if !(p > 0) {
			z[j] = math.Inf(-1)
		}
	}
	return z
}

// logSum is ln Σ_j e^(power·z_j).
func logSum(z []float64, power float64) float64 {
	top := slices.Max(z)
	sum := 0.0
	for _, x := range z {
		sum += math.Exp(power * (x - top))
	}
	return power*top + math.Log(sum)
}

// ExpectedValue is the value of a page with this distribution over states: Σ_j 0.5^j P(T_j), in (0, 1]. A useful page has
// the value 1, and each link that is left halves it.
func ExpectedValue(p []float64) float64 {
	value, worth := 0.0, 1.0
	for _, x := range p {
		value += worth * x
		worth /= 2
	}
	return value
}
