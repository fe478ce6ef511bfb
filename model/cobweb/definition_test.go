package cobweb

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"nightjar/model/conceptset"
)

// utility is CU by its definition, of clusters of objects.
func utility(clusters [][]conceptset.Set) float64 {
	squares := func(objects []conceptset.Set) float64 {
		sum := 0.0
		for a := range attributes {
			present := 0.0
			for _, o := range objects {
				for _, v := range o {
					if v.ID == a {
						present += v.Weight
					}
				}
			}
			p := present / float64(len(objects))
			sum += p*p + (1-p)*(1-p)
		}
		return sum
	}
	all := slices.Concat(clusters...)
	cu := 0.0
	for _, c := range clusters {
		cu += float64(len(c)) / float64(len(all)) * (squares(c) - squares(all))
	}
	return cu / float64(len(clusters)) / attributes
}

// randomObject draws attributes with fractional r, or r = 1. With few attributes some objects are equal.
func randomObject(rng *rand.Rand, fractional bool) conceptset.Set {
	from := 4 * rng.IntN(3) // three kinds of objects
	var s conceptset.Set
	for a := range attributes {
		likely := .1
		if a >= from && a < from+4 {
			likely = .6
		}
		if rng.Float64() < likely {
			weight := 1.
			if fractional {
				weight = float64(1+rng.IntN(5)) / 5
			}
			s = append(s, conceptset.Concept{ID: a, Weight: weight})
		}
	}
	return s
}

// check looks at what must hold at every node.
func check(t *testing.T, n *node, objects []conceptset.Set) {
	t.Helper()
	list := n.members()
	if len(list) != n.count || len(slices.Compact(slices.Clone(list))) != n.count {
		t.Fatalf("%d objects of %d: %v", len(list), n.count, list)
	}
	want := map[int]float64{}
	for _, i := range list {
		for _, v := range objects[i] {
			want[v.ID] += v.Weight
		}
	}
	if len(n.sums) != len(want) || !slices.IsSortedFunc(n.sums, func(a, b sum) int { return a.attribute - b.attribute }) {
		t.Fatalf("sums %v, want %v", n.sums, want)
	}
	squares := 0.0
	for a := range attributes {
		below := 0.0
		for _, c := range n.children {
			below += c.sum(a)
		}
		if len(n.children) > 0 && math.Abs(below-n.sum(a)) > 1e-9 {
			t.Fatalf("the sums of the children are together %v, of the node %v", below, n.sum(a))
		}
		if math.Abs(n.sum(a)-want[a]) > 1e-9 {
			t.Fatalf("the sum of attribute %d is %v, want %v", a, n.sum(a), want[a])
		}
		squares += want[a] * want[a]
	}
	if math.Abs(n.squares-squares) > 1e-9 {
		t.Fatalf("squares %v, want %v", n.squares, squares)
	}
	if len(n.children) == 0 {
		for _, i := range list {
			if !slices.Equal(objects[i], n.values) {
				t.Fatalf("%v is in a leaf of %v", objects[i], n.values)
			}
		}
		return
	}
	if len(n.children) == 1 || len(n.objects) > 0 {
		t.Fatalf("%d children, %d objects of its own", len(n.children), len(n.objects))
	}
	if got, want := nodeUtility(n, attributes), utility(clustersOf(n, objects)); math.Abs(got-want) > 1e-12 {
		t.Fatalf("CU %v, want %v", got, want)
	}
	for _, c := range n.children {
		check(t, c, objects)
	}
}

// nodeUtility is CU of a node's children by their sums, as decide compares it.
func nodeUtility(n *node, attributes int) float64 {
	return 2 * (n.gathered() - n.gather()) / float64(len(n.children)*n.count*attributes)
}

func clustersOf(n *node, objects []conceptset.Set) [][]conceptset.Set {
	var clusters [][]conceptset.Set
	for _, c := range n.children {
		clusters = append(clusters, of(c, objects))
	}
	return clusters
}

func of(n *node, objects []conceptset.Set) []conceptset.Set {
	var list []conceptset.Set
	for _, i := range n.members() {
		list = append(list, objects[i])
	}
	return list
}

// bestUtility is, by the definition, CU of each operator at a node.
func bestUtility(n *node, o conceptset.Set, d decision, objects []conceptset.Set) map[operator]float64 {
	put := func(clusters [][]conceptset.Set, k int) float64 {
		clusters = slices.Clone(clusters)
		clusters[k] = append(slices.Clone(clusters[k]), o)
		return utility(clusters)
	}
	most := func(clusters [][]conceptset.Set) float64 {
		best := math.Inf(-1)
		for k := range clusters {
			best = max(best, put(clusters, k))
		}
		return best
	}
	now := clustersOf(n, objects)
	cu := map[operator]float64{into: most(now), alone: utility(append(slices.Clone(now), []conceptset.Set{o}))}
	rest := func(without ...int) [][]conceptset.Set {
		var list [][]conceptset.Set
		for k := range now {
			if !slices.Contains(without, k) {
				list = append(list, now[k])
			}
		}
		return list
	}
	if len(now) > 2 {
		both := append(slices.Clone(now[d.best]), now[d.second]...)
		cu[join] = put(append([][]conceptset.Set{both}, rest(d.best, d.second)...), 0)
	}
	if best := n.children[d.best]; len(best.children) > 0 {
		cu[split] = most(append(rest(d.best), clustersOf(best, objects)...))
	}
	return cu
}

func TestAddAgainstTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 16))
	used := map[operator]int{}
	for run := range 60 {
		tree := &Tree{}
		var objects []conceptset.Set
		for range 25 {
			o := randomObject(rng, run%2 == 0)
			for n := tree.root; n != nil && len(n.children) > 0; n = n.children[0] { // not only nodes on the way
				d := n.decide(asObject(o))
				cu := bestUtility(n, o, d, objects)
				for op, u := range cu {
					if u > cu[d.operator]+1e-9 {
						t.Fatalf("operator %d has CU %v, %d has %v", d.operator, cu[d.operator], op, u)
					}
				}
				used[d.operator]++
			}
			objects = append(objects, o)
			tree.Add(len(objects)-1, o)
			check(t, tree.root, objects)
		}
		if got := tree.root.members(); len(got) != len(objects) {
			t.Fatalf("%d of %d objects", len(got), len(objects))
		}
	}
	for op := into; op <= split; op++ {
		if used[op] < 10 {
			t.Errorf("operator %d was used %d times", op, used[op])
		}
	}
}

// TestAttributesInAnyOrder: names of attributes do not matter. Sums are then added up in another order, so that rounding
// errors differ; they must not decide between operators that are equally good.
func TestAttributesInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 16))
	for run := range 200 {
		tree, other, to := &Tree{}, &Tree{}, rng.Perm(attributes)
		for i := range 30 {
			o := randomObject(rng, true)
			var renamed []conceptset.Concept
			for _, v := range o {
				renamed = append(renamed, conceptset.Concept{ID: to[v.ID], Weight: v.Weight})
			}
			s, err := conceptset.New(renamed)
			if err != nil {
				t.Fatal(err)
			}
			tree.Add(i, o)
			other.Add(i, s)
		}
		if a, b := show(tree.root), show(other.root); a != b {
			t.Fatalf("run %d:\n%s\n%s", run, a, b)
		}
	}
}
