package contextgraph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

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
		for i := range n {
			least := far
			for j := range n {
				if target[j] {
					least = min(least, way[i][j])
				}
			}
			if least <= depth {
				want[least] = append(want[least], i)
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
