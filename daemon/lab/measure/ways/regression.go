package ways

import (
	"context"
	"fmt"
	"slices"

	"nightjar/model/crf"
	"nightjar/model/ways"
)

// regression is the same task without a chain: a logistic regression that tells the label of a page from the features of the
// link to it alone, learned from the same links, with the same penalty and the same rewards as the field. As a field it has
// no weights for pages, and its steps hold the label's constant, whatever the label before.
func regression(ctx context.Context, whole *ways.Ways, learnFrom []ways.Path, states int) (*ways.Ways, error) {
	set, err := sequences(whole, learnFrom, states)
	if err != nil {
		return nil, err
	}
	labels, links := len(whole.Labels), len(whole.LinkFeatures)
	var single []crf.Sequence
	for _, s := range set {
		for i := 1; i < len(s.Steps); i++ {
			x := append(slices.Clone(s.Steps[i].Link), int32(links)) // the last feature is the constant
			single = append(single, crf.Sequence{Steps: []crf.Step{{Page: x}}, Labels: s.Labels[i : i+1], Count: s.Count})
		}
	}
	field, _, err := crf.Fit(ctx, single, labels, links+1, 0, crf.Options{C2: whole.C2})
	if err != nil {
		return nil, fmt.Errorf("learn the link regression: %w", err)
	}
	m := &crf.Model{Labels: labels, Steps: make([]float64, labels*labels)}
	m.Pages = crf.Table{Start: make([]int32, len(whole.PageFeatures)+1)}
	end := field.Pages.Start[links]
	m.Links = crf.Table{Start: field.Pages.Start[:links+1], Label: field.Pages.Label[:end], Weight: field.Pages.Weight[:end]}
	for i := end; i < field.Pages.Start[links+1]; i++ {
		for from := range labels {
			m.Steps[from*labels+int(field.Pages.Label[i])] = field.Pages.Weight[i]
		}
	}
	alone := *whole
	alone.Field, alone.Shown, alone.Report = m, nil, nil
	return &alone, nil
}
