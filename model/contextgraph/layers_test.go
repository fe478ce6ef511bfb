package contextgraph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSharedParentCountsTwice: page 2 leads to both targets, page 3 to the first alone, and the second target to the first.
func TestSharedParentCountsTwice(t *testing.T) {
	edges, target := [][2]int{{2, 0}, {2, 1}, {3, 0}, {1, 0}}, []bool{true, true, false, false}
	got := Layers(edges, target, 2, 10, rand.New(rand.NewPCG(1, 9)))
	for l, want := range [][]int{{0, 1}, {1, 2, 2, 3}, nil} { // 2 leads to 0 through 1, too, but not on a shortest way
		if !slices.Equal(got[l], want) {
			t.Errorf("layer %d is %v, want %v", l, got[l], want)
		}
	}
	word := func(w int32) Document { return Document{Index: []int32{w}, Count: []int32{1}} }
	m := Learn(Graph{Pages: []Document{word(0), word(0), word(1), word(2)}, Edges: edges[:3], Target: target, Reference: []Document{{}}}, 3, Defaults())
	// Layer 1 has the words 1, 1 and 2, of the vocabulary of three: (1+2)/(3+3) and (1+1)/(3+3).
	if a, b := math.Exp(m.logWord[1][1]), math.Exp(m.logWord[1][2]); math.Abs(a-.5) > 1e-12 || math.Abs(b-1./3) > 1e-12 {
		t.Errorf("P(1) is %v and P(2) %v", a, b)
	}
}

// TestLayersAreDistances compares the layers of random graphs, none cut, with the distances that Floyd and Warshall's
// algorithm finds.
func TestLayersAreDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	for range 100 {
		n := 1 + rng.IntN(25)
		target := make([]bool, n)
		for i := range target {
			target[i] = rng.IntN(5) == 0
		}
		const far = 1 << 20
		way := make([][]int, n)
		for i := range way {
			way[i] = slices.Repeat([]int{far}, n)
			way[i][i] = 0
		}
		var edges [][2]int
		for range rng.IntN(3 * n) {
			u, v := rng.IntN(n), rng.IntN(n)
			edges = append(edges, [2]int{u, v})
			way[u][v] = min(way[u][v], 1)
		}
		for k := range n {
			for i := range n {
				for j := range n {
					way[i][j] = min(way[i][j], way[i][k]+way[k][j])
				}
			}
		}
		depth := 1 + rng.IntN(4)
		want := make([][]int, depth+1)
		for i := range n { // once for each target
			for j := range n {
				if target[j] && way[i][j] <= depth {
					want[way[i][j]] = append(want[way[i][j]], i)
				}
			}
		}
		got := Layers(edges, target, depth, n, rng)
		for l := range want {
			if !slices.Equal(got[l], want[l]) {
				t.Fatalf("layers %v, want %v", got, want)
			}
		}
	}
}

// TestLayersAreSampled: a full layer is cut at random, by the seed alone, and only parents of what stays come after it.
func TestLayersAreSampled(t *testing.T) {
	const hubs, most = 100, 10
	target := make([]bool, 1+2*hubs)
	target[0] = true
	var edges [][2]int
	for h := 1; h <= hubs; h++ {
		edges = append(edges, [2]int{h, 0}, [2]int{hubs + h, h})
	}
	count := make([]int, hubs+1)
	for seed := range uint64(200) {
		a := Layers(edges, target, 4, most, rand.New(rand.NewPCG(seed, 0)))
		b := Layers(edges, target, 4, most, rand.New(rand.NewPCG(seed, 0)))
		if !slices.EqualFunc(a, b, slices.Equal) {
			t.Fatalf("seed %d gives %v and %v", seed, a, b)
		}
		if len(a[1]) != most || len(a[2]) != most || len(a[3])+len(a[4]) != 0 {
			t.Fatalf("layers %v", a)
		}
		for k, h := range a[1] {
			if count[h]++; a[2][k] != h+hubs {
				t.Fatalf("layer 2 is %v, that before it %v", a[2], a[1])
			}
		}
	}
	for h, c := range count[1:] { // binomial with mean 20 and standard deviation 4.2
		if c < 1 || c > 45 {
			t.Errorf("page %d was kept %d times of 200", h, c)
		}
	}
}
