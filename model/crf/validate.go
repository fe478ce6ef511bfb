package crf

import (
	"errors"
	"fmt"
)

// mostWeight bounds a weight: no sum of weights along a path then overflows, in float32 neither.
const mostWeight = 1e30

// Validate checks what the methods of a model rely on: shapes that fit together, labels in range and in order, weights that
// are numbers and not above 1e30. Models come from files.
func (m *Model) Validate() error {
	switch {
	case m.Labels < 1:
		return fmt.Errorf("crf: %d labels, at least 1 is needed", m.Labels)
	case len(m.Steps)/m.Labels != m.Labels || len(m.Steps)%m.Labels != 0:
		return fmt.Errorf("crf: %d weights of steps between %d labels", len(m.Steps), m.Labels)
	case !usable(m.Steps):
		return errors.New("crf: a weight of a step is not a number in range")
	}
	if err := m.Pages.validate(m.Labels); err != nil {
		return fmt.Errorf("crf: weights of pages: %w", err)
	}
	if err := m.Links.validate(m.Labels); err != nil {
		return fmt.Errorf("crf: weights of links: %w", err)
	}
	return nil
}

func (t *Table) validate(labels int) error {
	n := t.Rows()
	switch {
	case len(t.Label) != len(t.Weight):
		return fmt.Errorf("%d labels for %d weights", len(t.Label), len(t.Weight))
	case len(t.Start) == 0 && len(t.Label) > 0:
		return errors.New("weights without rows")
	case len(t.Start) > 0 && (t.Start[0] != 0 || int(t.Start[n]) != len(t.Label)):
		return errors.New("the rows do not cover the weights")
	case !usable(t.Weight):
		return errors.New("a weight is not a number in range")
	}
	for f := range n { // first all starts, so that no row reaches outside
		if t.Start[f] > t.Start[f+1] {
			return fmt.Errorf("row %d ends before it starts", f)
		}
	}
	for f := range n {
		last := int32(-1)
		for _, y := range t.Label[t.Start[f]:t.Start[f+1]] {
			if y <= last || int(y) >= labels {
				return fmt.Errorf("row %d: labels not ascending in [0, %d)", f, labels)
			}
			last = y
		}
	}
	return nil
}

// usable reports whether all weights are numbers of a size that sums can bear.
func usable(weights []float64) bool {
	for _, w := range weights {
		if !(w >= -mostWeight && w <= mostWeight) {
			return false
		}
	}
	return true
}
