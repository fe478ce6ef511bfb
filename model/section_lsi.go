package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// lsiSection is the section "lsi": the vocabulary, the LSI space, the training pages in it and the relevance threshold.
type lsiSection struct {
	Terms    []string        `cbor:"terms"`
	IDF      packed[float64] `cbor:"idf"`
	Basis    packed[float32] `cbor:"basis"`
	Singular packed[float64] `cbor:"singular"`
	Vectors  packed[float64] `cbor:"vectors"` // page after page, as many numbers each as Singular has
	Gamma    GammaFact       `cbor:"gamma"`
}

func (s *lsiSection) from(b *Bundle) bool {
	*s = lsiSection{Terms: b.Terms, IDF: b.IDF, Basis: b.Basis, Singular: b.Singular, Vectors: slices.Concat(b.Vectors...), Gamma: b.Gamma}
	return true
}

func (s *lsiSection) into(b *Bundle) error {
	k := len(s.Singular)
	if k == 0 || len(s.Vectors)%k != 0 {
		return fmt.Errorf("%d coordinates are no vectors of %d dimensions", len(s.Vectors), k)
	}
	b.Terms, b.IDF, b.Basis, b.Singular, b.Gamma = s.Terms, s.IDF, s.Basis, s.Singular, s.Gamma
	b.Vectors = slices.AppendSeq(make([][]float64, 0, len(s.Vectors)/k), slices.Chunk([]float64(s.Vectors), k))
	return nil
}

// maxIDF is more than the weight of a term that one of 2^63 documents holds.
const maxIDF = 65

func (b *Bundle) checkLSI() error {
	m, k := len(b.Terms), len(b.Singular)
	if m == 0 || m > maxList || k == 0 || len(b.IDF) != m || len(b.Basis) != m*k {
		return fmt.Errorf("an LSI space of %d terms and %d dimensions has %d weights and %d coordinates", m, k, len(b.IDF), len(b.Basis))
	}
	if !ascending(b.Terms) {
		return errors.New("the vocabulary is out of order")
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
			return errors.New("a page's vector is not a point of the LSI space")
		}
		somewhere = somewhere || !zero(v)
	}
	if !somewhere {
		return errors.New("no page has a place in the LSI space")
	}
	if !within([]float64{b.Gamma.Value, b.Gamma.F1}, 0, 1) {
		return fmt.Errorf("the relevance threshold %g is not between 0 and 1, or its F1 %g is not", b.Gamma.Value, b.Gamma.F1)
	}
	return nil
}
