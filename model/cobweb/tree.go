package cobweb

import (
	"context"
	"math/rand/v2"
	"slices"

	"nightjar/model/conceptset"
)

// Tree is a tree of clusters. The zero Tree is empty. It must not be read while it is changed.
type Tree struct{ root *node }

// Build adds those objects that have an attribute, in an order that depends on the seed. An object is named by its place
// in the list. progress, which may be nil, is called with the objects done and their number. The error is ctx.Err() when
// ctx ends first.
func Build(ctx context.Context, objects []conceptset.Set, seed uint64, progress func(done, of int)) (*Tree, error) {
	t := &Tree{}
	for k, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(objects)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(objects[i]) > 0 {
			t.Add(i, objects[i])
		}
		if progress != nil {
			progress(k+1, len(objects))
		}
	}
	return t, nil
}

// Outside is the cluster of objects that are not in the tree.
const Outside = -1

// object is an object on its way down.
type object struct {
	number  int
	values  conceptset.Set
	squares float64 // Σ r²
}

// Add puts one more object into the tree. number is a name of the object, best its place in a list; values are the
// attributes with their r.
func (t *Tree) Add(number int, values conceptset.Set) {
	o := object{number: number, values: values}
	for _, v := range values {
		o.squares += v.Weight * v.Weight
	}
	if t.root == nil {
		t.root = leaf(o)
		return
	}
	for n := t.root; n != nil; {
		n = n.step(o)
	}
}

// step puts an object into the node and gives the child in which to go on: the node itself after a split, nil when the
// object has its place.
func (n *node) step(o object) *node {
	if len(n.children) == 0 {
		n.share(o)
		return nil
	}
	d := n.decide(o)
	if d.operator == split {
		n.children = slices.Replace(n.children, d.best, d.best+1, n.children[d.best].children...)
		return n
	}
	n.add(o.values)
	switch d.operator {
	case alone:
		n.children = append(n.children, leaf(o))
		return nil
	case join:
		n.children[d.best] = merge(n.children[d.best], n.children[d.second])
		joined := n.children[d.best]
		n.children = slices.Delete(n.children, d.second, d.second+1)
		return joined
	}
	return n.children[d.best]
}

// share puts an object into a leaf, which gets children if its objects have other values.
func (n *node) share(o object) {
	if slices.Equal(n.values, o.values) {
		n.objects = append(n.objects, o.number)
	} else {
		before := *n
		before.sums = slices.Clone(n.sums)
		n.children, n.values, n.objects = []*node{&before, leaf(o)}, nil, nil
	}
	n.add(o.values)
}

// operator is what is done with the children of a node.
type operator int

const (
	into  operator = iota // put the object into the best child
	alone                 // make a child of it
	join                  // merge the two best children
	split                 // replace the best child by its children
)

// decision is an operator and the children that it is about.
type decision struct {
	operator     operator
	best, second int // an inner node has two children or more
}

// surplus is by how much a value must be larger to be preferred, as a share of Σ s²/N of the node. It is far above rounding
// errors, so that these do not decide between equal values.
const surplus = 1e-12

// decide chooses the operator with the largest CU. What it compares is CU·N·attributes/2.
func (n *node) decide(o object) decision {
	d := decision{best: -1, second: -1}
	all, now, k := n.gatherWith(o), n.gathered(), float64(len(n.children))
	margin := surplus * (1 + all)
	gain := make([]float64, len(n.children)) // of Σ s²/n, by the object
	for i, c := range n.children {
		gain[i] = c.gatherWith(o) - c.gather()
		switch {
		case d.best < 0 || gain[i] > gain[d.best]+margin:
			d.best, d.second = i, d.best
		case d.second < 0 || gain[i] > gain[d.second]+margin:
			d.second = i
		}
	}
	most := (now + gain[d.best] - all) / k
	try := func(op operator, gathered, children float64) {
		if u := (gathered - all) / children; u > most+margin {
			d.operator, most = op, u
		}
	}
	try(alone, now+o.squares, k+1)
	best := n.children[d.best]
	if k > 2 {
		second := n.children[d.second]
		both := best.squares + second.squares + 2*dotSums(best, second) + 2*(best.dot(o.values)+second.dot(o.values)) + o.squares
		try(join, now-best.gather()-second.gather()+both/float64(best.count+second.count+1), k-1)
	}
	if len(best.children) > 0 {
		more := gain[d.second] // the object goes where it then fits best
		for _, c := range best.children {
			more = max(more, c.gatherWith(o)-c.gather())
		}
		try(split, now-best.gather()+best.gathered()+more, k-1+float64(len(best.children)))
	}
	return d
}

// dotSums is Σ s·s of two nodes.
func dotSums(a, b *node) float64 {
	total := 0.0
	i, j := 0, 0
	for i < len(a.sums) && j < len(b.sums) {
		switch x, y := a.sums[i], b.sums[j]; {
		case x.attribute < y.attribute:
			i++
		case y.attribute < x.attribute:
			j++
		default:
			total += x.s * y.s
			i, j = i+1, j+1
		}
	}
	return total
}
