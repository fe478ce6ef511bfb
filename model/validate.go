package model

import (
	"fmt"
	"slices"
)

// rowTol is how far the sum of a distribution may be from 1: rounding in the sum of a few hundred shares is far less.
const rowTol = 1e-9

// Validate checks what Observe and the strategies rely on without further checks: shapes that fit together, indices in
// range, finite numbers, and distributions that sum to 1. Each section has a check of its own.
func (b *Bundle) Validate() error {
	for _, k := range kinds {
		if err := k.check(b); err != nil {
			return fmt.Errorf("section %s: %w", k.name, err)
		}
	}
	return nil
}

// within reports whether all values are from least to most; NaN never is.
func within[F float32 | float64](v []F, least, most float64) bool {
	return !slices.ContainsFunc(v, func(x F) bool { return !(float64(x) >= least && float64(x) <= most) })
}

// ascending reports whether terms are in order, each once.
func ascending(terms []string) bool {
	for i := 1; i < len(terms); i++ {
		if terms[i-1] >= terms[i] {
			return false
		}
	}
	return true
}
