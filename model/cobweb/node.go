package cobweb

import (
	"cmp"
	"slices"

	"nightjar/model/conceptset"
)

// Node is a cluster: a leaf with objects of the same values, or an inner node with two children or more.
type Node struct {
	count    int
	sums     []sum   // ascending by attribute; the others are 0
	squares  float64 // Σ s²
	children []*Node
	values   conceptset.Set // of a leaf: those of each object
	objects  []int          // of a leaf
}

// sum is s_a of an attribute.
type sum struct {
	attribute int
	s         float64
}

// Count is the number of objects.
func (n *Node) Count() int { return n.count }

// Children are the clusters directly below the node; none for a leaf. They must not be changed.
func (n *Node) Children() []*Node { return n.children }

// Share is P(a present) of an attribute among the objects, in [0, 1].
func (n *Node) Share(attribute int) float64 { return n.sum(attribute) / float64(n.count) }

// Attributes are those that at least one object has, ascending.
func (n *Node) Attributes() []int {
	list := make([]int, len(n.sums))
	for i, s := range n.sums {
		list[i] = s.attribute
	}
	return list
}

// Objects are the numbers of the objects, ascending.
func (n *Node) Objects() []int {
	var list []int
	todo := []*Node{n}
	for len(todo) > 0 {
		last := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], last.children...)
		list = append(list, last.objects...)
	}
	slices.Sort(list)
	return list
}

// Utility is CU of the children, for a number of attributes; 0 for a leaf.
func (n *Node) Utility(attributes int) float64 {
	if len(n.children) == 0 || attributes == 0 {
		return 0
	}
	return 2 * (n.gathered() - n.gather()) / float64(len(n.children)*n.count*attributes)
}

// gather is Σ s²/n of the node.
func (n *Node) gather() float64 { return n.squares / float64(n.count) }

// gathered is the sum of gather of the children.
func (n *Node) gathered() float64 {
	total := 0.0
	for _, c := range n.children {
		total += c.gather()
	}
	return total
}

func (n *Node) find(attribute int) (int, bool) {
	return slices.BinarySearchFunc(n.sums, attribute, func(s sum, a int) int { return cmp.Compare(s.attribute, a) })
}

func (n *Node) sum(attribute int) float64 {
	if k, ok := n.find(attribute); ok {
		return n.sums[k].s
	}
	return 0
}

// gatherWith is what gather would be with one more object.
func (n *Node) gatherWith(o object) float64 {
	return (n.squares + 2*n.dot(o.values) + o.squares) / float64(n.count+1)
}

// dot is Σ s·r.
func (n *Node) dot(values conceptset.Set) float64 {
	total := 0.0
	for _, v := range values {
		total += n.sum(v.ID) * v.Weight
	}
	return total
}

// add counts one more object.
func (n *Node) add(values conceptset.Set) {
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
func (n *Node) square() {
	n.squares = 0
	for _, s := range n.sums {
		n.squares += s.s * s.s
	}
}

// leaf is a node of one object.
func leaf(o object) *Node {
	n := &Node{values: o.values, objects: []int{o.number}}
	n.add(o.values)
	return n
}

// merge makes a node with two children.
func merge(a, b *Node) *Node {
	n := &Node{count: a.count + b.count, children: []*Node{a, b}}
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
