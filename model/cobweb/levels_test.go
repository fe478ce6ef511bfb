package cobweb

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"nightjar/model/conceptset"
)

// Levels of trees that are put together by hand.
func TestLevelsByHand(t *testing.T) {
	empty := &Tree{}
	if got, want := empty.Levels(2, 9), []Level{{Depth: 1, Cluster: []int{Outside, Outside}, Sizes: []int{}}}; !reflect.DeepEqual(got, want) || empty.root != nil {
		t.Errorf("of nothing: %v", got)
	}
	tree := &Tree{}
	tree.Add(2, letters("ab"))
	if got := tree.Levels(3, 9); len(got) != 1 || !slices.Equal(got[0].Cluster, []int{Outside, Outside, Outside}) {
		t.Errorf("of one object: %v", got)
	}
	tree.Add(1, letters("ab"))
	if got := tree.Levels(3, 9); len(got) != 1 || !slices.Equal(got[0].Cluster, []int{Outside, 0, 0}) {
		t.Errorf("of a leaf: %v", got)
	}
	tree.Add(0, letters("cd"))
	tree.Add(5, letters("cd")) // beyond the objects that are asked for
	if got := tree.Levels(3, 9); len(got) != 1 || !slices.Equal(got[0].Cluster, []int{0, 1, 1}) || !slices.Equal(got[0].Sizes, []int{2, 2}) {
		t.Errorf("of two leaves: %v", got)
	}
	single := func(i int, word string) *node { return leaf(object{number: i, values: letters(word)}) }
	pair := leaf(object{number: 0, values: letters("a")})
	pair.objects, pair.count = []int{0, 4}, 2
	deep := merge(merge(single(1, "b"), single(2, "bc")), single(3, "bd"))
	tree = &Tree{root: merge(pair, deep)}
	want := []Level{
		{Depth: 2, Cluster: []int{0, 1, 1, Outside, 0}, Sizes: []int{2, 2}, Parent: []int{0, 1}},
		{Depth: 1, Cluster: []int{0, 1, 1, 1, 0}, Sizes: []int{2, 3}},
	}
	// At depth 3 and below there is only the leaf of two objects, which is the tree's end.
	if got := tree.Levels(5, 9); !reflect.DeepEqual(got[1:], want) || got[0].Depth != 3 || !slices.Equal(got[0].Cluster, []int{0, Outside, Outside, Outside, 0}) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := tree.Levels(5, 2); !reflect.DeepEqual(got, want) {
		t.Errorf("the first two: %v, want %v", got, want)
	}
}

// paths gives each object the nodes from the root down to its leaf.
func paths(n *node, above []*node, into map[int][]*node) {
	above = append(slices.Clone(above), n)
	for _, c := range n.children {
		paths(c, above, into)
	}
	for _, i := range n.objects {
		into[i] = above
	}
}

// Levels of random trees are those that the way from the root to each object gives.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 16))
	deepest := 0
	for range 40 {
		var objects []conceptset.Set
		for range 1 + rng.IntN(60) {
			objects = append(objects, randomObject(rng, rng.IntN(2) == 0))
		}
		tree, err := Build(context.Background(), objects, rng.Uint64(), nil)
		if err != nil {
			t.Fatal(err)
		}
		way := map[int][]*node{}
		if tree.root != nil {
			paths(tree.root, nil, way)
		}
		levels := tree.Levels(len(objects), 100)
		deepest = max(deepest, len(levels))
		for k, l := range levels {
			if l.Depth != len(levels)-k || (l.Parent == nil) != (l.Depth == 1) {
				t.Fatalf("level %d of %d is %+v", k, len(levels), l)
			}
			number := map[*node]int{} // of nodes with two objects or more, by their first object
			for i := range objects {
				want := Outside
				if w := way[i]; w != nil {
					node := w[min(l.Depth, len(w)-1)]
					if c, ok := number[node]; ok {
						want = c
					} else if node.count > 1 {
						want = len(number)
						number[node] = want
					}
				}
				if l.Cluster[i] != want {
					t.Fatalf("depth %d: object %d is in cluster %d, want %d", l.Depth, i, l.Cluster[i], want)
				}
				if want != Outside && l.Parent != nil && levels[k+1].Cluster[i] != l.Parent[want] {
					t.Fatalf("depth %d: cluster %d is not in %d", l.Depth, want, l.Parent[want])
				}
			}
			for node, c := range number {
				if l.Sizes[c] != node.count {
					t.Fatalf("depth %d: cluster %d has %d objects, want %d", l.Depth, c, l.Sizes[c], node.count)
				}
			}
			if len(l.Sizes) != len(number) || len(number) == 0 && l.Depth > 1 {
				t.Fatalf("depth %d: %d clusters, want %d", l.Depth, len(l.Sizes), len(number))
			}
		}
	}
	if deepest < 5 {
		t.Errorf("the deepest tree has %d levels", deepest)
	}
}

func TestDefault(t *testing.T) {
	of := func(grouped ...int) (levels []Level) { // from depth 1 on
		for i, n := range grouped {
			levels = append(levels, Level{Depth: i + 1, Sizes: []int{n}})
		}
		slices.Reverse(levels)
		return levels
	}
	for _, tt := range []struct {
		levels []Level
		depth  int
	}{
		{of(100, 90, 70, 60), 3},
		{of(100, 90, 50, 60), 3},
		{of(100, 90, 49), 2},
		{of(100, 49, 10), 1},
		{of(100, 100), 2},
		{of(100), 1},
		{of(0), 1},
	} {
		if got := tt.levels[Default(tt.levels)].Depth; got != tt.depth {
			t.Errorf("%+v: depth %d, want %d", tt.levels, got, tt.depth)
		}
	}
	if got := Default(nil); got != 0 {
		t.Errorf("without levels: %d", got)
	}
}
