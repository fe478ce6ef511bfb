package community

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"nightjar/model/label"
)

// pagesOfSite is how many pages a made-up site has, about.
const pagesOfSite = 12

// web is a made-up crawl over some topics. Each has words and sites of its own. The first page of a site is worth
// linking to, and its second page links to the first ones of the topic. All pages link to pages of their site, and to
// one page that links back to all of them.
type web struct {
	pages   []Page
	links   [][2]int
	topic   []int
	planted int
}

// makeWeb makes a crawl of n pages with words words each.
func makeWeb(rng *rand.Rand, topics, n, words int) web {
	w := web{planted: n - 1}
	sites := max(1, n/topics/pagesOfSite) // of each topic
	zipf := rand.NewZipf(rng, 1.1, 4, 2999)
	for i := range n {
		topic := i % topics
		site := fmt.Sprintf("site%d-%d.example", topic, i/topics%sites)
		var s strings.Builder
		for k := range words {
			switch {
			case rng.IntN(10) == 0:
				fmt.Fprintf(&s, "%s subject ", name("Topic", topic)) // a phrase
			case rng.IntN(3) == 0:
				s.WriteString(name(fmt.Sprintf("t%c", 'a'+topic), rng.IntN(200)) + " ")
			default:
				s.WriteString(name("w", int(zipf.Uint64())) + " ")
			}
			if k%12 == 11 {
				s.WriteString(".\n")
			}
		}
		w.pages = append(w.pages, Page{Text: s.String(), LogOdds: rng.NormFloat64(), Site: site, Host: "www." + site})
		w.topic = append(w.topic, topic)
	}
	p := &w.pages[w.planted]
	p.Site, p.Host, p.LogOdds = "everywhere.example", "everywhere.example", 9
	for i := range n - 1 {
		w.links = append(w.links, [2]int{i, w.planted}, [2]int{w.planted, i})
		row := i / topics / sites
		for range 10 { // around the own site
			to := i + topics*sites*(rng.IntN(pagesOfSite)-row)
			if to >= 0 && to < n {
				w.links = append(w.links, [2]int{i, to})
			}
		}
		for to := w.topic[i]; row == 1 && to < topics*sites; to += topics {
			if rng.Float64() < .8 {
				w.links = append(w.links, [2]int{i, to})
			}
		}
	}
	return w
}

// name makes a word of letters only.
func name(prefix string, number int) string {
	s := prefix
	for ; number > 0; number /= 26 {
		s += string(rune('a' + number%26))
	}
	return s + "o"
}

func mustFind(tb testing.TB, w web, o Options) *Map {
	tb.Helper()
	m, err := Find(context.Background(), w.pages, w.links, o, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// The links of one site count between its folders, those of one folder all; the person may choose otherwise.
func TestLinksOfOneSite(t *testing.T) {
	w := makeWeb(rand.New(rand.NewPCG(3, 3)), 2, 200, 60)
	for i := range w.pages {
		w.pages[i].Folder = w.pages[i].Site
		w.pages[i].Site, w.pages[i].Host = "one.example", "one.example"
	}
	for _, c := range []struct{ asked, folders, want Rule }{
		{"", "", BetweenFolders}, {"", "flat", EveryLink}, {BetweenSites, "", BetweenSites}, {EveryLink, "", EveryLink}, {BetweenFolders, "flat", BetweenFolders},
	} {
		pages := slices.Clone(w.pages)
		for i := range pages {
			if c.folders != "" {
				pages[i].Folder = string(c.folders)
			}
		}
		m := mustFind(t, web{pages: pages, links: w.links}, Options{Clusters: 2, Links: c.asked})
		none := c.want == BetweenSites || c.want == BetweenFolders && c.folders != ""
		if hubs := len(m.Communities[0].Hubs); m.Rule != c.want || none != (m.Links == 0) || none != (hubs == 0) || m.AllLinks < m.Links {
			t.Errorf("%+v: rule %q, %d of %d links, %d hubs", c, m.Rule, m.Links, m.AllLinks, hubs)
		}
	}
}

// What all pages of a map are about is in each of them, so that no community is named by it; compared with other pages, the map is,
// and so is its only community.
func TestSubject(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	page := func(words ...string) string {
		var s strings.Builder
		for range 30 {
			s.WriteString(words[rng.IntN(len(words))] + " " + name("noise", rng.IntN(300)) + " ")
		}
		return s.String()
	}
	birds := web{}
	for i := range 120 {
		about := [][]string{{"military", "empire"}, {"island", "ocean"}, {"farm", "grain"}, {"hunter", "forest"}}[i%4]
		birds.pages = append(birds.pages, Page{Text: page(append([]string{"feather", "beak", "nest", "plumage"}, about...)...)})
	}
	var others []string
	for range 60 { // fewer than the map has
		others = append(others, page("military", "island", "farm", "turbine", "violin"))
	}
	subject := []string{"beak", "feather", "nest", "plumage"}
	words := func(labels []label.Label) (all []string) {
		for _, l := range labels {
			all = append(all, l.Words...)
		}
		return all
	}
	for _, k := range []int{1, 4} {
		m := mustFind(t, birds, Options{Clusters: k, All: true, Others: others, Labels: label.Options{Plain: true}})
		named := words(m.Subject)
		slices.Sort(named[:4])
		if !slices.Equal(named[:4], subject) {
			t.Errorf("%d communities: the subject is %q", k, named)
		}
		for _, c := range m.Communities {
			if own := slices.Contains(words(c.Labels), "beak"); own != (k == 1) {
				t.Errorf("of %d communities, one is named %q", k, words(c.Labels))
			}
		}
	}
	if m := mustFind(t, birds, Options{Clusters: 1, All: true}); m.Subject != nil {
		t.Errorf("compared with nothing, the subject is %q", words(m.Subject))
	}
}

func TestFindsTheTopics(t *testing.T) {
	const topics, n = 4, 600
	w := makeWeb(rand.New(rand.NewPCG(1, 1)), topics, n, 80)
	m := mustFind(t, w, Options{Auto: true, Seed: 1})
	if len(m.Communities) != topics || m.Kept != n-n/4 || m.Few || m.Silhouette <= 0 || m.Objective <= 0 || m.Terms == 0 || m.Links == 0 {
		t.Fatalf("%d communities of %d pages, %+v", len(m.Communities), m.Kept, m)
	}
	of, sizes := map[int]int{}, make([]int, topics)
	for i, c := range m.Cluster {
		if c == Dropped {
			continue
		}
		sizes[c]++
		if first, ok := of[c]; ok && first != w.topic[i] {
			t.Errorf("community %d has pages of topics %d and %d", c, first, w.topic[i])
		}
		of[c] = w.topic[i]
		if s := m.Similarity[i]; !(s > 0 && s <= 1) {
			t.Errorf("page %d has similarity %v", i, s)
		}
	}
	for c, own := range m.Communities {
		if own.Size != sizes[c] || len(own.Examples) != shown || own.Circle.R <= 0 {
			t.Errorf("community %d of %d pages: %+v", c, sizes[c], own)
		}
		want := name("Topic", of[c]) + " subject"
		if !slices.ContainsFunc(own.Labels, func(l label.Label) bool { return l.Text == want }) {
			t.Errorf("community %d lacks the label %q: %+v", c, want, own.Labels)
		}
		if m.Between[c][c] != 1 || m.Between[c][0] != m.Between[0][c] {
			t.Errorf("cosines %v", m.Between)
		}
		for _, list := range [][]Ranked{own.Examples, own.Hubs, own.Authorities} {
			if len(list) == 0 {
				t.Errorf("community %d has an empty list", c)
			}
			for k, r := range list {
				if m.Cluster[r.Page] != c || k > 0 && r.Score > list[k-1].Score || !(r.Score > 0 && r.Score <= 1) {
					t.Errorf("community %d lists %+v", c, list)
				}
			}
		}
	}
}

// The page that all pages link to leads its community when links count as in the paper, and otherwise it is in no list.
func TestPlantedPage(t *testing.T) {
	for seed := range uint64(5) {
		w := makeWeb(rand.New(rand.NewPCG(seed, 2)), 2, 400, 60)
		listed := func(m *Map) (list []int) {
			for c, own := range m.Communities {
				for _, r := range append(own.Authorities, own.Hubs...) {
					if r.Page == w.planted {
						list = append(list, c)
					}
				}
			}
			return list
		}
		if m := mustFind(t, w, Options{Clusters: 2, All: true, Links: EveryLink}); len(listed(m)) == 0 {
			t.Errorf("seed %d: as in the paper, page %d is in no list", seed, w.planted)
		}
		if m := mustFind(t, w, Options{Clusters: 2, All: true}); len(listed(m)) > 0 {
			t.Errorf("seed %d: page %d is listed in %v", seed, w.planted, listed(m))
		}
	}
}

func TestSameInputSameMap(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	w := makeWeb(rand.New(rand.NewPCG(3, 3)), 3, 150, 50)
	first := mustFind(t, w, Options{Seed: 4})
	for _, cores := range []int{1, 3} {
		runtime.GOMAXPROCS(cores)
		if !reflect.DeepEqual(first, mustFind(t, w, Options{Seed: 4})) {
			t.Errorf("two maps differ, the second on %d cores", cores)
		}
	}
}

func TestFewPagesGiveFewClusters(t *testing.T) {
	for _, tt := range []struct {
		pages, want int
		few         bool
	}{{200, 5, false}, {64, 4, true}, {28, 2, true}, {12, 1, true}} {
		w := makeWeb(rand.New(rand.NewPCG(4, 4)), 5, tt.pages, 60)
		for _, auto := range []bool{false, true} {
			m := mustFind(t, w, Options{Auto: auto})
			if m.Few != tt.few || tt.few && len(m.Communities) != tt.want || !auto && len(m.Communities) != tt.want {
				t.Errorf("%d pages, auto %v: %d clusters, few %v", tt.pages, auto, len(m.Communities), m.Few)
			}
		}
	}
	if m := mustFind(t, makeWeb(rand.New(rand.NewPCG(4, 4)), 2, 40, 60), Options{All: true, Clusters: 2}); m.Few || m.Kept != 40 || len(m.Communities) != 2 {
		t.Errorf("all of 40 pages in 2 clusters: %d pages, %d clusters, few %v", m.Kept, len(m.Communities), m.Few)
	}
}

func TestErrors(t *testing.T) {
	for name, pages := range map[string][]Page{"no page": nil, "no words": {{Text: "1"}, {Text: "the"}}, "equal pages": {{Text: "frog"}, {Text: "frog"}}} {
		if m, err := Find(context.Background(), pages, nil, Options{}, nil); !errors.Is(err, ErrNoWords) || m != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	w := makeWeb(rand.New(rand.NewPCG(5, 5)), 2, 60, 40)
	for last := range Steps {
		ctx, cancel := context.WithCancel(context.Background())
		var steps []Step
		m, err := Find(ctx, w.pages, w.links, Options{}, func(s Step) {
			if steps = append(steps, s); s == last {
				cancel()
			}
		})
		if len(steps) != int(last)+1 || last < Places && (!errors.Is(err, context.Canceled) || m != nil) {
			t.Errorf("cancelled in step %d: steps %v, %v", last, steps, err)
		}
		cancel()
	}
}

func TestKeep(t *testing.T) {
	for _, tt := range []struct {
		scores []float64
		share  float64
		want   []int
	}{
		{[]float64{1, 5, 3, 2}, .25, []int{1, 2, 3}},
		{[]float64{2, 2, 2, 2, 2}, .25, []int{0, 1, 2, 3}},
		{[]float64{1, 2, 1, 2}, .5, []int{1, 3}},
		{[]float64{3, 1}, .25, []int{0, 1}},
		{[]float64{3, 1}, 0, []int{0, 1}},
		{nil, .25, []int{}},
	} {
		if got := Keep(tt.scores, tt.share); !slices.Equal(got, tt.want) {
			t.Errorf("%v, %v: %v, want %v", tt.scores, tt.share, got, tt.want)
		}
	}
}

// Five thousand pages of 1,200 words and 100,000 links: clusters, hubs and authorities, labels and places. The aim is
// 20 s and 1 GiB on two cores.
func BenchmarkFind(b *testing.B) {
	w := makeWeb(rand.New(rand.NewPCG(6, 6)), 5, 5000, 1200)
	for _, o := range []Options{{All: true}, {All: true, Auto: true}} {
		b.Run(fmt.Sprintf("auto=%v", o.Auto), func(b *testing.B) {
			for b.Loop() {
				mustFind(b, w, o)
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys)/(1<<20), "MiB-sys")
		})
	}
}
