package text

import (
	"math"
	"slices"
	"strings"

	"nightjar/model/internal/parallel"
)

// Collection is documents by numbered terms. Several computations over the same documents share it, so that each term of
// a document is looked up once and not by each of them; it also takes a quarter of the memory.
type Collection struct {
	Terms []string       // of all documents, sorted; a part of the documents need not have all of them
	Docs  [][]Occurrence // the terms of each document, ascending
}

// Occurrence is a term and how often a document has it, the term in the upper half: ordered by term, and sorted several
// times faster than a struct.
type Occurrence uint64

// NewOccurrence is of the term with that number, which is at least 0. The times are at least 1; more than 2³²-1 count as
// so many.
func NewOccurrence(term int32, times int) Occurrence {
	return Occurrence(uint64(term)<<32 | uint64(min(times, math.MaxUint32)))
}

// Term is the number of the term.
func (o Occurrence) Term() int32 { return int32(o >> 32) }

// Times is how often the document has it.
func (o Occurrence) Times() int { return int(uint32(o)) }

// Collect numbers the terms of documents. A term with a count below 1 is none of the document's.
func Collect(docs []Counts) Collection {
	met := make(map[string]int32) // term -> number, in the order of meeting
	c := Collection{Docs: make([][]Occurrence, len(docs))}
	for i, d := range docs {
		c.Docs[i] = make([]Occurrence, 0, len(d))
		for term, times := range d {
			if times <= 0 {
				continue
			}
			number, known := met[term]
			if !known {
				number = int32(len(c.Terms))
				met[term] = number
				c.Terms = append(c.Terms, term)
			}
			c.Docs[i] = append(c.Docs[i], NewOccurrence(number, times))
		}
	}
	c.sort()
	return c
}

// sort numbers the terms by the alphabet.
func (c *Collection) sort() {
	order := make([]int32, len(c.Terms))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(c.Terms[a], c.Terms[b]) })
	sorted, place := make([]string, len(order)), make([]int32, len(order))
	for at, i := range order {
		sorted[at], place[i] = c.Terms[i], int32(at)
	}
	c.Terms = sorted
	parallel.Each(len(c.Docs), func(i int) {
		for p, o := range c.Docs[i] {
			c.Docs[i][p] = NewOccurrence(place[o.Term()], o.Times())
		}
		slices.Sort(c.Docs[i])
	})
}
