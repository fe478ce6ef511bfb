package ontology

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// music is the tree of [THESUS]' examples.
//
//	0 music
//	1   instrument
//	2     string instrument
//	3       guitar
//	4       violin
//	5     wind instrument
//	6       flute
//	7   genre
//	8     jazz
//	9     opera
var music = []Item{
	item("music", ""), item("instrument", "music"), item("string instrument", "instrument"),
	item("guitar", "string instrument"), item("violin", "string instrument"),
	item("wind instrument", "instrument"), item("flute", "wind instrument"),
	item("genre", "music"), item("jazz", "genre"), item("opera", "genre"),
}

func item(name, parent string) Item {
	i := Item{Key: name, Labels: []string{name}}
	if parent != "" {
		i.Parents = []string{parent}
	}
	return i
}

func mustBuild(tb testing.TB, items []Item) *Tree {
	tb.Helper()
	t, repaired, err := Build(items)
	if err != nil || len(repaired) > 0 {
		tb.Fatalf("faults %v, error %v", repaired, err)
	}
	return t
}

// randomItems lists the terms of a random tree in random order.
func randomItems(rng *rand.Rand, n int) []Item {
	items := make([]Item, n)
	for i := range items {
		parent := ""
		if i > 0 {
			parent = fmt.Sprint(rng.IntN(i))
			if rng.IntN(2) == 0 { // deeper trees
				parent = fmt.Sprint(i - 1)
			}
		}
		items[i] = item(fmt.Sprint(i), parent)
	}
	rng.Shuffle(n, func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

func TestSimilarityOfMusic(t *testing.T) {
	tree := mustBuild(t, music)
	for _, tt := range []struct {
		a, b string
		want float64
	}{
		{"music", "music", 1}, {"guitar", "guitar", 1},
		{"guitar", "violin", 2 * 3 / 8.}, {"guitar", "flute", 2 * 2 / 8.}, {"guitar", "jazz", 2 * 1 / 7.},
		{"guitar", "string instrument", 2 * 3 / 7.}, {"guitar", "music", 2 / 5.}, {"genre", "instrument", 2 / 4.},
		{"flute", "wind instrument", 2 * 3 / 7.}, {"jazz", "opera", 2 * 2 / 6.},
	} {
		a, _ := tree.ByKey(tt.a)
		b, ok := tree.ByKey(tt.b)
		if got := tree.Similarity(a, b); !ok || got != tt.want || tree.Similarity(b, a) != got {
			t.Errorf("S(%s, %s) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
	if got := tree.String(); got != "10 terms, 4 levels" {
		t.Error(got)
	}
}

// The definition, by walking up.
func walkedSimilarity(t *Tree, i, j int) (s float64, lcs int) {
	above := t.Above(j)
	for _, a := range t.Above(i) {
		if slices.Contains(above, a) {
			return 2 * float64(len(t.Above(a))) / float64(len(t.Above(i))+len(above)), a
		}
	}
	return 0, None
}

func TestTreeAgainstWalks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 16))
	for n := 1; n <= 70; n++ {
		items := randomItems(rng, n)
		tree := mustBuild(t, items)
		if tree.Len() != n || len(tree.Terms()) != n || tree.Term(0).Parent != None || tree.Depth(0) != 1 {
			t.Fatalf("%d terms: %v", n, tree.Terms())
		}
		for _, it := range items {
			i, ok := tree.ByKey(it.Key)
			parent := ""
			if p := tree.Term(i).Parent; p != None {
				parent = tree.Term(p).Key
			}
			if !ok || tree.Label(i) != it.Key || parent != append(it.Parents, "")[0] {
				t.Fatalf("term %q is below %q: %v", it.Key, parent, it)
			}
		}
		for i := range n {
			if got := len(tree.Above(i)); got != tree.Depth(i) {
				t.Fatalf("%d terms above term %d of depth %d", got, i, tree.Depth(i))
			}
			from, end := tree.Below(i)
			for j := range n {
				checkPair(t, tree, i, j)
				if below := slices.Contains(tree.Above(j), i); below != (j >= from && j < end) {
					t.Fatalf("term %d below %d: %v, range %d-%d", j, i, below, from, end)
				}
				if child := tree.Term(j).Parent == i; child != slices.Contains(tree.Children(i), j) {
					t.Fatalf("term %d is a child of %d: %v", j, i, child)
				}
			}
		}
		checkCommon(t, tree, rng)
	}
}

func checkPair(t *testing.T, tree *Tree, i, j int) {
	t.Helper()
	want, lcs := walkedSimilarity(tree, i, j)
	got := tree.Similarity(i, j)
	if got != want || got != tree.Similarity(j, i) || (got == 1) != (i == j) || tree.Common(i, j) != lcs {
		t.Fatalf("S(%d, %d) = %v, want %v", i, j, got, want)
	}
}

func checkCommon(t *testing.T, tree *Tree, rng *rand.Rand) {
	t.Helper()
	terms := []int{rng.IntN(tree.Len())}
	want := terms[0]
	for range 3 {
		terms = append(terms, rng.IntN(tree.Len()))
		_, want = walkedSimilarity(tree, want, terms[len(terms)-1])
	}
	if got := tree.Common(terms...); got != want {
		t.Fatalf("%v have %d in common, want %d", terms, got, want)
	}
	for depth := range 6 {
		got := tree.Ancestor(terms[0], depth)
		if d := max(1, min(depth, tree.Depth(terms[0]))); tree.Depth(got) != d || !slices.Contains(tree.Above(terms[0]), got) {
			t.Fatalf("ancestor of %d at depth %d: %d", terms[0], depth, got)
		}
	}
}

func TestSiblingsKeepTheirOrder(t *testing.T) {
	tree := mustBuild(t, []Item{item("c", "b"), item("z", "r"), item("a", "b"), item("r", ""), item("b", "r")})
	var got []string
	for _, term := range tree.Terms() {
		got = append(got, term.Key)
	}
	if want := []string{"r", "z", "b", "c", "a"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkSimilarity(b *testing.B) {
	tree := mustBuild(b, randomItems(rand.New(rand.NewPCG(2, 16)), MaxTerms))
	i := 0
	for b.Loop() {
		i = (i + 7919) % MaxTerms
		tree.Similarity(i, MaxTerms-1-i)
	}
}

func BenchmarkBuild(b *testing.B) {
	items := randomItems(rand.New(rand.NewPCG(3, 16)), MaxTerms)
	for b.Loop() {
		mustBuild(b, items)
	}
}
