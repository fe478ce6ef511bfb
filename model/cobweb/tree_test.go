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
func show(n *node) string {
	if len(n.children) == 0 {
		var names []string
		for _, i := range n.members() {
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
	got := nodeUtility(grow("ab", "cd", "a").root, 4)
	if want := (2/3.*3.5 + 1/3.*4 - 20/9.) / 2 / 4; math.Abs(got-want) > 1e-15 {
		t.Errorf("CU = %v, want %v", got, want)
	}
}

// inner makes an inner node of nodes, or of a word a leaf.
func inner(parts ...any) *node {
	var n *node
	for _, p := range parts {
		c, ok := p.(*node)
		if !ok {
			w := letters(p.(string))
			c = leaf(object{values: w})
		}
		if n == nil {
			n = &node{}
		}
		sums := merge(n, c)
		n = &node{count: sums.count, sums: sums.sums, squares: sums.squares, children: append(n.children, c)}
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
		n    *node
		word string
		want decision
	}{
		{inner("ab", "cd"), "a", decision{into, 0, 1}},
		{inner("cd", "ab"), "a", decision{into, 1, 0}},
		{inner("ab", "cd"), "e", decision{alone, 0, 1}},
		// Q = 13/4. Into ab: (5/2+2+2-Q)/3 = 1.083; alone: (6+1-Q)/4 = .938; ab and ac merged: (11/3+2-Q)/2 = 1.208.
		{inner("ab", "ac", "de"), "a", decision{join, 0, 1}},
		// Q = 11/4. Into {ab, cd}: (10/3+1-Q)/2 = .792; alone: (2+1+2-Q)/3 = .75; split, then into ab: (4+2+1-Q)/3 = 1.417.
		{inner(inner("ab", "cd"), "e"), "ab", decision{split, 0, 1}},
	} {
		if got := tt.n.decide(asObject(letters(tt.word))); got != tt.want {
			t.Errorf("%s into %v: %v, want %v", tt.word, tt.n.sums, got, tt.want)
		}
	}
	for _, tt := range []struct {
		n    *node
		word string
		want string
	}{
		{inner("ab", "ac", "de"), "a", "((0 0 99) 0)"},
		{inner(inner("ab", "cd"), "e"), "ab", "(0 0 0+99)"},
	} {
		tree := &Tree{root: tt.n}
		tree.Add(99, letters(tt.word))
		if got := show(tree.root); got != tt.want {
			t.Errorf("%s is put at %s, want %s", tt.word, got, tt.want)
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
		cluster := tree.Levels(len(objects), 1)[0].Cluster
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
	before := first.root.count
	objects = append(objects, letters("abl"))
	first.Add(len(objects)-1, objects[len(objects)-1])
	if check(t, first.root, objects); first.root.count != before+1 {
		t.Errorf("%d objects after %d and one more", first.root.count, before)
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

// Many equal objects share leaves and do not make long chains.
func TestManyEqualObjects(t *testing.T) {
	tree := &Tree{}
	var objects []conceptset.Set
	for i := range 3000 {
		objects = append(objects, letters([]string{"ab", "abc", "l"}[i%3]))
		tree.Add(i, objects[i])
	}
	check(t, tree.root, objects)
	leaves, todo := 0, []*node{tree.root}
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
