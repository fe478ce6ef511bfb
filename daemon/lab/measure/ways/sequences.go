package ways

import (
	"fmt"
	"slices"

	"nightjar/model/crf"
	"nightjar/model/ways"
)

// sequences labels paths as the field's labelling does, and numbers their features. A label that the field never met is
// -1.
func sequences(w *ways.Ways, paths []ways.Path, states int) ([]crf.Sequence, error) {
	truth, err := ways.LabelPaths(paths, w.Labelling, states)
	if err != nil {
		return nil, fmt.Errorf("label ways: %w", err)
	}
	number := make([]int, len(truth.Labels))
	for i, name := range truth.Labels {
		number[i] = slices.Index(w.Labels, name)
	}
	reader := w.Reader()
	all := make([]crf.Sequence, len(paths))
	for i, p := range paths {
		s := crf.Sequence{Count: p.Count, Positive: p.Positive}
		for k, step := range p.Steps {
			s.Steps = append(s.Steps, crf.Step{Page: reader.Page(step.Page), Link: reader.Link(step.Link)})
			s.Labels = append(s.Labels, number[truth.Of[i][k]])
		}
		all[i] = s
	}
	return all, nil
}
