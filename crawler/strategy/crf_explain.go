package strategy

import (
	"slices"

	"nightjar/crawler/feature"
)

// Explain compares what a link's features do for its score with what they do, on average, for the scores of others. A
// feature's part of a link is the difference that it makes to the log odds of the score, 0 for a link without it.
func (s *crfStrategy) Explain(link Waiting, others []Waiting) (e Explanation, ok bool) {
	own, ok := readWayNote(link.Note, s.field.Labels)
	if !ok {
		return e, false
	}
	var features []int32 // whose parts are compared
	for _, f := range own.features {
		if int(f) < len(s.ways.LinkFeatures) {
			features = append(features, f)
		}
	}
	mean := make([]float64, len(features))
	for _, w := range others {
		n, ok := readWayNote(w.Note, s.field.Labels)
		if !ok {
			continue
		}
		e.Others++
		all := s.logOdds(n.behind.Alpha)
		e.Typical += all
		for i, f := range features {
			if _, has := slices.BinarySearch(n.features, f); has {
				mean[i] += all - s.without(&n, f)
			}
		}
	}
	if e.Others == 0 {
		return e, false
	}
	e.Typical /= float64(e.Others)
	all := s.logOdds(own.behind.Alpha)
	var p parts
	rest := all - e.Typical
	for i, f := range features {
		part := all - s.without(&own, f) - mean[i]/float64(e.Others)
		p.add(feature.Words(s.ways.LinkFeatures[f]), part)
		rest -= part
	}
	p.add("the pages on the path to it and all its words together", rest)
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
