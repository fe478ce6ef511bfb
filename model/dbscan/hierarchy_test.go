package dbscan

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

func TestHierarchy(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 16))
	clusters := 0
	for n := range 50 {
		near := pairwise(n, similarities(rng, n))
		minSims, minDocs := MinSims(), 1+rng.IntN(3)
		told := 0
		levels, err := Hierarchy(context.Background(), n, near, minSims, minDocs, func(done, of int) {
			if told++; done != told || of != 10 {
				t.Errorf("%d of %d after %d", done, of, told-1)
			}
		})
		if err != nil || len(levels) != len(minSims) || told != len(minSims) {
			t.Fatalf("%d levels, %v", len(levels), err)
		}
		for k, level := range levels {
			if level.MinSim != minSims[k] || len(level.Core) != n {
				t.Fatalf("level %d has MinSim %v", k, level.MinSim)
			}
			if k == len(levels)-1 {
				if level.Parent != nil {
					t.Errorf("the last level has parents %v", level.Parent)
				}
				break
			}
			next := levels[k+1]
			if len(level.Parent) != len(level.Sizes) {
				t.Fatalf("%d parents of %d clusters", len(level.Parent), len(level.Sizes))
			}
			clusters += len(level.Parent)
			for i, c := range level.Cluster {
				if level.Core[i] && (!next.Core[i] || next.Cluster[i] != level.Parent[c]) {
					t.Fatalf("core %d of cluster %d is in cluster %d below, whose parent is %d", i, c, next.Cluster[i], level.Parent[c])
				}
				if c != Noise && next.Cluster[i] == Noise {
					t.Fatalf("object %d leaves its cluster when the similarity falls", i)
				}
			}
		}
	}
	if clusters < 100 {
		t.Errorf("only %d clusters", clusters)
	}
}

func TestHierarchyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	near := pairwise(5, func(i, j int) float64 { return 1 })
	levels, err := Hierarchy(ctx, 5, near, MinSims(), 1, func(done, of int) {
		if done == 3 {
			cancel()
		}
		if done > 3 {
			t.Errorf("level %d is begun", done)
		}
	})
	if !errors.Is(err, context.Canceled) || levels != nil {
		t.Errorf("%v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("similarities that rise are taken")
		}
	}()
	Hierarchy(context.Background(), 5, near, []float64{.5, .5}, 1, nil)
}

func TestDefault(t *testing.T) {
	of := func(sizes ...int) Level { return Level{Clustering: Clustering{Sizes: sizes}} }
	for _, tt := range []struct {
		levels []Level
		want   int
	}{
		{nil, 0},
		{[]Level{of(), of()}, 0},
		{[]Level{of(), of(2, 2, 2), of(4, 3, 3), of(9, 3), of(20)}, 2}, // exactly 40 %
		{[]Level{of(), of(2, 2, 2), of(5, 3, 3), of(9, 3), of(20)}, 1},
		{[]Level{of(2, 2, 2), of(2, 2, 1, 1), of(6)}, 0}, // equal: the first
		{[]Level{of(), of(9), of(6, 5), of(20)}, 2},      // none is at most 40 %
		{[]Level{of(), of(2), of(4, 4), of(6, 6), of(20)}, 3},
		{[]Level{of(), of(2), of(3), of(7)}, 3},
	} {
		if got := Default(tt.levels); got != tt.want {
			t.Errorf("%v: level %d, want %d", tt.levels, got, tt.want)
		}
	}
}

// A hierarchy of 4,000 objects, whose similarities are bytes as those of pages are.
func BenchmarkHierarchy(b *testing.B) {
	const n = 4000
	rng := rand.New(rand.NewPCG(3, 16))
	lower := make([]uint8, n*(n-1)/2)
	for k := range lower {
		lower[k] = uint8(120 * rng.Float64())
		if rng.IntN(300) == 0 {
			lower[k] = uint8(200 * rng.Float64())
		}
	}
	near := pairwise(n, func(i, j int) float64 { return float64(lower[max(i, j)*(max(i, j)-1)/2+min(i, j)]) / 200 })
	for b.Loop() {
		if _, err := Hierarchy(context.Background(), n, near, MinSims(), 3, nil); err != nil {
			b.Fatal(err)
		}
	}
}
