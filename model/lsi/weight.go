package lsi

import (
	"math"
	"slices"
	"strings"

	"nightjar/model/internal/parallel"
	"nightjar/model/text"
)

// occurrence is a term and how often a document has it, the term in the upper half: ordered by term, and sorted several
// times faster than a struct.
type occurrence uint64

func pack(term int32, times int) occurrence {
	return occurrence(uint64(term)<<32 | uint64(min(times, math.MaxUint32)))
}

func (o occurrence) term() int32    { return int32(o >> 32) }
func (o occurrence) times() float64 { return float64(uint32(o)) }

// vocabulary gives the terms of the documents, sorted, for each the number of documents that have it, and each document
// by these terms, ascending. Each term is looked up once.
func vocabulary(docs []text.Counts) (terms []string, df []int, found [][]occurrence) {
	met := make(map[string]int32) // term -> number, in the order of meeting
	found = make([][]occurrence, len(docs))
	for i, d := range docs {
		found[i] = make([]occurrence, 0, len(d))
		for term, times := range d {
			if times <= 0 {
				continue
			}
			number, known := met[term]
			if !known {
				number = int32(len(terms))
				met[term] = number
				terms, df = append(terms, term), append(df, 0)
			}
			df[number]++
			found[i] = append(found[i], pack(number, times))
		}
	}
	terms, df, place := alphabetical(terms, df)
	parallel.Each(len(found), func(i int) {
		for p, o := range found[i] {
			found[i][p] = o&math.MaxUint32 | pack(place[o.term()], 0)
		}
		slices.Sort(found[i])
	})
	return terms, df, found
}

// alphabetical sorts the terms, and gives the place of each of them as they were.
func alphabetical(terms []string, df []int) (sorted []string, dfSorted []int, place []int32) {
	order := make([]int32, len(terms))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(terms[a], terms[b]) })
	sorted, dfSorted, place = make([]string, len(terms)), make([]int, len(terms)), make([]int32, len(terms))
	for at, i := range order {
		sorted[at], dfSorted[at], place[i] = terms[i], df[i], int32(at)
	}
	return sorted, dfSorted, place
}

// occurrences gives a document by the terms of the index, ascending.
func occurrences(doc text.Counts, index map[string]int32) []occurrence {
	found := make([]occurrence, 0, len(doc))
	for term, times := range doc {
		if i, ok := index[term]; ok && times > 0 {
			found = append(found, pack(i, times))
		}
	}
	slices.Sort(found)
	return found
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

// weigh gives the weights of a document's terms, ascending by term, the whole of length 1.
//
//	w_ik = tf_ik (log2(N/df_i)+1) / sqrt(Σ_i (tf_ik)² (log2(N/df_i)+1)²)     [HMM] §2.2.1, eq. (1)
//
// The sum is over the terms i of the document; the paper prints the index k, which is the document. The result is
// empty when the document has no known term.
func weigh(doc []occurrence, idf []float64) []entry {
	list := make([]entry, len(doc))
	sum := 0.0
	for at, o := range doc {
		w := o.times() * idf[o.term()]
		list[at] = entry{o.term(), w}
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
	size := 0
	for _, d := range docs {
		size += len(d)
	}
	a := &sparse{
		rows: terms, cols: len(docs),
		start: make([]int, 1, len(docs)+1), index: make([]int32, 0, size), value: make([]float64, 0, size),
	}
	for _, d := range docs {
		for _, e := range d {
			a.index = append(a.index, e.term)
			a.value = append(a.value, e.weight)
		}
		a.start = append(a.start, len(a.index))
	}
	return a
}
