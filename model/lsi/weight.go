package lsi

import (
	"math"

	"nightjar/model/internal/parallel"
	"nightjar/model/text"
)

// vocabulary gives the terms of the documents, sorted, for each the number of documents that have it, and the number of
// each term of the collection among them, -1 for one that no document has.
func vocabulary(c text.Collection) (terms []string, df []int, number []int32) {
	having := make([]int, len(c.Terms))
	for _, d := range c.Docs {
		for _, o := range d {
			having[o.Term()]++
		}
	}
	number = make([]int32, len(c.Terms))
	for i, n := range having {
		number[i] = -1
		if n > 0 {
			number[i] = int32(len(terms))
			terms, df = append(terms, c.Terms[i]), append(df, n)
		}
	}
	return terms, df, number
}

// idf is the factor log2(N/df_i)+1 of [HMM] §2.2.1, eq. (1); N is the number of documents.
func idf(df []int, n int) []float64 {
	out := make([]float64, len(df))
	for i, d := range df {
		out[i] = math.Log2(float64(n)/float64(d)) + 1
	}
	return out
}

// matrix makes the term × document matrix A of [HMM] §2.2.1, eq. (2), whose columns are the weighted documents. number is
// the row of each term of the collection, idf that of each row.
func matrix(c text.Collection, number []int32, idf []float64) *sparse {
	a := &sparse{rows: len(idf), cols: len(c.Docs), start: make([]int, len(c.Docs)+1)}
	for j, d := range c.Docs {
		a.start[j+1] = a.start[j] + len(d)
	}
	a.index, a.value = make([]int32, a.start[a.cols]), make([]float64, a.start[a.cols])
	parallel.Each(a.cols, func(j int) {
		index, value := a.column(j)
		for p, o := range c.Docs[j] {
			index[p], value[p] = number[o.Term()], float64(o.Times())
		}
		weigh(index, value, idf)
	})
	return a
}

// weigh turns the counts of a document's terms into their weights, the whole of length 1, in place.
//
//	w_ik = tf_ik (log2(N/df_i)+1) / sqrt(Σ_i (tf_ik)² (log2(N/df_i)+1)²)     [HMM] §2.2.1, eq. (1)
//
// The sum is over the terms i of the document; the paper prints the index k, which is the document.
func weigh(index []int32, value, idf []float64) {
	sum := 0.0
	for p, i := range index {
		w := value[p] * idf[i]
		value[p] = w
		sum += w * w
	}
	norm := math.Sqrt(sum)
	for p := range value {
		value[p] /= norm
	}
}
