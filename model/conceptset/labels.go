package conceptset

import (
	"cmp"
	"math"
	"slices"
)

// labelTerms is the number of concepts of a label.
const labelTerms = 3

// Label says what a cluster is about.
type Label struct {
	// Broader is the most specific common ancestor of Concepts, to be shown in front of them; -1 if there is none.
	Broader int

	// Concepts are at most three concepts of the pages of the cluster, the most telling first. Weight is the mean weight
	// in the pages of the cluster, in (0, 1].
	Concepts []Concept
}

// Labels names clusters by the concepts with the largest
//
//	Σ r·ln(N/df)
//
// over the pages of the cluster, where r is the weight in the page, N the number of pages and df the number of pages with
// the concept. Of equal ones, that with the larger Σ r comes first, then that with the smaller ID.
//
// cluster is the cluster of each page, in [0, clusters), or negative for pages in none. broader gives the deepest concept
// that is above all of some concepts or one of them, or -1; it should give -1 for the root, which tells nothing. A broader
// concept that is one of the three is put first among them in the place of Broader.
func Labels(sets []Set, cluster []int, clusters int, broader func(concepts ...int) int) []Label {
	if len(sets) != len(cluster) {
		panic("conceptset: pages and clusters of different length")
	}
	pages := map[int]int{}
	sums, sizes := make([]map[int]float64, clusters), make([]int, clusters)
	for i, set := range sets {
		c := cluster[i]
		if c >= 0 {
			sizes[c]++
			if sums[c] == nil {
				sums[c] = map[int]float64{}
			}
		}
		for _, concept := range set {
			pages[concept.ID]++
			if c >= 0 {
				sums[c][concept.ID] += concept.Weight
			}
		}
	}
	labels := make([]Label, clusters)
	for c := range labels {
		labels[c] = label(sums[c], sizes[c], func(id int) float64 {
			return math.Log(float64(len(sets)) / float64(pages[id]))
		}, broader)
	}
	return labels
}

// label is the label of a cluster of size pages in which concepts have the sums of weights.
func label(sums map[int]float64, size int, idf func(id int) float64, broader func(concepts ...int) int) Label {
	l := Label{Broader: -1}
	for id, sum := range sums {
		l.Concepts = append(l.Concepts, Concept{id, sum})
	}
	slices.SortFunc(l.Concepts, func(a, b Concept) int {
		return cmp.Or(cmp.Compare(b.Weight*idf(b.ID), a.Weight*idf(a.ID)), cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.ID, b.ID))
	})
	l.Concepts = l.Concepts[:min(labelTerms, len(l.Concepts))]
	if len(l.Concepts) == 0 {
		return l
	}
	var ids []int
	for i := range l.Concepts {
		l.Concepts[i].Weight /= float64(size)
		ids = append(ids, l.Concepts[i].ID)
	}
	top := broader(ids...)
	if at := slices.Index(ids, top); at >= 0 {
		own := l.Concepts[at]
		copy(l.Concepts[1:], l.Concepts[:at])
		l.Concepts[0] = own
		top = -1
	}
	l.Broader = top
	return l
}
