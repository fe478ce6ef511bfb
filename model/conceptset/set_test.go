package conceptset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/model/ontology"
)

// randomTree makes an ontology of n terms with some depth. The key of a term is not its number.
func randomTree(rng *rand.Rand, n int) *ontology.Tree {
	items := []ontology.Item{{Key: "0", Labels: []string{"0"}}}
	for i := 1; i < n; i++ {
		key := fmt.Sprint(i)
		parent := fmt.Sprint(rng.IntN(max(1, min(i, n/4))))
		items = append(items, ontology.Item{Key: key, Labels: []string{key}, Parents: []string{parent}})
	}
	tree, _, err := ontology.Build(items)
	if err != nil {
		panic(err)
	}
	return tree
}

// randomSet makes a set of 1 to most concepts. Few different weights make many ties.
func randomSet(rng *rand.Rand, concepts, most int) Set {
	var list []Concept
	for _, id := range rng.Perm(concepts)[:1+rng.IntN(most)] {
		weight := 1 - rng.Float64()
		if rng.IntN(2) == 0 {
			weight = float64(1+rng.IntN(10)) / 10
		}
		list = append(list, Concept{id, weight})
	}
	return mustNew(list...)
}

func mustNew(concepts ...Concept) Set {
	s, err := New(concepts)
	if err != nil {
		panic(err)
	}
	return s
}

func TestNew(t *testing.T) {
	got, err := New([]Concept{{5, .5}, {2, 1}, {9, 0}, {-3, .1}})
	if want := (Set{{-3, .1}, {2, 1}, {5, .5}}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, bad := range [][]Concept{{{1, -.1}}, {{1, 1.1}}, {{1, math.NaN()}}, {{1, .5}, {2, 1}, {1, .5}}} {
		if got, err := New(bad); err == nil || got != nil {
			t.Errorf("%v makes %v", bad, got)
		}
	}
}

// The tree music(instrument(string instrument(guitar, violin), wind instrument(flute)), genre(jazz, opera)), and values
// computed apart from this code.
func TestSimilarityOfMusic(t *testing.T) {
	terms := "music instrument string guitar violin wind flute genre jazz opera"
	parents := "- music instrument string string instrument wind music genre genre"
	var items []ontology.Item
	for i, key := range strings.Fields(terms) {
		item := ontology.Item{Key: key, Labels: []string{key}}
		if p := strings.Fields(parents)[i]; p != "-" {
			item.Parents = []string{p}
		}
		items = append(items, item)
	}
	tree, faults, err := ontology.Build(items)
	if err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	of := func(name string, weight float64) Concept {
		i, ok := tree.ByKey(name)
		if !ok {
			t.Fatalf("no term %q", name)
		}
		return Concept{i, weight}
	}
	a, b, e := mustNew(of("guitar", 1), of("flute", .5)), mustNew(of("violin", .8), of("jazz", .4)), mustNew(of("string", 1))
	for _, tt := range []struct {
		a, b Set
		want float64
	}{{a, b, .5746220020855057}, {a, e, .7959183673469388}, {b, e, .7425595238095237}, {a, a, 1}} {
		if got := Similarity(tt.a, tt.b, tree.Similarity); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("ζ(%v, %v) = %.17g, want %.17g", tt.a, tt.b, got, tt.want)
		}
	}
}

// printed is ζ as it is printed, with the tie rule.
func printed(a, b Set, s Func) float64 {
	half := func(a, b Set) float64 {
		sum, k := 0.0, 0.0
		for _, x := range a {
			most := 0.0
			for _, y := range b {
				most = max(most, (x.Weight+y.Weight)/(2*max(x.Weight, y.Weight))*s(x.ID, y.ID))
			}
			largest := 0.0
			for _, y := range b {
				lambda := (x.Weight + y.Weight) / (2 * max(x.Weight, y.Weight))
				if math.Abs(lambda*s(x.ID, y.ID)-most) < 1e-10 {
					largest = max(largest, lambda)
				}
			}
			sum, k = sum+most, k+largest
		}
		return sum / k
	}
	return (half(a, b) + half(b, a)) / 2
}

func TestProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 16))
	const tolerance = 1e-12
	for n := range 20_000 {
		tree := randomTree(rng, 12+n%40)
		a, b := randomSet(rng, tree.Len(), 8), randomSet(rng, tree.Len(), 8)
		got := Similarity(a, b, tree.Similarity)
		if want := printed(a, b, tree.Similarity); math.Abs(got-want) > tolerance {
			t.Fatalf("ζ(%v, %v) = %v, as printed %v", a, b, got, want)
		}
		if other := Similarity(b, a, tree.Similarity); math.Abs(other-got) > tolerance {
			t.Fatalf("ζ(%v, %v) = %v, the other way round %v", a, b, got, other)
		}
		if self := Similarity(a, a, tree.Similarity); self != 1 {
			t.Fatalf("ζ(%v, itself) = %v", a, self)
		}
		smallest, largest := 1.0, 0.0
		for _, x := range a {
			for _, y := range b {
				smallest, largest = min(smallest, tree.Similarity(x.ID, y.ID)), max(largest, tree.Similarity(x.ID, y.ID))
			}
		}
		if got < smallest-tolerance || got > largest+tolerance || got > 1 {
			t.Fatalf("ζ(%v, %v) = %v outside of [%v, %v]", a, b, got, smallest, largest)
		}
		checkSameValue(t, rng, a, b, tree.Similarity, got)
	}
}

// checkSameValue: order, zero weights and a factor of all weights change nothing.
func checkSameValue(t *testing.T, rng *rand.Rand, a, b Set, s Func, want float64) {
	t.Helper()
	factor := .1 + .9*rng.Float64()
	changed := func(set Set, factor float64) Set {
		list := []Concept{{1000, 0}}
		for _, i := range rng.Perm(len(set)) {
			list = append(list, Concept{set[i].ID, set[i].Weight * factor})
		}
		return mustNew(list...)
	}
	if got := Similarity(changed(a, 1), changed(b, 1), s); got != want {
		t.Fatalf("ζ(%v, %v) = %v, in another order %v", a, b, want, got)
	}
	if got := Similarity(changed(a, factor), changed(b, factor), s); math.Abs(got-want) > 1e-11 {
		t.Fatalf("ζ(%v, %v) = %v, with all weights times %v %v", a, b, want, factor, got)
	}
}

func TestEmptySets(t *testing.T) {
	same := func(int, int) float64 { return 1 }
	for _, pair := range [][2]Set{{nil, nil}, {nil, {{1, 1}}}, {{{1, 1}}, nil}} {
		if got := Similarity(pair[0], pair[1], same); got != 0 {
			t.Errorf("ζ(%v, %v) = %v", pair[0], pair[1], got)
		}
	}
}

// A tie in which the two λ differ: λ S is .75·.8 and .6·1 for the first concept of a.
func TestTieTakesTheLargestLambda(t *testing.T) {
	s := func(i, j int) float64 {
		switch {
		case i == j:
			return 1
		case i+j == 12: // concepts 1 and 11
			return .8
		case i+j == 13: // concepts 1 and 12
			return 1
		}
		return 0
	}
	a, b := mustNew(Concept{1, 1}), mustNew(Concept{11, .5}, Concept{12, .2})
	// ½[.6/.75 + (.6+.6)/(.75+.6)]
	if got, want := Similarity(a, b, s), (.6/.75+1.2/1.35)/2; math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, want %v", got, want)
	}
}

// What the package comment says of weights: they do not count for sets of the same concepts, if these are unlike each other.
func TestWeightsCountLittle(t *testing.T) {
	for _, tt := range []struct{ between, want float64 }{{.5, 1}, {.9, .9}} {
		s := func(i, j int) float64 {
			if i == j {
				return 1
			}
			return tt.between
		}
		got := Similarity(mustNew(Concept{1, 1}, Concept{2, .1}), mustNew(Concept{1, .1}, Concept{2, 1}), s)
		if math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("S = %v between them: %v, want %v", tt.between, got, tt.want)
		}
	}
}

// The share of broken triangles that the package comment tells.
func TestTriangles(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 16))
	tree := randomTree(rng, 40)
	broken := 0
	const triples = 20_000
	for range triples {
		var d []float64
		sets := []Set{randomSet(rng, 40, 5), randomSet(rng, 40, 5), randomSet(rng, 40, 5)}
		for k := range sets {
			d = append(d, 1-Similarity(sets[k], sets[(k+1)%3], tree.Similarity))
		}
		slices.Sort(d)
		if d[2] > d[0]+d[1]+1e-9 {
			broken++
		}
	}
	if share := float64(broken) / triples; math.Abs(share-.0333) > .001 {
		t.Errorf("%.4f of the triples are broken", share)
	}
}
