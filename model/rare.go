package model

import (
	"maps"
	"math"
	"slices"

	"nightjar/model/text"
)

// Rare are the words of the session's pages that are no features, for the most part because they stand in one document. No
// classifier learns from them, but a page that shares one with a useful page is like it in this word.
type Rare struct {
	Terms []string // stems, ascending; none is a feature
	Pages []Words  // of each page, same order as Bundle.Pages; Index is into Terms. Empty when there are no terms
}

// maxRare is the largest number of rare words that a model keeps. Those of targets come first.
const maxRare = 60_000

// rareWords collects the words of the first documents, one for each page of the session, that are no features.
func rareWords(docs text.Collection, features []string, target []bool) Rare {
	known := make([]bool, len(docs.Terms))
	for i, k := 0, 0; i < len(docs.Terms) && k < len(features); i++ { // both ascend
		if known[i] = docs.Terms[i] == features[k]; known[i] {
			k++
		}
	}
	place := make(map[int32]int32)
	for _, targets := range []bool{true, false} {
		for page, is := range target {
			for _, o := range docs.Docs[page] {
				if is == targets && !known[o.Term()] && len(place) < maxRare {
					place[o.Term()] = 0
				}
			}
		}
	}
	if len(place) == 0 {
		return Rare{}
	}
	r := Rare{Pages: make([]Words, len(target))}
	for k, i := range slices.Sorted(maps.Keys(place)) {
		place[i] = int32(k)
		r.Terms = append(r.Terms, docs.Terms[i])
	}
	for page := range target {
		var w Words
		for _, o := range docs.Docs[page] {
			if k, rare := place[o.Term()]; rare {
				w.Index, w.Count = append(w.Index, k), append(w.Count, int32(min(o.Times(), math.MaxInt32)))
			}
		}
		r.Pages[page] = w
	}
	return r
}
