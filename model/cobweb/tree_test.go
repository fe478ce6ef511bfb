package cobweb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/model/conceptset"
)

// attributes of the tests.
const attributes = 12

// letters makes an object that has the attributes a = 0, b = 1, ... of a word, each with r = 1.
func letters(word string) conceptset.Set {
	var s conceptset.Set
	for _, l := range word {
		s = append(s, conceptset.Concept{ID: int(l - 'a'), Weight: 1})
	}
	return s
}

// show writes a tree with its objects, as (0 1) for two leaves below a node and 0+1 for two objects in a leaf. The order
// of children does not matter.
func show(n *Node) string {
	if len(n.children) == 0 {
		var names []string
		for _, i := range n.Objects() {
			names = append(names, fmt.Sprint(i))
		}
		return strings.Join(names, "+")
	}
	var parts []string
	for _, c := range n.children {
		parts = append(parts, show(c))
	}
	slices.Sort(parts)
	return "(" + strings.Join(parts, " ") + ")"
}

func grow(words ...string) *Tree {
	t := &Tree{}
	for i, w := range words {
		t.Add(i, letters(w))
	}
	return t
}

// TestByHand follows ordinary COBWEB with the attributes a to e. Below, Q is Σ s²/n of a cluster, and the values that are
// compared are (Σ_k Q_k - Q)/K; CU is that times 2/(N·attributes).
func TestByHand(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{[]string{"ab"}, "0"},
		{[]string{"ab", "ab"}, "0+1"},
		{[]string{"ab", "cd"}, "(0 1)"},
		// a: Q = (4+1+1+1)/3. With ab: (5/2+2-Q)/2 = 1.083; with cd: (3/2+2-Q)/2 = .583; alone: (2+2+1-Q)/3 = .889.
		{[]string{"ab", "cd", "a"}, "((0 2) 1)"},
		// c: Q = 10/4. With cd: (5/2+5/2-Q)/2 = 1.25; with {ab, a}: (6/3+2-Q)/2 = .75; alone: (5/2+2+1-Q)/3 = 1.
		{[]string{"ab", "cd", "a", "c"}, "((0 2) (1 3))"},
		// e: Q = 5/3. With ab or cd: (3/2+2-Q)/2 = .917; alone: (2+2+1-Q)/3 = 1.111.
		{[]string{"ab", "cd", "e"}, "(0 1 2)"},
	} {
		tree := grow(tt.words...)
		if got := show(tree.root); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.words, got, tt.want)
		}
	}
	// {ab, a}, {cd}: P(C) are 2/3 and 1/3; Σ_a Σ_v P² are 1+.5+1+1 of 4 attributes, 4, and 4·5/9 for all.
	got := grow("ab", "cd", "a").root.Utility(4)
	if want := (2/3.*3.5 + 1/3.*4 - 20/9.) / 2 / 4; math.Abs(got-want) > 1e-15 {
		t.Errorf("CU = %v, want %v", got, want)
	}
}

// node makes an inner node of nodes, or of a word a leaf.
func node(parts ...any) *Node {
	var n *Node
	for _, p := range parts {
		c, ok := p.(*Node)
		if !ok {
			w := letters(p.(string))
			c = leaf(object{values: w})
		}
		if n == nil {
			n = &Node{}
		}
		sums := merge(n, c)
		n = &Node{count: sums.count, sums: sums.sums, squares: sums.squares, children: append(n.children, c)}
	}
	return n
}

func asObject(s conceptset.Set) object {
	o := object{number: 99, values: s}
	for _, v := range s {
		o.squares += v.Weight * v.Weight
	}
	return o
}

// The operators, one after the other, with values as in TestByHand.
func TestDecideByHand(t *testing.T) {
	for _, tt := range []struct {
		n    *Node
		word string
		want decision
	}{
		{node("ab", "cd"), "a", decision{into, 0, 1}},
		{node("cd", "ab"), "a", decision{into, 1, 0}},
		{node("ab", "cd"), "e", decision{alone, 0, 1}},
		// Q = 13/4. Into ab: (5/2+2+2-Q)/3 = 1.083; alone: (6+1-Q)/4 = .938; ab and ac merged: (11/3+2-Q)/2 = 1.208.
		{node("ab", "ac", "de"), "a", decision{join, 0, 1}},
		// Q = 11/4. Into {ab, cd}: (10/3+1-Q)/2 = .792; alone: (2+1+2-Q)/3 = .75; split, then into ab: (4+2+1-Q)/3 = 1.417.
		{node(node("ab", "cd"), "e"), "ab", decision{split, 0, 1}},
	} {
		if got := tt.n.decide(asObject(letters(tt.word))); got != tt.want {
			t.Errorf("%s into %v: %v, want %v", tt.word, tt.n.sums, got, tt.want)
		}
	}
	for _, tt := range []struct {
		n    *Node
		word string
		want string
	}{
		{node("ab", "ac", "de"), "a", "((0 0 99) 0)"},
		{node(node("ab", "cd"), "e"), "ab", "(0 0 0+99)"},
	} {
		tree := &Tree{root: tt.n}
		tree.Add(99, letters(tt.word))
		if got := show(tree.root); got != tt.want {
			t.Errorf("%s is put at %s, want %s", tt.word, got, tt.want)
		}
	}
}

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
func check(t *testing.T, n *Node, objects []conceptset.Set) {
	t.Helper()
	list := n.Objects()
	if len(list) != n.Count() || len(slices.Compact(slices.Clone(list))) != n.Count() {
		t.Fatalf("%d objects of %d: %v", len(list), n.Count(), list)
	}
	want := map[int]float64{}
	for _, i := range list {
		for _, v := range objects[i] {
			want[v.ID] += v.Weight
		}
	}
	if len(n.Attributes()) != len(want) || !slices.IsSorted(n.Attributes()) {
		t.Fatalf("attributes %v, want %v", n.Attributes(), want)
	}
	squares := 0.0
	for a := range attributes {
		below := 0.0
		for _, c := range n.Children() {
			below += c.sum(a)
		}
		if len(n.Children()) > 0 && math.Abs(below-n.sum(a)) > 1e-9 {
			t.Fatalf("the sums of the children are together %v, of the node %v", below, n.sum(a))
		}
		if share := want[a] / float64(n.Count()); math.Abs(n.Share(a)-share) > 1e-9 {
			t.Fatalf("P(%d present) = %v, want %v", a, n.Share(a), share)
		}
		squares += want[a] * want[a]
	}
	if math.Abs(n.squares-squares) > 1e-9 {
		t.Fatalf("squares %v, want %v", n.squares, squares)
	}
	if len(n.Children()) == 0 {
		for _, i := range list {
			if !slices.Equal(objects[i], n.values) {
				t.Fatalf("%v is in a leaf of %v", objects[i], n.values)
			}
		}
		return
	}
	if len(n.Children()) == 1 || len(n.objects) > 0 {
		t.Fatalf("%d children, %d objects of its own", len(n.Children()), len(n.objects))
	}
	if got, want := n.Utility(attributes), utility(clustersOf(n, objects)); math.Abs(got-want) > 1e-12 {
		t.Fatalf("CU %v, want %v", got, want)
	}
	for _, c := range n.Children() {
		check(t, c, objects)
	}
}

func clustersOf(n *Node, objects []conceptset.Set) [][]conceptset.Set {
	var clusters [][]conceptset.Set
	for _, c := range n.Children() {
		clusters = append(clusters, of(c, objects))
	}
	return clusters
}

func of(n *Node, objects []conceptset.Set) []conceptset.Set {
	var list []conceptset.Set
	for _, i := range n.Objects() {
		list = append(list, objects[i])
	}
	return list
}

// bestUtility is, by the definition, CU of each operator at a node.
func bestUtility(n *Node, o conceptset.Set, d decision, objects []conceptset.Set) map[operator]float64 {
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
	if best := n.Children()[d.best]; len(best.Children()) > 0 {
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
		if got := tree.root.Objects(); len(got) != len(objects) {
			t.Fatalf("%d of %d objects", len(got), len(objects))
		}
	}
	for op := into; op <= split; op++ {
		if used[op] < 10 {
			t.Errorf("operator %d was used %d times", op, used[op])
		}
	}
}

func TestBuildFindsPlantedClusters(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 16))
	var objects []conceptset.Set
	for i := range 150 {
		var s conceptset.Set
		for a := range 4 {
			if rng.IntN(8) > 0 {
				s = append(s, conceptset.Concept{ID: 4*(i%3) + a, Weight: .7 + .3*rng.Float64()})
			}
		}
		objects = append(objects, s)
	}
	objects[7] = nil
	for seed := range uint64(10) {
		tree, err := Build(context.Background(), objects, seed, nil)
		if err != nil {
			t.Fatal(err)
		}
		cluster := tree.Partition(len(objects))
		if cluster[7] != Outside || cluster[0] != 0 || cluster[1] != 1 || cluster[2] != 2 {
			t.Fatalf("seed %d: clusters %v", seed, cluster[:8])
		}
		for i, c := range cluster {
			if c != i%3 && i != 7 {
				t.Errorf("seed %d: object %d is in cluster %d", seed, i, c)
			}
		}
	}
}

func TestBuild(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 16))
	var objects []conceptset.Set
	for range 80 {
		objects = append(objects, randomObject(rng, true))
	}
	told := 0
	first, err := Build(context.Background(), objects, 5, func(done, of int) {
		if told++; done != told || of != len(objects) {
			t.Errorf("%d of %d after %d", done, of, told-1)
		}
	})
	again, _ := Build(context.Background(), objects, 5, nil)
	other, _ := Build(context.Background(), objects, 6, nil)
	if err != nil || told != len(objects) || !reflect.DeepEqual(first, again) {
		t.Errorf("the same seed gives another tree, %v", err)
	}
	if show(first.root) == show(other.root) {
		t.Error("the seed does not change the order")
	}
	before := first.root.Count()
	objects = append(objects, letters("abl"))
	first.Add(len(objects)-1, objects[len(objects)-1])
	if check(t, first.root, objects); first.root.Count() != before+1 {
		t.Errorf("%d objects after %d and one more", first.root.Count(), before)
	}
	ctx, cancel := context.WithCancel(context.Background())
	tree, err := Build(ctx, objects, 5, func(done, of int) {
		if done == 10 {
			cancel()
		}
		if done > 10 {
			t.Error("it goes on")
		}
	})
	if !errors.Is(err, context.Canceled) || tree != nil {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPartition(t *testing.T) {
	empty := &Tree{}
	if got := empty.Partition(2); !slices.Equal(got, []int{Outside, Outside}) || empty.Root() != nil {
		t.Errorf("of nothing: %v", got)
	}
	tree := &Tree{}
	tree.Add(2, letters("ab"))
	tree.Add(1, letters("ab"))
	if got := tree.Partition(3); !slices.Equal(got, []int{Outside, 0, 0}) || tree.Root().Utility(4) != 0 {
		t.Errorf("of a leaf: %v", got)
	}
	tree.Add(0, letters("cd"))
	tree.Add(5, letters("cd"))
	if got := tree.Partition(3); !slices.Equal(got, []int{0, 1, 1}) {
		t.Errorf("of two leaves: %v", got)
	}
}

// Many equal objects, and a chain of objects that each have one attribute more, are no trouble.
func TestManyEqualObjects(t *testing.T) {
	tree := &Tree{}
	var objects []conceptset.Set
	for i := range 3000 {
		objects = append(objects, letters([]string{"ab", "abc", "l"}[i%3]))
		tree.Add(i, objects[i])
	}
	check(t, tree.root, objects)
	leaves, todo := 0, []*Node{tree.root}
	for len(todo) > 0 {
		n := todo[0]
		if todo = append(todo[1:], n.children...); len(n.children) == 0 {
			leaves++
		}
	}
	if leaves != 3 {
		t.Errorf("%d leaves", leaves)
	}
}

// 4,000 pages with about thirty of 177 concepts and concepts above them.
func BenchmarkBuild(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 16))
	objects := make([]conceptset.Set, 4000)
	for i := range objects {
		var list []conceptset.Concept
		for _, id := range rng.Perm(177)[:30] {
			list = append(list, conceptset.Concept{ID: id, Weight: 1 - rng.Float64()})
		}
		objects[i], _ = conceptset.New(list)
	}
	for b.Loop() {
		if _, err := Build(context.Background(), objects, 1, nil); err != nil {
			b.Fatal(err)
		}
	}
}
