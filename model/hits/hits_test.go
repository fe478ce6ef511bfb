package hits

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

const absTol = 1e-9

func differ(got, want []float64, tol float64) bool {
	return slices.IndexFunc(got, func(x float64) bool { return math.IsNaN(x) }) >= 0 ||
		floatDistance(got, want) > tol
}

func floatDistance(a, b []float64) (most float64) {
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// The numbers of four pages by model/testdata/four_pages.py, straight from the definitions.
func TestFourPages(t *testing.T) {
	type scores struct {
		Hubs        []float64 `json:"hubs"`
		Authorities []float64 `json:"authorities"`
	}
	var f struct {
		Links      [][2]int    `json:"links"`
		Similarity [][]float64 `json:"similarity"`
		Plain      scores      `json:"plain"`
		Biased     []scores    `json:"biased"`
	}
	data, err := os.ReadFile("../testdata/four_pages.json")
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	g := New(4, f.Links, Options{})
	for i, want := range append([]scores{f.Plain}, f.Biased...) {
		bias := append([][]float64{nil}, f.Similarity...)[i]
		if got := g.Run(bias); differ(got.Hubs, want.Hubs, absTol) || differ(got.Authorities, want.Authorities, absTol) {
			t.Errorf("run %d: %+v, want %+v", i, got, want)
		}
	}
}

// random makes a graph, of two loose parts in every third, and a bias that is 0 for some pages.
func random(rng *rand.Rand, seed uint64) (m int, links [][2]int, bias []float64) {
	m = 2 + rng.IntN(59)
	for range rng.IntN(4 * m) {
		l := [2]int{rng.IntN(m), rng.IntN(m)}
		if apart := (l[0] < m/2) != (l[1] < m/2); l[0] != l[1] && !(seed%3 == 0 && apart) {
			links = append(links, l)
		}
	}
	bias = make([]float64, m)
	for i := range bias {
		if rng.IntN(4) > 0 {
			bias[i] = rng.Float64()
		}
	}
	return m, links, bias
}

// dense is the adjacency matrix A and D^½ A D^½.
func dense(m int, links [][2]int, bias []float64) (a, b *mat.Dense) {
	a, b = mat.NewDense(m, m, nil), mat.NewDense(m, m, nil)
	for _, l := range links {
		a.Set(l[0], l[1], 1)
		b.Set(l[0], l[1], math.Sqrt(bias[l[0]]*bias[l[1]]))
	}
	return a, b
}

// bySVD gives the scores after the given number of rounds from the singular values of B = D^½·A·D^½: with g = D^½·h,
// g_n = U·Σ^2n·Uᵀ·g_0, up to its length, a_n = Aᵀ·D^½·g_(n-1) and h_n = A·D·a_n.
func bySVD(tb testing.TB, m int, links [][2]int, bias []float64, rounds int) (hubs, authorities []float64) {
	tb.Helper()
	a, b := dense(m, links, bias)
	var svd mat.SVD
	if !svd.Factorize(b, mat.SVDFull) {
		tb.Fatal("no singular values")
	}
	sigma := svd.Values(nil)
	var u mat.Dense
	svd.UTo(&u)
	g := mat.NewVecDense(m, nil)
	root := mat.NewDiagDense(m, nil)
	for i, d := range bias {
		root.SetDiag(i, math.Sqrt(d))
		g.SetVec(i, math.Sqrt(d/float64(m)))
	}
	// g_(n-1), the largest singular value taken as 1
	var along, before, scaled, au, ad, hu mat.VecDense
	along.MulVec(u.T(), g)
	for i, s := range sigma {
		share := 0.0 // without a singular value above 0, all is 0 after a round
		if sigma[0] > 0 {
			share = s / sigma[0]
		}
		along.SetVec(i, along.AtVec(i)*math.Pow(share, 2*float64(rounds-1)))
	}
	before.MulVec(&u, &along)
	scaled.MulVec(root, &before)
	if rounds == 1 { // h_0 is not in the range of D^½
		for i := range m {
			scaled.SetVec(i, bias[i]/math.Sqrt(float64(m)))
		}
	}
	au.MulVec(a.T(), &scaled)
	ad.MulVec(root, &au)
	scaled.MulVec(root, &ad)
	hu.MulVec(a, &scaled)
	return unit(&hu), unit(&au)
}

func unit(v *mat.VecDense) []float64 {
	x := make([]float64, v.Len())
	norm := mat.Norm(v, 2)
	for i := range x {
		if norm > 1e-13 {
			x[i] = v.AtVec(i) / norm
		}
	}
	return x
}

// Two hundred random graphs, disconnected ones and pages of similarity 0 among them.
func TestAgainstSingularValues(t *testing.T) {
	converged, zero := 0, 0
	for seed := range uint64(200) {
		m, links, bias := random(rand.New(rand.NewPCG(seed, 1)), seed)
		s := New(m, links, Options{}).Run(bias)
		hubs, authorities := bySVD(t, m, links, bias, s.Rounds)
		// A singular value is exact to 1e-15 of the largest; a hundred rounds make 1e-12 of it.
		if differ(s.Hubs, hubs, 1e-9) || differ(s.Authorities, authorities, 1e-9) {
			t.Errorf("seed %d, %d pages, %d rounds: hubs differ by %v, authorities by %v", seed, m, s.Rounds,
				floatDistance(s.Hubs, hubs), floatDistance(s.Authorities, authorities))
		}
		if s.Converged {
			converged++
			// The limit: no round changes it.
			hubs, authorities = bySVD(t, m, links, bias, 20_000)
			if differ(s.Hubs, hubs, 1e-9) || differ(s.Authorities, authorities, 1e-9) {
				t.Errorf("seed %d: the limit's hubs differ by %v, authorities by %v", seed,
					floatDistance(s.Hubs, hubs), floatDistance(s.Authorities, authorities))
			}
		}
		if slices.Max(s.Authorities) == 0 {
			zero++
		}
	}
	if converged < 100 || zero == 200 {
		t.Errorf("%d of 200 converged, %d without scores", converged, zero)
	}
}

func TestScoresHaveLengthOne(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 2))
		m, links, bias := random(rng, seed)
		for i := range bias {
			bias[i] = math.Pow(bias[i], 40) // tiny ones among them
		}
		site, host := make([]string, m), make([]string, m)
		for i := range site {
			host[i] = fmt.Sprint(rng.IntN(8))
			site[i] = fmt.Sprint(len(host[i]), host[i][0]%4)
		}
		s := New(m, links, Options{Site: site, Host: host}).Run(bias)
		for _, x := range [][]float64{s.Hubs, s.Authorities} {
			sum := 0.0
			for _, v := range x {
				if !(v >= 0) {
					t.Fatalf("seed %d: score %v", seed, v)
				}
				sum += v * v
			}
			if math.Abs(sum-1) > absTol && sum != 0 {
				t.Errorf("seed %d: squares sum to %v", seed, sum)
			}
		}
	}
}

// Two hosts, three pages on the first that link to one page of the second, which links to two pages of the first.
func TestLinksAreSharedOutByHost(t *testing.T) {
	links := [][2]int{{0, 3}, {1, 3}, {2, 3}, {3, 0}, {3, 1}, {0, 1}, {3, 0}, {2, 2}}
	host := []string{"a.one", "b.one", "b.one", "two"}
	g := New(4, links, Options{Site: []string{"one", "one", "one", "two"}, Host: host})
	want := []link{{0, 3, 1, 1}, {1, 3, .5, 1}, {2, 3, .5, 1}, {3, 0, 1, 1}, {3, 1, 1, 1}}
	if !slices.Equal(g.links, want) {
		t.Errorf("links %v, want %v", g.links, want)
	}
	g = New(4, links, Options{Host: []string{"one", "one", "one", "two"}})
	want = []link{{0, 1, 1, 1}, {0, 3, 1. / 3, 1}, {1, 3, 1. / 3, 1}, {2, 3, 1. / 3, 1}, {3, 0, 1, .5}, {3, 1, 1, .5}}
	if !slices.Equal(g.links, want) {
		t.Errorf("links %v, want %v", g.links, want)
	}
	if g.Links() != len(want) {
		t.Errorf("%d links", g.Links())
	}
}

// crawl is a made-up crawl over two topics: on each of the topic's sites, some pages link to good pages of other sites,
// and all pages link to all others of their site. All pages of both topics link to one page about neither, which links
// back.
type crawl struct {
	m       int
	planted int // the last page
	links   [][2]int
	assign  []int
	bias    [2][]float64 // the cosines with the centres
	site    []string
}

func makeCrawl(rng *rand.Rand) crawl {
	const topics, sites, each = 2, 12, 8
	c := crawl{m: topics*sites*each + 1}
	c.planted = c.m - 1
	for topic := range c.bias {
		c.bias[topic] = slices.Repeat([]float64{.1}, c.m)
	}
	page := func(topic, site, i int) int { return (topic*sites+site)*each + i }
	for topic := range topics {
		for site := range sites {
			for i := range each {
				p := page(topic, site, i)
				c.assign, c.site = append(c.assign, topic), append(c.site, fmt.Sprint(topic, "-", site))
				c.bias[topic][p] = .4 + .3*rng.Float64()
				c.links = append(c.links, [2]int{p, c.planted}, [2]int{c.planted, p})
				for j := range each {
					c.links = append(c.links, [2]int{p, page(topic, site, j)})
				}
			}
			for to := range sites { // pages 0 are worth linking to, pages 1 link to them
				if to != site && rng.Float64() < .8 {
					c.links = append(c.links, [2]int{page(topic, site, 1), page(topic, to, 0)})
				}
			}
		}
	}
	c.assign, c.site = append(c.assign, rng.IntN(topics)), append(c.site, "everywhere") // each page is in a cluster
	return c
}

// The planted page leads the plain lists. Its own similarity to a cluster does not enter its scores, so that the bias
// by itself does not move it; with links shared out by host, it is in no list.
func TestPageLinkedFromEverywhereIsInNoBiasedList(t *testing.T) {
	for seed := range uint64(20) {
		c := makeCrawl(rand.New(rand.NewPCG(seed, 3)))
		plain := New(c.m, c.links, Options{}).Run(nil)
		all := make([]int, c.m)
		if a, h := Top(plain.Authorities, all, 0, 1), Top(plain.Hubs, all, 0, 1); a[0] != c.planted || h[0] != c.planted {
			t.Errorf("seed %d: page %v leads the plain authorities, %v the plain hubs, want %d", seed, a, h, c.planted)
		}
		own := c.assign[c.planted]
		asPrinted := New(c.m, c.links, Options{}).Run(c.bias[own])
		if a := Top(asPrinted.Authorities, c.assign, own, 10); !slices.Contains(a, c.planted) {
			t.Errorf("seed %d: the bias by itself leaves %v", seed, a)
		}
		g := New(c.m, c.links, Options{Site: c.site, Host: c.site})
		for topic, bias := range c.bias {
			s := g.Run(bias)
			authorities, hubs := Top(s.Authorities, c.assign, topic, 10), Top(s.Hubs, c.assign, topic, 10)
			if slices.Contains(authorities, c.planted) || slices.Contains(hubs, c.planted) {
				t.Errorf("seed %d, topic %d: page %d is in %v or %v", seed, topic, c.planted, authorities, hubs)
			}
			if len(authorities) < 10 || len(hubs) < 10 {
				t.Errorf("seed %d, topic %d: %d authorities and %d hubs", seed, topic, len(authorities), len(hubs))
			}
			for k := range 10 {
				if authorities[k]%8 != 0 || hubs[k]%8 != 1 {
					t.Errorf("seed %d, topic %d: authorities %v, hubs %v", seed, topic, authorities, hubs)
					break
				}
			}
		}
	}
}

func TestTop(t *testing.T) {
	got := Top([]float64{.5, .1, .5, 0, .9, .2, 1e-10}, []int{0, 0, 0, 0, 1, 0, 0}, 0, 3)
	if want := []int{0, 2, 5}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Top([]float64{0}, []int{0}, 0, 3); len(got) != 0 {
		t.Errorf("a page that no link favours is listed: %v", got)
	}
}

func TestOddGraphs(t *testing.T) {
	for name, g := range map[string]*Graph{
		"nothing":  New(0, nil, Options{}),
		"no links": New(3, nil, Options{}),
		"one loop": New(1, [][2]int{{0, 0}}, Options{}),
	} {
		s := g.Run(nil)
		for _, x := range append(s.Hubs, s.Authorities...) {
			if x != 0 {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
	if s := New(2, [][2]int{{0, 1}}, Options{}).Run([]float64{0, 1}); s.Authorities[1] != 0 || s.Hubs[0] != 0 {
		t.Errorf("a page of similarity 0 gives authority: %+v", s)
	}
	for name, f := range map[string]func(){
		"link":  func() { New(1, [][2]int{{0, 1}}, Options{}) },
		"hosts": func() { New(1, nil, Options{Host: []string{"a", "b"}}) },
		"bias":  func() { New(1, nil, Options{}).Run([]float64{1, 1}) },
		"below": func() { New(1, nil, Options{}).Run([]float64{-1}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// networkx 2.8's hits, whose scores sum to 1. TestAgainstSingularValues always runs.
func TestAgainstNetworkX(t *testing.T) {
	folder := os.Getenv("NIGHTJAR_REFERENCE")
	if folder == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference data")
	}
	var file struct {
		Graphs map[string]struct {
			Edges       [][2]int           `json:"edges"`
			Nodes       []int              `json:"nodes"`
			Hubs        map[string]float64 `json:"hubs"`
			Authorities map[string]float64 `json:"authorities"`
		} `json:"graphs"`
	}
	data, err := os.ReadFile(filepath.Join(folder, "learning", "hits_pagerank.json"))
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil || len(file.Graphs) == 0 {
		t.Fatal(err, len(file.Graphs))
	}
	for name, f := range file.Graphs {
		var links [][2]int
		for _, e := range f.Edges {
			links = append(links, [2]int{slices.Index(f.Nodes, e[0]), slices.Index(f.Nodes, e[1])})
		}
		s := New(len(f.Nodes), links, Options{}).Run(nil)
		for kind, got := range map[string][]float64{"hub": s.Hubs, "authority": s.Authorities} {
			want := map[string]map[string]float64{"hub": f.Hubs, "authority": f.Authorities}[kind]
			sum := 0.0
			for _, x := range got {
				sum += x
			}
			for i, node := range f.Nodes {
				if w := want[fmt.Sprint(node)]; math.Abs(got[i]/sum-w) > 1e-6 {
					t.Errorf("%s: %s %d has %v, want %v", name, kind, node, got[i]/sum, w)
				}
			}
		}
	}
}
