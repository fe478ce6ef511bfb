package tfidf

import (
	"errors"
	"math"
	"slices"

	"nightjar/model/text"
)

// Vocabulary is the terms of a collection C of pages. It is not changed after it was made, and may be used from several
// goroutines at the same time.
type Vocabulary struct {
	terms []string // ascending
	df    []int    // pages of C that have the term, in [1, pages]
	pages int      // |C|
	index map[string]int32
	idf   []float64 // ln(|C|/df)
}

// Shares are the bounds of the share of the collection's pages that have a term. Terms outside are left out.
type Shares struct {
	Least float64 // in [0, 1]
	Most  float64 // in [0, 1]; 0 means 1
}

// Clusters are the bounds of [PANORAMA] §3.5 for clusters and their labels: terms in fewer than 1 % or more than 80 %
// of the pages are left out.
var Clusters = Shares{Least: .01, Most: .8}

// Fit reads the vocabulary of a collection. A term counts for a page when its count is above 0. Without pages, the
// vocabulary is empty.
func Fit(collection []text.Counts, keep Shares) *Vocabulary {
	df := make(map[string]int)
	for _, page := range collection {
		for term, times := range page {
			if times > 0 {
				df[term]++
			}
		}
	}
	most := keep.Most
	if most == 0 {
		most = 1
	}
	v := &Vocabulary{pages: len(collection)}
	for term, n := range df {
		if share := float64(n) / float64(v.pages); share >= keep.Least && share <= most {
			v.terms = append(v.terms, term)
		}
	}
	slices.Sort(v.terms)
	for _, term := range v.terms {
		v.df = append(v.df, df[term])
	}
	v.prepare()
	return v
}

// New makes the vocabulary that Vocabulary.Parts took apart. It is an error when the terms are not strictly ascending,
// or when a document frequency is not in [1, pages].
func New(terms []string, df []int, pages int) (*Vocabulary, error) {
	if len(terms) != len(df) {
		return nil, errors.New("vocabulary: as many document frequencies as terms are needed")
	}
	for i, n := range df {
		if n < 1 || n > pages {
			return nil, errors.New("vocabulary: a document frequency is not between 1 and the number of pages")
		}
		if i > 0 && terms[i-1] >= terms[i] {
			return nil, errors.New("vocabulary: the terms are not in order")
		}
	}
	v := &Vocabulary{terms: slices.Clone(terms), df: slices.Clone(df), pages: pages}
	v.prepare()
	return v, nil
}

func (v *Vocabulary) prepare() {
	v.index = make(map[string]int32, len(v.terms))
	v.idf = make([]float64, len(v.terms))
	for i, term := range v.terms {
		v.index[term] = int32(i)
		v.idf[i] = math.Log(float64(v.pages) / float64(v.df[i]))
	}
}

// Len is n, the number of terms. The indices of vectors are in [0, n).
func (v *Vocabulary) Len() int { return len(v.terms) }

// Term is the term of an index in [0, n).
func (v *Vocabulary) Term(index int) string { return v.terms[index] }

// Index is the index of a term; ok is false when the vocabulary lacks it.
func (v *Vocabulary) Index(term string) (index int, ok bool) {
	i, ok := v.index[term]
	return int(i), ok
}

// Parts are the terms in ascending order, their document frequencies and |C|, from which New makes the vocabulary
// again. The slices are copies.
func (v *Vocabulary) Parts() (terms []string, df []int, pages int) {
	return slices.Clone(v.terms), slices.Clone(v.df), v.pages
}

// Weight is the weight of a term that has an index and occurs tf > 0 times in a page whose most frequent term occurs
// most ≥ tf times.
//
//	w_sp = (0.5 + 0.5·tf_sp / max_{s'∈T_p} tf_s'p) · ln(|C| / df_s)        [PANORAMA] §3.3, eq. (3.1)
func (v *Vocabulary) Weight(index, tf, most int) float64 { return TF(tf, most) * v.idf[index] }

// TF is the first factor of eq. (3.1), in (0.5, 1].
func TF(tf, most int) float64 { return .5 + .5*float64(tf)/float64(most) }

// Vector weighs a page's terms by eq. (3.1). The paper does not say what a term that the page lacks weighs: here it is
// 0, as by the equation each such term would weigh half. T_p are all terms of the page, also those that the vocabulary
// lacks. A term that all pages of the collection have is in the vector with weight 0.
func (v *Vocabulary) Vector(page text.Counts) Vector {
	var w Vector
	most := 0
	for term, times := range page {
		most = max(most, times)
		if i, ok := v.index[term]; ok && times > 0 {
			w.Index = append(w.Index, i)
		}
	}
	slices.Sort(w.Index)
	w.Value = make([]float64, len(w.Index))
	for k, i := range w.Index {
		w.Value[k] = v.Weight(int(i), page[v.terms[i]], most)
	}
	return w
}
