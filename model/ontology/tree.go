package ontology

import (
	"fmt"
	"math/bits"
	"slices"
)

// Term is a term of a tree.
type Term struct {
	Key    string   `json:"key"`              // unique in the tree; stays the same when the term is edited
	Labels []string `json:"labels"`           // the preferred label, then synonyms; at least one, none blank
	Senses []string `json:"senses,omitempty"` // names of WordNet senses, such as "wind.n.07"; may be empty
	Parent int      `json:"parent"`           // number of the term above it; None for the root
}

// None is the parent of the root.
const None = -1

// Tree is a tree of at least one and at most MaxTerms terms. It must not be changed.
type Tree struct {
	terms  []Term // in pre-order
	depth  []int32
	after  []int32        // the number behind the last term below each term
	number map[string]int // of a key

	// least[k][i] is the smallest depth of the terms i, i+1, ..., i+2^k-1. With it the similarity of any two terms takes
	// the same short time, in n·log n numbers for all n²/2 pairs.
	least [][]int32
}

// newTree makes a tree of terms that are in pre-order and free of faults.
func newTree(terms []Term) *Tree {
	n := len(terms)
	t := &Tree{terms: terms, depth: make([]int32, n), after: make([]int32, n), number: make(map[string]int, n)}
	for i, term := range terms {
		t.number[term.Key] = i
		t.depth[i] = 1
		if term.Parent != None {
			t.depth[i] = t.depth[term.Parent] + 1
		}
		t.after[i] = int32(i + 1)
	}
	for i := n - 1; i > 0; i-- {
		p := terms[i].Parent
		t.after[p] = max(t.after[p], t.after[i])
	}
	t.least = [][]int32{t.depth}
	for width := 1; 2*width <= n; width *= 2 {
		last := t.least[len(t.least)-1]
		row := make([]int32, n-2*width+1)
		for i := range row {
			row[i] = min(last[i], last[i+width])
		}
		t.least = append(t.least, row)
	}
	return t
}

// Len is the number of terms.
func (t *Tree) Len() int { return len(t.terms) }

// Term is the term of number i, in [0, Len). Its slices must not be changed.
func (t *Tree) Term(i int) Term { return t.terms[i] }

// Terms are all terms in pre-order. They must not be changed.
func (t *Tree) Terms() []Term { return t.terms }

// Label is the preferred label of term i.
func (t *Tree) Label(i int) string { return t.terms[i].Labels[0] }

// ByKey is the number of the term with a key.
func (t *Tree) ByKey(key string) (int, bool) {
	i, ok := t.number[key]
	return i, ok
}

// Depth is the number of terms on the way from the root to term i, both counted: 1 for the root.
func (t *Tree) Depth(i int) int { return int(t.depth[i]) }

// Below is the range of the terms that are below term i, and term i itself: from i to end-1.
func (t *Tree) Below(i int) (from, end int) { return i, int(t.after[i]) }

// Children are the terms directly below term i, in their order.
func (t *Tree) Children(i int) []int {
	var c []int
	for j := i + 1; j < int(t.after[i]); j = int(t.after[j]) {
		c = append(c, j)
	}
	return c
}

// Above are the terms on the way from term i to the root: term i itself first, the root last.
func (t *Tree) Above(i int) []int {
	way := make([]int, 0, t.depth[i])
	for ; i != None; i = t.terms[i].Parent {
		way = append(way, i)
	}
	return way
}

// Ancestor is the term at a depth of at least 1 on the way from the root to term i; term i itself if it is not as deep.
func (t *Tree) Ancestor(i, depth int) int {
	for int(t.depth[i]) > max(depth, 1) {
		i = t.terms[i].Parent
	}
	return i
}

// Common is the deepest term that is above all of the terms or one of them. It panics when there are none.
func (t *Tree) Common(terms ...int) int {
	low, high := slices.Min(terms), slices.Max(terms)
	return t.Ancestor(low, t.commonDepth(low, high))
}

// commonDepth is depth(lcs) of terms i <= j. The terms between them in pre-order are below their lcs, and one of them, or j,
// is directly below it, unless i is the lcs itself and i = j.
func (t *Tree) commonDepth(i, j int) int {
	if i == j {
		return int(t.depth[i])
	}
	i++
	k := bits.Len(uint(j-i+1)) - 1
	row := t.least[k]
	return int(min(row[i], row[j-1<<k+1])) - 1
}

// Similarity is S(i, j) in (0, 1]; 1 only for i = j. It is symmetric. It panics when there is no such term.
func (t *Tree) Similarity(i, j int) float64 {
	if i > j {
		i, j = j, i
	}
	return 2 * float64(t.commonDepth(i, j)) / float64(t.depth[i]+t.depth[j])
}

// String is the size of the tree, for messages.
func (t *Tree) String() string {
	return fmt.Sprintf("%d terms, %d levels", len(t.terms), slices.Max(t.depth))
}
