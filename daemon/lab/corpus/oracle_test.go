package corpus

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// made is a web of pages 1..n, where 0 is the root, with the relevant ones.
type made struct {
	*Web
	good []bool
}

func (m made) relevant(url string) bool {
	var page int
	_, err := fmt.Sscan(url, &page)
	return err == nil && m.good[page]
}

func webOf(links [][]int, good ...int) made {
	m := made{&Web{links: links}, make([]bool, len(links))}
	for page := range links {
		m.urls = append(m.urls, fmt.Sprint(page))
	}
	for _, page := range good {
		m.good[page] = true
	}
	return m
}

// random makes a web of n pages with about the given number of links a page.
func random(rng *rand.Rand, n int, links, share float64) made {
	m := webOf(make([][]int, n+1))
	for from := range m.links {
		for to := 1; to <= n; to++ {
			if to != from && rng.Float64() < links/float64(n) {
				m.links[from] = append(m.links[from], to)
			}
		}
		m.good[from] = from != root && rng.Float64() < share
	}
	if len(m.links[root]) == 0 {
		m.links[root] = []int{1}
	}
	return m
}

func TestOracle(t *testing.T) {
	tests := []struct {
		name   string
		web    made
		budget int
		want   []int
	}{
		{"nothing relevant", webOf([][]int{{1}, {2}, {}}), 5, []int{}},
		{"a start page", webOf([][]int{{1, 2}, {}, {}}, 2), 5, []int{1}},
		{"the nearest first", webOf([][]int{{1, 3}, {2}, {4}, {5}, {}, {}}, 4, 5), 5, []int{0, 1, 1, 1, 2}},
		{"ties to the parent with most", webOf([][]int{{1, 2}, {3}, {4, 5}, {}, {}, {}}, 3, 4, 5), 9, []int{0, 1, 2, 2, 3}},
		{"most of what is left", webOf([][]int{{5, 6, 2, 1}, {3, 7}, {5, 6, 4}, {}, {}, {}, {}, {}}, 3, 4, 5, 6, 7), 9, []int{1, 2, 2, 3, 4, 4, 5}},
		{"cut by the budget", webOf([][]int{{1}, {2}, {3}, {}}, 3), 2, []int{0, 0}},
		{"out of reach", webOf([][]int{{1}, {}, {1}}, 2), 5, []int{}},
		{"by way of relevant pages", webOf([][]int{{1}, {2}, {3}, {1}}, 1, 2, 3), 5, []int{1, 2, 3}},
	}
	for _, test := range tests {
		if got := test.web.Oracle(test.web.relevant, test.budget); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestOracleIsGreedy checks on random tiny webs that the curve is one of those that the definition allows, found by
// searching the whole web again before every step, and that no crawl at all, and so not the oracle, exceeds the bound.
func TestOracleIsGreedy(t *testing.T) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 11))
		n := 1 + rng.IntN(7)
		m := random(rng, n, 0.5+2*rng.Float64(), 0.1+0.5*rng.Float64())
		budget := 1 + rng.IntN(n+1)
		curve := m.Oracle(m.relevant, budget)
		allowed := make(map[string]bool)
		m.greedy(1<<root, nil, budget, allowed)
		if !allowed[fmt.Sprint(curve)] {
			t.Fatalf("seed %d: links %v relevant %v budget %d: curve %v is not among %v", seed, m.links, m.good, budget, curve, allowed)
		}
		best := m.best()
		for i, found := range curve {
			if found > best[i+1] || best[i+1] > m.bound(i+1) {
				t.Fatalf("seed %d: links %v relevant %v: after %d pages the oracle has %d, the best crawl %d, bound %d",
					seed, m.links, m.good, i+1, found, best[i+1], m.bound(i+1))
			}
		}
	}
}

// TestOracleOfLargerWebs checks what holds of every curve: it never exceeds the bound, and with budget enough it brings
// all that can be reached, each page once.
func TestOracleOfLargerWebs(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 12))
		m := random(rng, 150, 1.2+2*rng.Float64(), 0.02+0.2*rng.Float64())
		curve := m.Oracle(m.relevant, 150)
		total, before := 0, 0
		for _, d := range m.distances(1 << root)[1:] {
			if d.n != unreached && m.good[d.page] {
				total++
			}
		}
		for i, found := range curve {
			if found < before || found > before+1 || found > m.bound(i+1) {
				t.Errorf("seed %d: %d found after %d pages, %d before it, bound %d", seed, found, i+1, before, m.bound(i+1))
			}
			before = found
		}
		if before != total {
			t.Errorf("seed %d: %d of %d found", seed, before, total)
		}
	}
}

const unreached = 1 << 30

type distance struct{ page, n int }

// distances is how many fetches each page is away from a set of fetched ones, by relaxing all links until nothing
// changes. Of webs of more than 64 pages the set may hold the root only.
func (m made) distances(fetched uint64) []distance {
	d := make([]distance, len(m.links))
	for page := range d {
		d[page] = distance{page, unreached}
		if page < 64 && fetched>>page&1 == 1 {
			d[page].n = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for from, to := range m.links {
			for _, page := range to {
				if d[from].n+1 < d[page].n {
					d[page].n, changed = d[from].n+1, true
				}
			}
		}
	}
	return d
}

// greedy gathers the curves of all greedy crawls from a set of fetched pages on.
func (m made) greedy(fetched uint64, curve []int, budget int, into map[string]bool) {
	away := m.distances(fetched)
	left := func(page int) bool { return m.good[page] && fetched>>page&1 == 0 }
	nearest := unreached
	for page := range m.links {
		if left(page) {
			nearest = min(nearest, away[page].n)
		}
	}
	if nearest == unreached || len(curve) == budget {
		into[fmt.Sprint(append([]int{}, curve...))] = true
		return
	}
	children := func(parent int) (n int) {
		for _, page := range m.links[parent] {
			if left(page) {
				n++
			}
		}
		return n
	}
	var ways [][]int // all shortest ways to a nearest page, without what was fetched
	most := 0
	var extend func(way []int, at int)
	extend = func(way []int, at int) {
		for _, to := range m.links[at] {
			if away[to].n != len(way)+1 {
				continue
			}
			longer := append(slices.Clone(way), to)
			if len(longer) == nearest && left(to) {
				if n := children(at); n > most {
					ways, most = nil, n
				} else if n < most {
					continue
				}
				ways = append(ways, longer)
			} else if len(longer) < nearest {
				extend(longer, to)
			}
		}
	}
	for page := range m.links {
		if fetched>>page&1 == 1 {
			extend(nil, page)
		}
	}
	found := 0
	if len(curve) > 0 {
		found = curve[len(curve)-1]
	}
	for _, way := range ways {
		set, longer := fetched, slices.Clone(curve)
		for i, page := range way {
			if len(longer) == budget {
				break
			}
			set |= 1 << page
			if i == len(way)-1 {
				longer = append(longer, found+1)
			} else {
				longer = append(longer, found)
			}
		}
		m.greedy(set, longer, budget, into)
	}
}

// best is the most relevant pages that any crawl has after n pages, n = 0..; all sets of fetched pages are tried.
func (m made) best() []int {
	best := make([]int, len(m.links)+1)
	seen := map[uint64]bool{1 << root: true}
	type crawl struct {
		set      uint64
		n, found int
	}
	for queue := []crawl{{1 << root, 0, 0}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		best[at.n] = max(best[at.n], at.found)
		for from, to := range m.links {
			for _, page := range to {
				set := at.set | 1<<page
				if at.set>>from&1 == 0 || seen[set] {
					continue
				}
				seen[set] = true
				found := at.found
				if m.good[page] {
					found++
				}
				queue = append(queue, crawl{set, at.n + 1, found})
			}
		}
	}
	for n := 1; n < len(best); n++ {
		best[n] = max(best[n], best[n-1]) // a crawl may end early
	}
	return best
}

// bound is what no crawl of n pages can exceed: when k of them are not relevant, it has at most n-k relevant ones, all
// of them behind no more than k pages that are not.
func (m made) bound(n int) int {
	behind := make([]int, len(m.links)) // fewest pages that are not relevant on a way to each
	for page := range behind {
		behind[page] = unreached
	}
	behind[root] = 0
	for changed := true; changed; {
		changed = false
		for from, to := range m.links {
			for _, page := range to {
				w := behind[from]
				if !m.good[page] {
					w++
				}
				if w < behind[page] {
					behind[page], changed = w, true
				}
			}
		}
	}
	most := 0
	for k := range n + 1 {
		near := 0
		for page, w := range behind {
			if m.good[page] && w <= k {
				near++
			}
		}
		most = max(most, min(n-k, near))
	}
	return most
}
