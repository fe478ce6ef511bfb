package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// maxIDF is more than the weight of a term that one of 2^63 documents holds.
const maxIDF = 65

// rowTol is how far the sum of a distribution may be from 1: rounding in the sum of a few hundred shares is far less.
const rowTol = 1e-9

// Validate holds what every bundle must be for Observe and the strategies to read it without further checks: shapes
// that fit together, indices in range, finite numbers, and distributions that sum to 1.
func (b *Bundle) Validate() error {
	for _, step := range []func() error{b.validateSpace, b.validatePages, b.validateHMM, b.validateWords, b.validateLessons, b.validateReport} {
		if err := step(); err != nil {
			return err
		}
	}
	if !(b.Gamma.Value >= 0 && b.Gamma.Value <= 1) {
		return fmt.Errorf("relevance threshold %g is not between 0 and 1", b.Gamma.Value)
	}
	if !within([]float64{b.Gamma.F1, b.Settings.Gamma}, 0, 1) || !within([]float64{b.Settings.Smoothing}, 0, maxSmoothing) {
		return errors.New("a setting is out of range")
	}
	if b.Settings.Neighbours < 1 {
		return errors.New("no neighbours to classify by")
	}
	return nil
}

func (b *Bundle) validateSpace() error {
	m, k := len(b.Terms), len(b.Singular)
	if m == 0 || k == 0 || len(b.IDF) != m || len(b.Basis) != m*k {
		return fmt.Errorf("an LSI space of %d terms and %d dimensions has %d weights and %d coordinates", m, k, len(b.IDF), len(b.Basis))
	}
	for i := range b.Terms[1:] {
		if b.Terms[i] >= b.Terms[i+1] {
			return errors.New("the vocabulary is out of order")
		}
	}
	if !within(b.IDF, 0, maxIDF) || !within(b.Basis, -1-rowTol, 1+rowTol) || !within(b.Singular, 0, math.MaxFloat64) {
		return errors.New("the LSI space holds numbers that are out of range")
	}
	if len(b.Vectors) != len(b.Pages) {
		return fmt.Errorf("%d pages have %d vectors", len(b.Pages), len(b.Vectors))
	}
	somewhere := false
	for _, v := range b.Vectors {
		if len(v) != k || !within(v, -1-rowTol, 1+rowTol) {
			return errors.New("a page's vector is no point of the LSI space")
		}
		somewhere = somewhere || !zero(v)
	}
	if !somewhere {
		return errors.New("no page has a place in the LSI space")
	}
	return nil
}

func (b *Bundle) validatePages() error {
	if len(b.Clusters) < 2 {
		return errors.New("there are no clusters")
	}
	for _, p := range b.Pages {
		if p.Cluster < 0 || p.Cluster >= len(b.Clusters) || p.State < 0 || p.State >= len(b.Initial) {
			return fmt.Errorf("cluster %d or state %d of a page does not exist", p.Cluster, p.State)
		}
		if p.Target != (p.Cluster == 0) || p.Target != (p.State == 0) {
			return errors.New("a target is not in cluster 0 and state 0, or another page is")
		}
	}
	for _, e := range b.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(b.Pages) {
			return errors.New("a link is not between two pages")
		}
	}
	for _, c := range b.Clusters {
		for _, w := range append(c.LogOdds[:len(c.LogOdds):len(c.LogOdds)], c.MutualInformation...) {
			if !within([]float64{w.Score}, -math.MaxFloat64, math.MaxFloat64) {
				return errors.New("the score of a word is not finite")
			}
		}
	}
	return nil
}

func (b *Bundle) validateHMM() error {
	n, x := len(b.Initial), len(b.Clusters)
	if n < 2 || len(b.Transition) != n || len(b.Emission) != n {
		return fmt.Errorf("a model of %d states has %d and %d rows", n, len(b.Transition), len(b.Emission))
	}
	if !distribution(b.Initial, n) {
		return errors.New("π is no distribution over the states")
	}
	for i := range n {
		if !distribution(b.Transition[i], n) || !distribution(b.Emission[i], x) {
			return fmt.Errorf("row %d of A or B is no distribution", i)
		}
	}
	return nil
}

// distribution reports whether v has n probabilities that sum to 1.
func distribution(v []float64, n int) bool {
	sum := 0.0
	for _, p := range v {
		if !(p >= 0) {
			return false
		}
		sum += p
	}
	return len(v) == n && math.Abs(sum-1) <= rowTol
}

// within reports whether all values are from least to most; NaN never is.
func within[F float32 | float64](v []F, least, most float64) bool {
	for _, x := range v {
		if x := float64(x); !(x >= least && x <= most) {
			return false
		}
	}
	return true
}

// maxWeight is far beyond what a regression on rows of length 1 gives a word.
const maxWeight = 1e9

func (b *Bundle) validateWords() error {
	f, n := len(b.Features.Terms), len(b.Initial)
	if len(b.Features.IDF) != f || len(b.Features.Written) != f || !within(b.Features.IDF, 0, maxIDF) {
		return fmt.Errorf("%d features have %d weights", f, len(b.Features.IDF))
	}
	for i := range max(0, f-1) {
		if b.Features.Terms[i] >= b.Features.Terms[i+1] {
			return errors.New("the features are out of order")
		}
	}
	s, j := &b.Soft, &b.Judge
	if len(s.Weights) != f*n || len(s.Bias) != n || len(s.Prior) != n || len(j.Weights) != f {
		return fmt.Errorf("%d features and %d states have %d and %d weights", f, n, len(s.Weights), len(j.Weights))
	}
	if !within(s.Weights, -maxWeight, maxWeight) || !within(s.Bias, -maxWeight, maxWeight) || !within(j.Weights, -maxWeight, maxWeight) {
		return errors.New("the weight of a word is out of range")
	}
	if !distribution(s.Prior, n) {
		return errors.New("P(T) is no distribution over the states")
	}
	if !within([]float64{j.Bias, j.Offset}, -maxWeight, maxWeight) || !within([]float64{j.Slope}, -maxWeight, 0) ||
		!within([]float64{j.Threshold, j.F1}, 0, 1) {
		return errors.New("the judge is out of range")
	}
	return nil
}

func (b *Bundle) validateReport() error {
	if err := b.Choice.validate(); err != nil || b.Report == nil {
		return err
	}
	r, n := b.Report, len(b.Initial)
	if r.Choice != b.Choice || r.Folds < 0 {
		return errors.New("the report is of another model")
	}
	for _, f := range r.figures() {
		if !within([]float64{f.Value, f.Low, f.High}, 0, 1) || f.N < 0 {
			return errors.New("a figure of the report is out of range")
		}
	}
	if len(r.HopConfusion) != n && len(r.HopConfusion) != 0 || !within([]float64{r.HopBaseline}, 0, 1) {
		return errors.New("the confusion table of the report has the wrong size")
	}
	for _, row := range r.HopConfusion {
		if len(row) != n || slices.Min(row) < 0 {
			return errors.New("the confusion table of the report has the wrong size")
		}
	}
	for _, band := range r.Reliability {
		if !within([]float64{band.Low, band.High, band.Said, band.Useful}, 0, 1) || band.N < 0 {
			return errors.New("a band of the report is out of range")
		}
	}
	return nil
}

func (c Choice) validate() error {
	if c.Emission != HardEmission && c.Emission != SoftEmission || c.Judge != CosineJudge && c.Judge != ClassifierJudge {
		return fmt.Errorf("emission %q or judge %q is unknown", c.Emission, c.Judge)
	}
	return nil
}
