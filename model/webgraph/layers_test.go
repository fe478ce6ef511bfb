package webgraph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestLayers(t *testing.T) {
	tests := []struct {
		name   string
		n      int
		edges  [][2]int
		target []int
		states int
		want   []int
	}{
		{"chain", 5, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}}, []int{4}, 4, []int{3, 3, 2, 1, 0}},
		{"against the links only", 3, [][2]int{{1, 0}, {1, 2}}, []int{1}, 4, []int{3, 0, 3}},
		{"the nearest target counts", 4, [][2]int{{0, 1}, {0, 2}, {2, 3}}, []int{1, 3}, 4, []int{1, 0, 1, 0}},
		{"a circle", 3, [][2]int{{0, 1}, {1, 2}, {2, 0}}, []int{2}, 4, []int{2, 1, 0}},
		{"two states", 3, [][2]int{{0, 1}, {1, 2}}, []int{2}, 2, []int{1, 1, 0}},
		{"no target", 2, [][2]int{{0, 1}}, nil, 4, []int{3, 3}},
		{"no pages", 0, nil, nil, 4, []int{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target := make([]bool, tt.n)
			for _, i := range tt.target {
				target[i] = true
			}
			if got := Layers(tt.n, tt.edges, target, tt.states); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestLayersProperties compares with distances by repeated relaxation over random graphs, and holds the definition:
// layer(p) = min(n-1, 1 + least layer of p's links) unless p is a target.
func TestLayersProperties(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n, states := 1+rng.IntN(20), 2+rng.IntN(6)
		var edges [][2]int
		for range rng.IntN(3 * n) {
			if u, v := rng.IntN(n), rng.IntN(n); u != v {
				edges = append(edges, [2]int{u, v})
			}
		}
		target := make([]bool, n)
		for i := range target {
			target[i] = rng.IntN(5) == 0
		}
		got := Layers(n, edges, target, states)
		if want := relaxed(n, edges, target, states); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v, want %v (edges %v, targets %v)", seed, got, want, edges, target)
		}
		least := slices.Repeat([]int{states - 1}, n)
		for _, e := range edges {
			least[e[0]] = min(least[e[0]], 1+got[e[1]])
		}
		for i, l := range got {
			if target[i] && l != 0 || !target[i] && l != least[i] {
				t.Fatalf("seed %d: page %d has layer %d, its links say %d", seed, i, l, least[i])
			}
		}
	}
}

// relaxed is Bellman-Ford, which shares nothing with a breadth-first search.
func relaxed(n int, edges [][2]int, target []bool, states int) []int {
	const far = 1 << 30
	d := make([]int, n)
	for i := range d {
		if !target[i] {
			d[i] = far
		}
	}
	for range n {
		for _, e := range edges {
			d[e[0]] = min(d[e[0]], d[e[1]]+1)
		}
	}
	for i := range d {
		d[i] = min(d[i], states-1)
	}
	return d
}

// TestBuildProperties holds over random loads, frames in circles among them, what is true of every graph.
func TestBuildProperties(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		name := func() string { return fmt.Sprintf("p%d", rng.IntN(12)) }
		var loads []Load
		for i := range 1 + rng.IntN(25) {
			l := loadOf(name(), name(), name(), name())
			l.ID = fmt.Sprint(i)
			if rng.IntN(3) == 0 {
				l.From = fmt.Sprint(rng.IntN(25))
			}
			if rng.IntN(4) == 0 {
				l.Parent, l.Kind = fmt.Sprint(rng.IntN(25)), []string{Frame, Iframe}[rng.IntN(2)]
			}
			if rng.IntN(4) == 0 {
				l.Aliases = []string{site(name())}
			}
			loads = append(loads, l)
		}
		g := Build(loads)
		urls := map[string]bool{}
		for _, p := range g.Pages {
			if urls[p.URL] {
				t.Fatalf("seed %d: %s is two pages", seed, p.URL)
			}
			urls[p.URL] = true
			if len(p.Loads) == 0 {
				t.Fatalf("seed %d: %s was never loaded", seed, p.URL)
			}
		}
		for i, e := range g.Edges {
			if e[0] == e[1] || max(e[0], e[1]) >= len(g.Pages) || min(e[0], e[1]) < 0 {
				t.Fatalf("seed %d: edge %v is a loop or out of range", seed, e)
			}
			if i > 0 && slices.Compare(g.Edges[i-1][:], e[:]) >= 0 {
				t.Fatalf("seed %d: edges %v and %v are out of order or the same", seed, g.Edges[i-1], e)
			}
		}
		if again := Build(loads); summary(again) != summary(g) {
			t.Fatalf("seed %d: built twice, %s and %s", seed, summary(g), summary(again))
		}
	}
}
