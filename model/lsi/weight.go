package lsi

import (
	"math"
	"slices"

	"nightjar/model/text"
)

// vocabulary gives the terms of the documents, sorted, and for each the number of documents that have it.
func vocabulary(docs []text.Counts) (terms []string, df []int) {
	count := make(map[string]int)
	for _, d := range docs {
		for term, n := range d {
			if n > 0 {
				count[term]++
			}
		}
	}
	terms = make([]string, 0, len(count))
	for term := range count {
		terms = append(terms, term)
	}
	slices.Sort(terms)
	df = make([]int, len(terms))
	for i, term := range terms {
		df[i] = count[term]
	}
	return terms, df
}

// idf is the factor log2(N/df_i)+1 of [HMM] §2.2.1, eq. (1); N is the number of documents.
func idf(df []int, n int) []float64 {
	out := make([]float64, len(df))
	for i, d := range df {
		out[i] = math.Log2(float64(n)/float64(d)) + 1
	}
	return out
}

// entry is one weighted term of a document.
type entry struct {
	term   int32
	weight float64
}

// weigh gives the weights of a document's known terms, ascending by term, the whole of length 1.
//
//	w_ik = tf_ik (log2(N/df_i)+1) / sqrt(Σ_i (tf_ik)² (log2(N/df_i)+1)²)     [HMM] §2.2.1, eq. (1)
//
// The sum is over the terms i of the document; the paper prints the index k, which is the document. The result is
// empty when the document has no known term.
func weigh(doc text.Counts, index map[string]int32, idf []float64) []entry {
	found := make([]uint64, 0, len(doc)) // term and count in one number, which sorts several times faster than entries
	for term, n := range doc {
		if i, ok := index[term]; ok && n > 0 {
			found = append(found, uint64(i)<<32|uint64(min(n, math.MaxUint32)))
		}
	}
	slices.Sort(found)
	list := make([]entry, len(found))
	sum := 0.0
	for at, f := range found {
		i := int32(f >> 32)
		w := float64(uint32(f)) * idf[i]
		list[at] = entry{i, w}
		sum += w * w
	}
	norm := math.Sqrt(sum)
	for i := range list {
		list[i].weight /= norm
	}
	return list
}

// columns makes the term × document matrix A of [HMM] eq. (2) from weighted documents.
func columns(docs [][]entry, terms int) *sparse {
	a := &sparse{rows: terms, cols: len(docs), start: make([]int, 1, len(docs)+1)}
	for _, d := range docs {
		for _, e := range d {
			a.index = append(a.index, e.term)
			a.value = append(a.value, e.weight)
		}
		a.start = append(a.start, len(a.index))
	}
	return a
}
