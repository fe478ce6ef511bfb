package model

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"nightjar/model/logistic"
)

const (
	// MarkWeight is the weight of a page that the person marked Not useful, beside another one that is not useful.
	MarkWeight = 2.0

	judgeStrength    = 1.0 // C of the judge's regression
	judgeFolds       = 5   // at most; for calibration
	defaultThreshold = 0.5 // smallest probability of a relevant page when the session cannot tell
	minThreshold     = 0.2
	maxThreshold     = 0.9
)

// learnJudge trains the judge to tell useful pages from all others, the background included, and calibrates its score on
// folds: only scores by a judge that was trained without the page are compared with the marks. unseen are the
// probabilities that these scores give the known pages, nil when there are none.
func (m *material) learnJudge(ctx context.Context, s sample) (j Judge, unseen []float64, err error) {
	use, label := m.judgeRows(s)
	fit, err := m.fitJudge(ctx, use, label)
	if err != nil {
		return Judge{}, nil, err
	}
	j = Judge{Weights: fit.Weights, Bias: fit.Bias[0], Threshold: defaultThreshold}
	scores, err := m.unseenScores(ctx, use, label)
	if err != nil {
		return Judge{}, nil, err
	}
	useful := make([]bool, len(label))
	for i, l := range label {
		useful[i] = l == 1
	}
	if scores == nil { // one useful page: nothing to compare with
		scores = make([]float64, len(use))
		for i, r := range use {
			scores[i] = j.score(m.rows[r])
		}
		j.How = fmt.Sprintf("Not calibrated: with one useful page there is nothing to compare it with, so %.2f is used.", defaultThreshold)
		j.calibrate(scores, useful)
		return j, nil, nil
	}
	j.calibrate(scores, useful)
	j.setThreshold(scores, useful)
	for _, score := range scores[:len(s.known)] {
		unseen = append(unseen, j.p(score))
	}
	return j, unseen, nil
}

// calibrate fits the probability to scores ([PLATT]). A probability that would fall with the score means nothing: then
// every page gets the same one.
func (j *Judge) calibrate(scores []float64, useful []bool) {
	c := logistic.Platt(scores, useful, nil)
	if j.Slope, j.Offset = c.A, c.B; c.A >= 0 {
		hits := float64(count(useful))
		j.Slope, j.Offset = 0, math.Log((float64(len(useful))-hits+1)/(hits+1))
	}
}

// judgeRows lists the rows that the judge learns from, with label 1 for the useful ones.
func (m *material) judgeRows(s sample) (use, label []int) {
	for _, i := range s.known {
		l := 0
		if s.target[i] {
			l = 1
		}
		use, label = append(use, i), append(label, l)
	}
	for i := len(m.set.Pages); i < len(m.rows); i++ {
		use, label = append(use, i), append(label, 0)
	}
	return use, label
}

// fitJudge gives useful pages and others the same total weight, before those marked Not useful get more. See Offsets.
func (m *material) fitJudge(ctx context.Context, use, label []int) (*logistic.Model, error) {
	weight, _ := balanced(label, []int{0, 1})
	for i, r := range use {
		if m.rejected[r] {
			weight[i] *= MarkWeight
		}
	}
	fit, err := m.grouped.Fit(ctx, use, label, weight, 2, logistic.Options{C: judgeStrength})
	if err == nil {
		fit.Weights = fit.Weights[:len(m.features.Terms)]
	}
	return fit, err
}

// unseenScores scores each row with a judge that was trained without it. It is nil when there are fewer than two useful
// pages.
func (m *material) unseenScores(ctx context.Context, use, label []int) ([]float64, error) {
	folds := stratified(label, judgeFolds, m.settings.Seed)
	if folds == nil {
		return nil, nil
	}
	scores := make([]float64, len(use))
	for f := range 1 + slices.Max(folds) {
		var rest, restLabel []int
		for i, k := range folds {
			if k != f {
				rest, restLabel = append(rest, use[i]), append(restLabel, label[i])
			}
		}
		fit, err := m.fitJudge(ctx, rest, restLabel)
		if err != nil {
			return nil, err
		}
		j := Judge{Weights: fit.Weights, Bias: fit.Bias[0]}
		for i, k := range folds {
			if k == f {
				scores[i] = j.score(m.rows[use[i]])
			}
		}
	}
	return scores, nil
}

// stratified assigns the rows of each of two labels to at most `most` folds in turn, in random order. It is nil when a
// label has fewer than two rows.
func stratified(label []int, most int, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 1))
	fold := make([]int, len(label))
	var of [2][]int
	for i, l := range label {
		of[l] = append(of[l], i)
	}
	folds := min(most, len(of[0]), len(of[1]))
	if folds < 2 {
		return nil
	}
	for _, rows := range of {
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for k, row := range rows {
			fold[row] = k % folds
		}
	}
	return fold
}

// setThreshold finds the smallest probability of a relevant page: the one that tells useful pages from others with the
// best F1 on the folds, found in the same way as γ.
func (j *Judge) setThreshold(scores []float64, useful []bool) {
	var yes, no []float64
	for i, s := range scores {
		if p := j.p(s); useful[i] {
			yes = append(yes, p)
		} else {
			no = append(no, p)
		}
	}
	best, f1, separates := bestThreshold(yes, no)
	if !separates {
		j.How = fmt.Sprintf("Not calibrated: no threshold tells the %d useful pages from the %d others, so %.2f is used.", len(yes), len(no), defaultThreshold)
		return
	}
	j.Threshold, j.F1 = max(minThreshold, min(maxThreshold, best)), f1
	if j.Threshold != best {
		j.F1 = f1Of(yes, no, j.Threshold)
	}
	j.How = fmt.Sprintf("Calibrated on folds of the session: %.0f %% tells its %d useful pages from the %d others best (F1 %.2f).", 100*j.Threshold, len(yes), len(no), j.F1)
}

func (j *Judge) score(r logistic.Row) float64 {
	score := j.Bias
	for i, f := range r.Index {
		score += float64(r.Value[i]) * float64(j.Weights[f])
	}
	return score
}

// p is the calibrated probability of a score.
func (j *Judge) p(score float64) float64 {
	return logistic.Sigmoid{A: j.Slope, B: j.Offset}.P(score)
}

// probability is the probability that the person would mark a page with these words Useful.
func (j *Judge) probability(r logistic.Row) float64 { return j.p(j.score(r)) }
