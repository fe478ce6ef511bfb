package model

import (
	"errors"
	"fmt"
	"math"
)

// maxIDF is more than the weight of a term that one of 2^63 documents holds.
const maxIDF = 65

// rowTol is how far the sum of a distribution may be from 1: rounding in the sum of a few hundred shares is far less.
const rowTol = 1e-9

// validate holds what every bundle must be for Observe and the strategies to read it without further checks: shapes
// that fit together, indices in range, finite numbers, and distributions that sum to 1.
func (b *Bundle) validate() error {
	for _, step := range []func() error{b.validateSpace, b.validatePages, b.validateHMM} {
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
