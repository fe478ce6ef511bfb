package cobweb

import (
	"cmp"
	"slices"

	"nightjar/model/conceptset"
)

// node is a cluster: a leaf with objects of the same values, or an inner node with two children or more.
type node struct {
	count    int
	sums     []sum   // ascending by attribute; the others are 0
	squares  float64 // Σ s²
	children []*node
	values   conceptset.Set // of a leaf: those of each object
	objects  []int          // of a leaf
}

// sum is s_a of an attribute.
type sum struct {
	attribute int
	s         float64
}

// members are the numbers of the objects, ascending.
func (n *node) members() []int {
	var list []int
	todo := []*node{n}
	for len(todo) > 0 {
		last := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], last.children...)
		list = append(list, last.objects...)
	}
	slices.Sort(list)
	return list
}

// gather is Σ s²/n of the node.
func (n *node) gather() float64 { return n.squares / float64(n.count) }

// gathered is the sum of gather of the children.
func (n *node) gathered() float64 {
	total := 0.0
	for _, c := range n.children {
		total += c.gather()
	}
	return total
}

func (n *node) find(attribute int) (int, bool) {
	return slices.BinarySearchFunc(n.sums, attribute, func(s sum, a int) int { return cmp.Compare(s.attribute, a) })
}

func (n *node) sum(attribute int) float64 {
	if k, ok := n.find(attribute); ok {
		return n.sums[k].s
	}
	return 0
}

// gatherWith is what gather would be with one more object.
func (n *node) gatherWith(o object) float64 {
	return (n.squares + 2*n.dot(o.values) + o.squares) / float64(n.count+1)
}

// dot is Σ s·r.
func (n *node) dot(values conceptset.Set) float64 {
	total := 0.0
	for _, v := range values {
		total += n.sum(v.ID) * v.Weight
	}
	return total
}

// add counts one more object.
func (n *node) add(values conceptset.Set) {
	n.count++
	for _, v := range values {
		k, ok := n.find(v.ID)
		if !ok {
			n.sums = slices.Insert(n.sums, k, sum{attribute: v.ID})
		}
		n.sums[k].s += v.Weight
	}
	n.square()
}

// square recomputes the squares, so that rounding errors do not add up.
func (n *node) square() {
	n.squares = 0
	for _, s := range n.sums {
		n.squares += s.s * s.s
	}
}

// leaf is a node of one object.
func leaf(o object) *node {
	n := &node{values: o.values, objects: []int{o.number}}
	n.add(o.values)
	return n
}

// merge makes a node with two children.
func merge(a, b *node) *node {
	n := &node{count: a.count + b.count, children: []*node{a, b}}
	i, j := 0, 0
	for i < len(a.sums) || j < len(b.sums) {
		switch {
		case j == len(b.sums) || i < len(a.sums) && a.sums[i].attribute < b.sums[j].attribute:
			n.sums = append(n.sums, a.sums[i])
			i++
		case i == len(a.sums) || b.sums[j].attribute < a.sums[i].attribute:
			n.sums = append(n.sums, b.sums[j])
			j++
		default:
			n.sums = append(n.sums, sum{a.sums[i].attribute, a.sums[i].s + b.sums[j].s})
			i, j = i+1, j+1
		}
	}
	n.square()
	return n
}
