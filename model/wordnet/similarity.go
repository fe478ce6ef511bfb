package wordnet

import "slices"

// Bounds of the graph. In WordNet 3.0 no sense has more than 35 senses above it, with itself, or more than 12 paths.
const (
	maxAbove    = 250      // senses above a sense, with itself; so depths and distances fit a byte
	maxAboveSum = 16 << 20 // of all senses together
	maxPaths    = 1000     // paths of a sense
)

// above is for each sense the senses above it, with itself at distance 0.
type above struct {
	start   []uint32 // [sense]: where its list begins in entry
	size    []uint8  // [sense]: the length of its list
	entry   []uint32 // sense<<8 | smallest number of steps up to it, ascending
	deepest []uint8  // [sense]: nodes of its longest path from a root
	nearest []uint8  // [sense]: nodes of its shortest path from a root
}

// of is the list of a sense.
func (a *above) of(s Sense) []uint32 {
	return a.entry[a.start[s] : a.start[s]+uint32(a.size[s])]
}

// Similarity is the similarity of two senses by Wu & Palmer, in [0, 1]: the largest
//
//	S(a, b) = max over p, q of 2k/(|p|+|q|)                    [THESUS] §5.3
//
// over the paths p to a and q to b (see Paths), where lengths count nodes and k is the length of the paths' common
// beginning. Paths of verbs get one virtual root in front. S is symmetric, S(a, a) = 1, and 0 for a noun and a verb and for
// None.
//
// No paths are made. If the common beginning of p and q ends at c, S grows with k and falls with the rest of p and q, so
// the best paths through c take the longest way to c, and the shortest from there:
//
//	S(a, b) = max over c above both of 2D(c)/(2D(c) + d(a, c) + d(b, c))
//
// with D(c) the nodes of the longest path to c and d the fewest steps up. Should those paths have more than D(c) nodes in
// common, then another c gives more and counts.
func (n *Net) Similarity(a, b Sense) float64 {
	if a == None || b == None || n.POS(a) != n.POS(b) {
		return 0
	}
	part, whole, root := 0, 1, 0 // the largest part/whole so far
	if n.POS(a) == Verb {
		root = 1
		part, whole = 2, 2+int(n.above.nearest[a])+int(n.above.nearest[b])
	}
	for p, q := n.above.of(a), n.above.of(b); len(p) > 0 && len(q) > 0; {
		switch cp, cq := p[0]>>8, q[0]>>8; {
		case cp < cq:
			p = p[1:]
		case cp > cq:
			q = q[1:]
		default:
			twice := 2 * (int(n.above.deepest[cp]) + root)
			if sum := twice + int(p[0]&0xff) + int(q[0]&0xff); twice*whole > part*sum {
				part, whole = twice, sum
			}
			p, q = p[1:], q[1:]
		}
	}
	return float64(part) / float64(whole)
}

// climb fills above, the hypernyms of a sense before the sense.
func (n *Net) climb() error {
	m := n.Len()
	n.above = above{start: make([]uint32, m), size: make([]uint8, m), deepest: make([]uint8, m), nearest: make([]uint8, m)}
	order, err := n.order()
	if err != nil {
		return err
	}
	paths := make([]uint32, m)
	var list, merged []uint32
	for _, s := range order {
		list = append(list[:0], uint32(s)<<8)
		deepest, nearest := 0, maxAbove
		for _, h := range n.Hypernyms(s) {
			merged = merge(merged[:0], list, n.above.of(h))
			list, merged = merged, list
			deepest, nearest = max(deepest, int(n.above.deepest[h])), min(nearest, int(n.above.nearest[h]))
			paths[s] = min(paths[s]+paths[h], maxPaths+1)
		}
		if len(n.Hypernyms(s)) == 0 {
			nearest, paths[s] = 0, 1
		}
		switch {
		case len(list) > maxAbove:
			return n.wrong(s, n.POS(s), "more than %d senses are above the synset", maxAbove)
		case paths[s] > maxPaths:
			return n.wrong(s, n.POS(s), "more than %d paths lead to the synset", maxPaths)
		case len(n.above.entry)+len(list) > maxAboveSum:
			return n.wrong(s, n.POS(s), "the synsets have more than %d senses above them together", maxAboveSum)
		}
		n.above.start[s], n.above.size[s] = uint32(len(n.above.entry)), uint8(len(list))
		n.above.entry = append(n.above.entry, list...)
		n.above.deepest[s], n.above.nearest[s] = uint8(deepest+1), uint8(nearest+1)
	}
	n.above.entry = slices.Clone(n.above.entry)
	return nil
}

// merge appends to dst the union of a list and the list of a hypernym, which is one step further away. The smaller distance
// counts.
func merge(dst, list, up []uint32) []uint32 {
	for len(list) > 0 && len(up) > 0 {
		switch a, b := list[0], up[0]+1; {
		case a>>8 < b>>8:
			dst, list = append(dst, a), list[1:]
		case a>>8 > b>>8:
			dst, up = append(dst, b), up[1:]
		default:
			dst, list, up = append(dst, min(a, b)), list[1:], up[1:]
		}
	}
	dst = append(dst, list...)
	for _, e := range up {
		dst = append(dst, e+1)
	}
	return dst
}

// order lists all senses, each after its hypernyms. It fails when a sense is above itself.
func (n *Net) order() ([]Sense, error) {
	waiting := make([]int32, n.Len()) // hypernyms that are not listed yet
	order := make([]Sense, 0, n.Len())
	for s := range Sense(n.Len()) {
		if waiting[s] = int32(len(n.Hypernyms(s))); waiting[s] == 0 {
			order = append(order, s)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, s := range n.Hyponyms(order[i]) {
			if waiting[s]--; waiting[s] == 0 {
				order = append(order, s)
			}
		}
	}
	for s := range Sense(n.Len()) {
		if waiting[s] > 0 {
			return nil, n.wrong(s, n.POS(s), "the synset is above itself, or below one that is")
		}
	}
	return order, nil
}
