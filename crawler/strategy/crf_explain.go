package strategy

import (
	"slices"

	"nightjar/crawler/feature"
)

// Explain compares what a link's features do for its score with what they do, on average, for the scores of others. A
// feature's part of a link is the difference that it makes to the log odds of the score, 0 for a link without it.
func (s *crfStrategy) Explain(link Waiting, others []Waiting) (e Explanation, ok bool) {
	own, rest, ok := notesFor(link, others, func(note []byte) (wayNote, bool) { return readWayNote(note, s.field.Labels) })
	if !ok {
		return e, false
	}
	e.Others = len(rest)
	var features []int32 // whose parts are compared
	for _, f := range own.features {
		if int(f) < len(s.ways.LinkFeatures) {
			features = append(features, f)
		}
	}
	mean := make([]float64, len(features))
	for _, n := range rest {
		all := s.logOdds(n.behind.Alpha)
		e.Typical += all
		for i, f := range features {
			if _, has := slices.BinarySearch(n.features, f); has {
				mean[i] += all - s.without(&n, f)
			}
		}
	}
	e.Typical /= float64(e.Others)
	all := s.logOdds(own.behind.Alpha)
	var p parts
	unnamed := all - e.Typical
	for i, f := range features {
		part := all - s.without(&own, f) - mean[i]/float64(e.Others)
		p.add(feature.Words(s.ways.LinkFeatures[f]), part)
		unnamed -= part
	}
	p.add("the pages on the path to it and all its words together", unnamed)
	e.Reasons = p.reasons()
	return e, true
}

// without is the log odds of a link's score if it did not have a feature.
func (s *crfStrategy) without(n *wayNote, f int32) float64 {
	row := make([]float64, s.field.Labels)
	addRows(row, &s.field.Links, []int32{f})
	for y, a := range n.behind.Alpha {
		row[y] = a - row[y]
	}
	return s.logOdds(row)
}
