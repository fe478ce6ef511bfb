package conceptset

import (
	"cmp"
	"fmt"
	"slices"
)

// Concept is a concept of a set.
type Concept struct {
	ID     int
	Weight float64 // in (0, 1]
}

// Set is a weighted set of concepts, each once, ascending by ID. New makes it.
type Set []Concept

// New makes a set of concepts in any order. Those of weight 0 are left out. A weight outside of [0, 1] or a concept that
// comes twice is an error.
func New(concepts []Concept) (Set, error) {
	s := make(Set, 0, len(concepts))
	for _, c := range concepts {
		if !(c.Weight >= 0 && c.Weight <= 1) {
			return nil, fmt.Errorf("the weight %v of concept %d is not in [0, 1]", c.Weight, c.ID)
		}
		if c.Weight > 0 {
			s = append(s, c)
		}
	}
	slices.SortFunc(s, func(a, b Concept) int { return cmp.Compare(a.ID, b.ID) })
	for i := 1; i < len(s); i++ {
		if s[i].ID == s[i-1].ID {
			return nil, fmt.Errorf("concept %d comes twice in a set", s[i].ID)
		}
	}
	return s, nil
}

// Func is the similarity S of two concepts: symmetric, in [0, 1], 1 for a concept and itself. It must be safe for
// concurrent use.
type Func func(a, b int) float64

// Similarity is ζ(a, b) in [0, 1]; see the package comment. It takes len(a)·len(b) calls of s.
func Similarity(a, b Set, s Func) float64 {
	return new(scratch).zeta(a, b, func(i, j int) float64 { return s(a[i].ID, b[j].ID) })
}

// sameProduct is the relative difference up to which two products λ·S count as equal. It is far above the rounding error
// of a product, so that a tie is not decided by rounding.
const sameProduct = 1e-12

// partner is the best partner of a concept: the largest λ·S and the largest λ that gives it.
type partner struct{ product, lambda float64 }

func (p *partner) offer(product, lambda float64) {
	switch {
	case product > p.product*(1+sameProduct):
		*p = partner{product, lambda}
	case product >= p.product*(1-sameProduct):
		p.product, p.lambda = max(p.product, product), max(p.lambda, lambda)
	}
}

// scratch is room for the best partners of the second set.
type scratch struct{ columns []partner }

// zeta is ζ(a, b), where s(i, j) is S of the i-th concept of a and the j-th of b.
func (t *scratch) zeta(a, b Set, s func(i, j int) float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if len(b) > len(t.columns) {
		t.columns = make([]partner, len(b))
	}
	columns := t.columns[:len(b)]
	clear(columns)
	var sum, k float64
	for i := range a {
		var best partner
		w := a[i].Weight
		for j := range b {
			v := b[j].Weight
			lambda := (w + v) / (2 * max(w, v))
			product := lambda * s(i, j)
			best.offer(product, lambda)
			columns[j].offer(product, lambda)
		}
		sum += best.product
		k += best.lambda
	}
	var other, h float64
	for j := range columns {
		other += columns[j].product
		h += columns[j].lambda
	}
	return (sum/k + other/h) / 2
}
