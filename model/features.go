package model

import (
	"cmp"
	"math"
	"slices"

	"nightjar/model/logistic"
	"nightjar/model/text"
)

const (
	minDocuments = 2      // documents that a feature must occur in: a word of one page says nothing about others
	maxFeatures  = 60_000 // the most frequent ones are kept; beyond them a word is as rare as in two pages of thousands
)

// fitFeatures chooses the words that the classifiers read, and their weights, from the session's pages and the background.
func fitFeatures(docs []text.Counts) Features {
	df := map[string]int{}
	for _, d := range docs {
		for term := range d {
			df[term]++
		}
	}
	least := minDocuments
	if len(docs) <= minDocuments {
		least = 1
	}
	var terms []string
	for term, n := range df {
		if n >= least {
			terms = append(terms, term)
		}
	}
	if len(terms) > maxFeatures {
		slices.SortFunc(terms, func(a, b string) int { return cmp.Or(df[b]-df[a], cmp.Compare(a, b)) })
		terms = terms[:maxFeatures]
	}
	slices.Sort(terms)
	f := Features{Terms: terms, IDF: make([]float32, len(terms))}
	for i, term := range terms {
		f.IDF[i] = float32(math.Log(float64(1+len(docs))/float64(1+df[term])) + 1)
	}
	return f
}

// index returns the index of each term.
func (f *Features) index() map[string]int32 {
	at := make(map[string]int32, len(f.Terms))
	for i, term := range f.Terms {
		at[term] = int32(i)
	}
	return at
}

// Row weighs a page's words by (1 + ln tf)·idf and scales the row to length 1; it is empty when no word is a feature. So a
// long page does not outweigh a short one, nor a word repeated a hundred times all others. The row shares the words' index.
func (f *Features) Row(words Words) logistic.Row {
	r := logistic.Row{Index: words.Index, Value: make([]float32, len(words.Index))}
	sum := 0.0
	for k, i := range words.Index {
		w := (1 + math.Log(float64(words.Count[k]))) * float64(f.IDF[i])
		r.Value[k] = float32(w)
		sum += w * w
	}
	norm := float32(math.Sqrt(sum))
	for k := range r.Value {
		r.Value[k] /= norm
	}
	return r
}

// cosine is the cosine of two rows of length 1, 0 when one is empty. It is fastest when the first row is short.
func cosine(short, long logistic.Row) float64 {
	sum, rest := 0.0, 0
	for i, t := range short.Index {
		at, found := slices.BinarySearch(long.Index[rest:], t)
		if rest += at; found {
			sum += float64(short.Value[i]) * float64(long.Value[rest])
		}
	}
	return sum
}
