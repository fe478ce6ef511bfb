package cobweb

import (
	"slices"

	"nightjar/model/conceptset"
)

// Describe adds to the concepts of a page those that are above them, so that pages about flutes and pages about guitars
// have instruments in common. Each concept a above one of the page's terms t has
//
//	r_a = max_t r_t·S(a, t)
//
// over all terms of the page. above gives the concepts above a concept, all of them, with or without the concept itself.
// s must not give more than 1. How the authors of [THESUS] described pages for COBWEB is not known.
func Describe(page conceptset.Set, above func(concept int) []int, s conceptset.Func) conceptset.Set {
	r := make(map[int]float64, 4*len(page))
	for _, t := range page {
		r[t.ID] = t.Weight
	}
	var ancestors []int
	for _, t := range page {
		ancestors = append(ancestors, above(t.ID)...)
	}
	slices.Sort(ancestors)
	for _, a := range slices.Compact(ancestors) {
		if _, own := r[a]; own && !isAbove(a, page, above) {
			continue
		}
		for _, t := range page {
			r[a] = max(r[a], t.Weight*s(a, t.ID))
		}
	}
	var concepts []conceptset.Concept
	for id, weight := range r {
		concepts = append(concepts, conceptset.Concept{ID: id, Weight: weight})
	}
	described, err := conceptset.New(concepts)
	if err != nil {
		panic("cobweb: " + err.Error()) // s gave more than 1
	}
	return described
}

// isAbove reports whether a concept is above another one of the page.
func isAbove(a int, page conceptset.Set, above func(concept int) []int) bool {
	return slices.ContainsFunc(page, func(t conceptset.Concept) bool { return t.ID != a && slices.Contains(above(t.ID), a) })
}
