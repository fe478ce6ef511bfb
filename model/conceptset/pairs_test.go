package conceptset

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

func randomSets(rng *rand.Rand, pages, concepts, most int) []Set {
	sets := make([]Set, pages)
	for i := range sets {
		if i%17 != 5 { // some pages have no concepts
			sets[i] = randomSet(rng, concepts, most)
		}
	}
	return sets
}

// kept is what must be kept of ζ.
func kept(z float64) float64 { return math.Floor(z*Steps+1e-9) / Steps }

func TestAllPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 16))
	for _, n := range []int{0, 1, 2, 3, 60, 61} {
		tree := randomTree(rng, 50)
		sets := randomSets(rng, n, 50, 6)
		told := 0
		p, err := AllPairs(context.Background(), sets, tree.Similarity, func(done, of int) {
			told++
			if done != told || of != (n+1)/2 {
				t.Errorf("%d of %d after %d", done, of, told-1)
			}
		})
		if err != nil || p.n != n || told != (n+1)/2 {
			t.Fatalf("%d pages, %d parts, %v", n, told, err)
		}
		for i := range n {
			seen := 0
			for j, s := range p.Near(i) {
				want := kept(Similarity(sets[i], sets[j], tree.Similarity))
				if s != want || i == j {
					t.Fatalf("pages %d and %d: %v, want %v", i, j, s, want)
				}
				seen++
			}
			if seen != n-1 {
				t.Fatalf("%d pages near page %d of %d", seen, i, n)
			}
			for range p.Near(i) {
				break
			}
		}
	}
}

// A threshold that is a multiple of 1/Steps holds for what is kept if it holds for ζ.
func TestStepsKeepThresholds(t *testing.T) {
	for at := range Steps + 1 {
		threshold := float64(at) / 100 / 2
		for _, off := range []float64{-1e-6, 0, 1e-6} {
			z := min(1, max(0, threshold+off))
			if got := float64(step(z)) / Steps; (got >= threshold) != (z >= threshold) {
				t.Errorf("ζ %v is kept as %v, threshold %v", z, got, threshold)
			}
		}
	}
}

// manySets have more concepts than a matrix is kept for, so that S is called for each pair of pages.
func manySets(rng *rand.Rand) []Set {
	var sets []Set
	for i := 0; i <= MaxMatrix; i += 8 {
		var list []Concept
		for k := range 8 {
			list = append(list, Concept{5 * (i + k), 1 - rng.Float64()})
		}
		sets = append(sets, mustNew(list...))
	}
	return sets
}

func TestMoreConceptsThanTheMatrixHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 16))
	s := func(a, b int) float64 { return 1 / (1 + math.Abs(float64(a-b))/1000) }
	sets := manySets(rng)
	c, err := compare(context.Background(), sets, s)
	if err != nil || c.matrix != nil {
		t.Fatalf("a matrix of %d, %v", len(c.matrix), err)
	}
	p, err := AllPairs(context.Background(), sets, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		i, j := rng.IntN(len(sets)), rng.IntN(len(sets))
		if i == j {
			continue
		}
		if got, want := similarity(p.Near(i), j), kept(Similarity(sets[i], sets[j], s)); got != want {
			t.Fatalf("pages %d and %d: %v, want %v", i, j, got, want)
		}
	}
}

func TestCandidatePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 16))
	skipped := 0
	for n := range 120 {
		tree := randomTree(rng, 60)
		sets := randomSets(rng, n, 60, 3)
		groups := func(c int) []int { return []int{tree.Ancestor(c, Depth+1)} }
		least := .5
		told := 0
		c, err := CandidatePairs(context.Background(), sets, tree.Similarity, groups, least, MaxKept, func(done, of int) {
			if told++; done != told || of != n {
				t.Errorf("%d of %d after %d", done, of, told-1)
			}
		})
		if err != nil || len(c.rows) != n || told != n {
			t.Fatalf("%d of %d pages, %v", told, n, err)
		}
		pairs := 0
		for i := range n {
			near := map[int]float64{}
			before := -1
			for j, s := range c.Near(i) {
				if near[j] = s; j <= before {
					t.Fatalf("page %d after page %d", j, before)
				}
				before = j
			}
			for j := range n {
				z := Similarity(sets[i], sets[j], tree.Similarity)
				want := 0.0
				if i != j && shareGroup(sets[i], sets[j], groups) {
					pairs++
					if kept(z) >= least {
						want = kept(z)
					}
				} else if i != j && z > 6./7+1e-9 {
					t.Fatalf("ζ = %v of %v and %v is not computed", z, sets[i], sets[j])
				} else {
					skipped++
				}
				if near[j] != want {
					t.Fatalf("pages %d and %d: %v, want %v", i, j, near[j], want)
				}
			}
		}
		if got := comparedPairs(t, sets, tree.Similarity, groups); got != pairs/2 {
			t.Errorf("%d pairs compared, want %d", got, pairs/2)
		}
	}
	if skipped == 0 {
		t.Error("all pairs were compared")
	}
}

// comparedPairs is the number of pairs that are compared: those that are kept when none is too small.
func comparedPairs(t *testing.T, sets []Set, s Func, groups func(int) []int) (pairs int) {
	t.Helper()
	c, err := CandidatePairs(t.Context(), sets, s, groups, 0, MaxKept, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range c.rows {
		pairs += len(r.pages)
	}
	return pairs / 2
}

// similarity is ζ of two pages as Near gives it, 0 if it does not.
func similarity(near iter.Seq2[int, float64], j int) float64 {
	for other, s := range near {
		if other == j {
			return s
		}
	}
	return 0
}

func shareGroup(a, b Set, groups func(int) []int) bool {
	for _, x := range a {
		for _, y := range b {
			for _, g := range groups(x.ID) {
				for _, h := range groups(y.ID) {
					if g == h {
						return true
					}
				}
			}
		}
	}
	return false
}

// Senses have several groups each.
func TestCandidatesOfSeveralGroups(t *testing.T) {
	s := func(a, b int) float64 { return 1 / (1 + math.Abs(float64(a-b))) }
	sets := []Set{mustNew(Concept{1, 1}), mustNew(Concept{2, 1}), mustNew(Concept{3, 1}, Concept{1, .5}), mustNew(Concept{9, 1})}
	groups := func(c int) []int { return []int{c, c + 1, c} }
	c, err := CandidatePairs(context.Background(), sets, s, groups, 0, MaxKept, nil)
	if got := comparedPairs(t, sets, s, groups); err != nil || got != 3 {
		t.Fatalf("%d pairs, %v", got, err)
	}
	for _, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		if got := similarity(c.Near(pair[0]), pair[1]); got != kept(Similarity(sets[pair[0]], sets[pair[1]], s)) {
			t.Errorf("pages %v: %v", pair, got)
		}
	}
}

func TestCancel(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 16))
	tree := randomTree(rng, 50)
	sets := randomSets(rng, 300, 50, 6)
	one := func(int) []int { return []int{1} }
	ended, end := context.WithCancel(context.Background())
	end()
	if p, err := AllPairs(ended, sets, tree.Similarity, nil); !errors.Is(err, context.Canceled) || p != nil {
		t.Errorf("all pairs: %v", err)
	}
	if c, err := CandidatePairs(ended, sets, tree.Similarity, one, .5, MaxKept, nil); !errors.Is(err, context.Canceled) || c != nil {
		t.Errorf("candidates: %v", err)
	}
	for name, run := range map[string]func(ctx context.Context, s Func) error{
		"all pairs": func(ctx context.Context, s Func) error {
			_, err := AllPairs(ctx, manySets(rng), s, nil)
			return err
		},
		"candidates": func(ctx context.Context, s Func) error {
			_, err := CandidatePairs(ctx, manySets(rng), s, one, .5, MaxKept, nil)
			return err
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var calls atomic.Int64
		err := run(ctx, func(a, b int) float64 {
			if calls.Add(1) == 1000 {
				cancel()
			}
			return .5
		})
		if all := int64(512 * 511 / 2 * 64); !errors.Is(err, context.Canceled) || calls.Load() >= all {
			t.Errorf("%s, cancelled in the middle: %v after %d calls", name, err, calls.Load())
		}
	}
}

func TestTooManyPairs(t *testing.T) {
	sets := make([]Set, 40)
	for i := range sets {
		sets[i] = Set{{1, 1}}
	}
	same := func(int, int) float64 { return 1 }
	one := func(int) []int { return []int{1} }
	if c, err := CandidatePairs(context.Background(), sets, same, one, .5, 779, nil); !errors.Is(err, ErrTooManyPairs) || c != nil {
		t.Errorf("780 pairs: %v", err)
	}
	if _, err := CandidatePairs(context.Background(), sets, same, one, .5, 780, nil); err != nil || comparedPairs(t, sets, same, one) != 780 {
		t.Errorf("780 pairs: %v", err)
	}
}

// benchmarkSets are pages as they come from links: at most eight of the 177 terms of an ontology.
func benchmarkSets(pages int) ([]Set, Func, func(int) []int) {
	rng := rand.New(rand.NewPCG(7, 16))
	tree := randomTree(rng, 177)
	sets := make([]Set, pages)
	for i := range sets {
		sets[i] = randomSet(rng, 177, 8)
	}
	return sets, tree.Similarity, func(c int) []int { return []int{tree.Ancestor(c, Depth+1)} }
}

// All 8 million pairs of 4,000 pages.
func BenchmarkAllPairs(b *testing.B) {
	sets, s, _ := benchmarkSets(MaxAll)
	for b.Loop() {
		if _, err := AllPairs(context.Background(), sets, s, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCandidatePairs(b *testing.B) {
	sets, s, groups := benchmarkSets(MaxAll)
	for b.Loop() {
		if _, err := CandidatePairs(context.Background(), sets, s, groups, .75, MaxKept, nil); err != nil {
			b.Fatal(err)
		}
	}
}
