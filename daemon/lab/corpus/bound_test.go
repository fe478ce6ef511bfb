package corpus

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBound(t *testing.T) {
	tests := []struct {
		name   string
		web    made
		budget int
		want   []int
	}{
		{"nothing relevant", webOf([][]int{{1}, {2}, {}}), 3, []int{0, 0, 0}},
		{"out of reach", webOf([][]int{{1}, {}, {1}}, 2), 2, []int{0, 0}},
		{"a start page", webOf([][]int{{1, 2}, {}, {}}, 2), 3, []int{1, 1, 1}},
		{"one page between", webOf([][]int{{1}, {2, 3}, {}, {}}, 2, 3), 4, []int{0, 1, 2, 2}},
		{"a way of relevant pages costs nothing", webOf([][]int{{1, 4}, {2}, {3}, {}, {3}}, 3, 4), 3, []int{1, 2, 2}},
		{"different pages between count once", webOf([][]int{{1, 2}, {3}, {4}, {}, {}}, 3, 4), 4, []int{0, 1, 2, 2}},
	}
	for _, test := range tests {
		if got := test.web.Bound(test.web.relevant, test.budget); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestNothingExceedsTheBound checks on random webs that the bound is what its definition says, computed in another way,
// that no crawl exceeds it, and that the oracle does at least as well as crawls that know nothing, in the mean.
func TestNothingExceedsTheBound(t *testing.T) {
	oracle, blind1, breadth := 0, 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 13))
		n := 1 + rng.IntN(80)
		m := random(rng, n, 0.8+2*rng.Float64(), 0.02+0.4*rng.Float64())
		budget := 1 + rng.IntN(n+5)
		bound := m.Bound(m.relevant, budget)
		for i, b := range bound {
			if want := m.bound(i + 1); b != want {
				t.Fatalf("seed %d: bound %d after %d pages, want %d", seed, b, i+1, want)
			}
		}
		curves := map[string][]int{
			"the oracle":            m.Oracle(m.relevant, budget),
			"a random crawl":        m.crawl(budget, func(queue []int) int { return rng.IntN(len(queue)) }),
			"a breadth-first crawl": m.crawl(budget, func([]int) int { return 0 }),
			"a depth-first crawl":   m.crawl(budget, func(queue []int) int { return len(queue) - 1 }),
		}
		for name, curve := range curves {
			for i, found := range curve {
				if found > bound[i] {
					t.Errorf("seed %d: %s has %d relevant pages after %d, bound %d", seed, name, found, i+1, bound[i])
				}
			}
		}
		oracle += Under(curves["the oracle"], budget)
		blind1 += Under(curves["a random crawl"], budget)
		breadth += Under(curves["a breadth-first crawl"], budget)
	}
	if oracle < blind1 || oracle < breadth {
		t.Errorf("areas of 60 webs: the oracle's %d, random %d, breadth-first %d", oracle, blind1, breadth)
	}
}

// TestBestCrawl checks on tiny webs, where all crawls can be tried, that the best one lies between oracle and bound.
func TestBestCrawl(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 14))
		n := 1 + rng.IntN(8)
		m := random(rng, n, 0.5+2*rng.Float64(), 0.1+0.5*rng.Float64())
		best, bound := m.best(), m.Bound(m.relevant, n)
		for i, found := range m.Oracle(m.relevant, n) {
			if found > best[i+1] {
				t.Fatalf("seed %d: the oracle has %d after %d pages, the best crawl %d", seed, found, i+1, best[i+1])
			}
		}
		for i, b := range bound {
			if best[i+1] > b {
				t.Fatalf("seed %d: links %v relevant %v: the best crawl has %d after %d pages, bound %d", seed, m.links, m.good, best[i+1], i+1, b)
			}
		}
	}
}

// crawl is the curve of a crawl that takes from its queue what next says.
func (m made) crawl(budget int, next func(queue []int) int) []int {
	queue, known := slices.Clone(m.links[root]), make(map[int]bool)
	for _, page := range queue {
		known[page] = true
	}
	var curve []int
	found := 0
	for len(queue) > 0 && len(curve) < budget {
		i := next(queue)
		page := queue[i]
		queue = slices.Delete(queue, i, i+1)
		if m.good[page] {
			found++
		}
		curve = append(curve, found)
		for _, to := range m.links[page] {
			if !known[to] {
				known[to] = true
				queue = append(queue, to)
			}
		}
	}
	return curve
}

// TestFrom checks that a part of a web is what would have been read from its start pages.
func TestFrom(t *testing.T) {
	s, paths, _ := campus(60, 5)
	replay := open(t, record(t, s, paths...))
	whole, err := ReadWeb(t.Context(), replay, []string{host + paths[0], host + paths[7], host + paths[31]})
	if err != nil {
		t.Fatal(err)
	}
	for _, starts := range [][]string{{host + paths[7]}, {host + paths[31], host + paths[0]}, {host + paths[31], host + paths[31]}, {host + "/none"}} {
		want, err := ReadWeb(t.Context(), replay, starts)
		if err != nil {
			t.Fatal(err)
		}
		got := whole.From(starts)
		if !slices.Equal(got.urls, want.urls) || !slices.EqualFunc(got.links, want.links, slices.Equal) {
			t.Errorf("from %v: %d pages, want %d", starts, len(got.urls), len(want.urls))
		}
	}
}
