package model

import (
	"math"
	"slices"

	"nightjar/model/logistic"
	"nightjar/model/text"
)

const (
	minDocuments = 2      // documents that a feature must occur in: a word of one page says nothing about others
	maxFeatures  = 60_000 // the most frequent ones are kept; beyond them a word is as rare as in two pages of thousands
)

// fitFeatures chooses the words that the classifiers read, and their weights, from the session's pages and the background,
// and counts them in each document.
func fitFeatures(docs text.Collection) (Features, []Words) {
	df := make([]int, len(docs.Terms))
	for _, d := range docs.Docs {
		for _, o := range d {
			df[o.Term()]++
		}
	}
	least := minDocuments
	if len(docs.Docs) <= minDocuments {
		least = 1
	}
	var chosen []int32 // ascending, and so by the alphabet
	for i, n := range df {
		if n >= least {
			chosen = append(chosen, int32(i))
		}
	}
	if len(chosen) > maxFeatures {
		slices.SortStableFunc(chosen, func(a, b int32) int { return df[b] - df[a] })
		chosen = chosen[:maxFeatures]
		slices.Sort(chosen)
	}
	f := Features{Terms: make([]string, len(chosen)), IDF: make([]float32, len(chosen))}
	feature := slices.Repeat([]int32{-1}, len(docs.Terms))
	for k, i := range chosen {
		f.Terms[k], feature[i] = docs.Terms[i], int32(k)
		f.IDF[k] = float32(math.Log(float64(1+len(docs.Docs))/float64(1+df[i])) + 1)
	}
	words := make([]Words, len(docs.Docs))
	for i, d := range docs.Docs {
		words[i] = wordsIn(d, feature)
	}
	return f, words
}

// wordsIn counts the features of a document, given the feature that each term is, -1 for none. Features ascend as their
// terms do.
func wordsIn(doc []text.Occurrence, feature []int32) Words {
	n := 0
	for _, o := range doc {
		if feature[o.Term()] >= 0 {
			n++
		}
	}
	if n == 0 {
		return Words{}
	}
	w := Words{Index: make([]int32, 0, n), Count: make([]int32, 0, n)}
	for _, o := range doc {
		if k := feature[o.Term()]; k >= 0 {
			w.Index, w.Count = append(w.Index, k), append(w.Count, int32(min(o.Times(), math.MaxInt32)))
		}
	}
	return w
}

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
