// Package hits finds the hubs and authorities of clusters of pages: Kleinberg's algorithm, biased towards a cluster as
// in [PANORAMA] §3.6.
//
// Start with New, which makes a Graph of the links among all pages. Graph.Run scores the pages for one cluster, and Top
// lists the best of its own. Two departures from the paper, both by Options, keep sites from voting for themselves.
//
// Cost: a run takes two passes over the links a round, at most 100 rounds.
package hits

import (
	"cmp"
	"math"
	"slices"
)

// Options of a graph. The zero value is the paper's: each link counts 1.
type Options struct {
	Site []string // registrable domain of each page: links inside one do not count; nil: all count
	Host []string // host of each page: links are shared out by it, see New; nil: each link counts 1
}

// Graph is the links among m pages. It is not changed after New, and may be used from several goroutines at the same
// time.
type Graph struct {
	m     int
	links []link // sorted by from, then to; each pair once
}

type link struct {
	from, to       int32
	authority, hub float64 // what it counts for the authority of to, and for the hub from
}

// New makes the graph of pages [0, m). A link of links is {from, to}; one that is there twice counts once, and a link
// of a page to itself does not count. With Options.Host, k pages of one host that link to one page count 1/k each for
// its authority, and l links of one page to pages of one host count 1/l each for the page as a hub (Bharat & Henzinger,
// SIGIR 1998, §3.1). It panics when a link leads outside or when a list of Options is not of length m.
func New(m int, links [][2]int, o Options) *Graph {
	if o.Site != nil && len(o.Site) != m || o.Host != nil && len(o.Host) != m {
		panic("hits: sites or hosts and pages of different length")
	}
	g := &Graph{m: m}
	for _, l := range links {
		if l[0] < 0 || l[0] >= m || l[1] < 0 || l[1] >= m {
			panic("hits: link to a page outside of the graph")
		}
		if l[0] == l[1] || o.Site != nil && o.Site[l[0]] == o.Site[l[1]] {
			continue
		}
		g.links = append(g.links, link{int32(l[0]), int32(l[1]), 1, 1})
	}
	slices.SortFunc(g.links, func(a, b link) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	g.links = slices.CompactFunc(g.links, func(a, b link) bool { return a.from == b.from && a.to == b.to })
	if o.Host != nil {
		g.share(o.Host)
	}
	return g
}

// share divides what links count by the number of links between the same host and page.
func (g *Graph) share(host []string) {
	type pair struct {
		host string
		page int32
	}
	into, outOf := make(map[pair]float64), make(map[pair]float64)
	for _, l := range g.links {
		into[pair{host[l.from], l.to}]++
		outOf[pair{host[l.to], l.from}]++
	}
	for i, l := range g.links {
		g.links[i].authority = 1 / into[pair{host[l.from], l.to}]
		g.links[i].hub = 1 / outOf[pair{host[l.to], l.from}]
	}
}

// Links is the number of links that count.
func (g *Graph) Links() int { return len(g.links) }

const (
	// Rounds is the number of rounds of [PANORAMA] §3.6.
	Rounds = 100

	still = 1e-12 // no score changes by more: the scores have converged
)

// Scores are the hubs and authorities of a graph, m of each, at least 0. Each vector has Euclidean length 1. Both are
// zero when no link counts, or none is between pages whose bias is above 0.
type Scores struct {
	Hubs        []float64
	Authorities []float64
	Rounds      int  // made
	Converged   bool // in the last round no score changed by more than 1e-12
}

// Run scores all pages for a cluster. bias[i] ≥ 0 is the cosine of page i and the centre of the cluster, the diagonal
// of D_c; nil means D = I, Kleinberg's own algorithm, eq. (3.4). From h = 1/√m, up to 100 rounds of
//
//	a ← Aᵀ·D_c·h;  h ← A·D_c·a;  a ← a/‖a‖;  h ← h/‖h‖                     [PANORAMA] §3.6, eq. (3.5)
//
// Here a is scaled before h is computed from it, which changes nothing but rounding. The bias of page i does not enter
// its own scores, only those of its neighbours; that is as printed, and a page that all others link to stays high
// whatever it is about. Options mend that. It panics when bias has another length than m, or a negative value or NaN.
//
// With B = D^½·A·D^½, g = D^½·h goes to B·Bᵀ·g: this is the power method, so that it converges.
func (g *Graph) Run(bias []float64) Scores {
	d := bias
	if d == nil {
		d = slices.Repeat([]float64{1}, g.m)
	}
	if len(d) != g.m {
		panic("hits: bias and pages of different length")
	}
	for _, x := range d {
		if !(x >= 0) {
			panic("hits: bias below 0")
		}
	}
	s := Scores{Hubs: make([]float64, g.m), Authorities: make([]float64, g.m)}
	for i := range s.Hubs {
		s.Hubs[i] = 1 / math.Sqrt(float64(g.m))
	}
	authorities, hubs := make([]float64, g.m), make([]float64, g.m)
	for s.Rounds < Rounds && !s.Converged {
		clear(authorities)
		for _, l := range g.links {
			authorities[l.to] += l.authority * d[l.from] * s.Hubs[l.from]
		}
		normalise(authorities)
		clear(hubs)
		for _, l := range g.links {
			hubs[l.from] += l.hub * d[l.to] * authorities[l.to]
		}
		normalise(hubs)
		s.Converged = near(hubs, s.Hubs) && near(authorities, s.Authorities)
		s.Hubs, hubs = hubs, s.Hubs
		s.Authorities, authorities = authorities, s.Authorities
		s.Rounds++
	}
	return s
}

// normalise scales x to Euclidean length 1; the largest entry is made 1 first, so that no square underflows.
func normalise(x []float64) {
	if len(x) == 0 {
		return
	}
	largest, sum := slices.Max(x), 0.0
	if largest == 0 {
		return
	}
	for i := range x {
		x[i] /= largest
		sum += x[i] * x[i]
	}
	norm := math.Sqrt(sum)
	for i := range x {
		x[i] /= norm
	}
}

func near(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > still {
			return false
		}
	}
	return true
}

// least is the smallest score that Top lists; less is what rounds have not yet taken from pages that no link favours.
const least = 1e-9

// Top lists the pages of a cluster with the largest scores, best first, at most count, ties by page. assign[i] is the
// cluster of page i. Pages with a score below 1e-9 are not listed. The paper ranks all pages for a cluster, and shows
// those that belong to it.
func Top(scores []float64, assign []int, cluster, count int) []int {
	var own []int
	for i, c := range assign {
		if c == cluster && scores[i] >= least {
			own = append(own, i)
		}
	}
	slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return own[:min(len(own), count)]
}
