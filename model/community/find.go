package community

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"nightjar/model/cluster"
	"nightjar/model/hits"
	"nightjar/model/internal/parallel"
	"nightjar/model/label"
	"nightjar/model/layout"
	"nightjar/model/spherical"
	"nightjar/model/text"
	"nightjar/model/tfidf"
)

// ErrNoWords says that no page has a word by which pages could be grouped.
var ErrNoWords = errors.New("communities: no page has words that tell it from others; crawl more pages first")

// Page is a page of a crawl.
type Page struct {
	Text    string  // one line for each block
	LogOdds float64 // λ(p) of the classifier of the crawl; any equal values without one
	Site    string  // registrable domain
	Host    string
	Folder  string // address up to its last slash
}

// Rule says which links count for hubs and authorities.
type Rule string

// The rules. Each is tried in this order until at least enoughLinks of all links count.
const (
	BetweenSites   Rule = "sites"   // those between sites; k pages of a host count 1/k each
	BetweenFolders Rule = "folders" // those between folders; k pages of a folder count 1/k each
	EveryLink      Rule = "all"     // as in the paper: each counts 1
)

// Rules are all rules, in their order.
var Rules = []Rule{BetweenSites, BetweenFolders, EveryLink}

// enoughLinks is the share of links that a rule must leave. On one site, wiki or manual, hardly any link is between sites.
const enoughLinks = .1

// Options of a map. The zero value is Nightjar's own way.
type Options struct {
	Clusters int      // number of clusters; 0 means 5
	Auto     bool     // two to eight clusters in the place of Clusters, by silhouette
	All      bool     // keep all pages: there was no classifier
	Links    Rule     // which links count; "" for the first rule that leaves enough
	Others   []string // texts of other pages, with which the subject is compared; with fewer than 30 there is none
	Unscaled bool     // as in the paper: sums of vectors of any length in (3.3) and (3.6)
	Labels   label.Options
	Map      layout.Options
	Seed     uint64
}

const (
	shown = 10 // examples, hubs and authorities of a cluster
	least = 30 // other pages by which a subject is named
	few   = 50 // with fewer pages kept, there are fewer clusters:
	each  = 10 // pages per cluster
	drop  = .25
)

// What Map.Cluster says of pages that are in no cluster.
const (
	NoWords = spherical.None // the page has no word by which pages are grouped
	Dropped = -2             // it is among the worst quarter by the classifier
)

// Map is the communities of a crawl.
type Map struct {
	Communities []Community   // the largest first, at least 1
	Subject     []label.Label // what sets the pages apart from Options.Others, best first, at most 5; also names a community that is the only one
	Cluster     []int         // of each page: its place in Communities, NoWords or Dropped
	Similarity  []float64     // of each page: the cosine with the centre of its cluster, in [0, 1]; 0 without a cluster
	Between     [][]float64   // cosines of the centres, K×K symmetric, in [0, 1]
	Kept        int           // pages that were not dropped
	Few         bool          // fewer than 50 pages were kept, so that there are fewer clusters than asked for
	Terms       int           // stems that tell pages apart
	Links       int           // links among the pages kept that count by Rule
	AllLinks    int           // links among the pages kept
	Rule        Rule
	Objective   float64 // of spherical k-means, in [0, Kept] unless Options.Unscaled
	Silhouette  float64 // in [-1, 1]; 0 with one cluster
}

// Community is one cluster.
type Community struct {
	Size        int
	Labels      []label.Label    // best first, at most 5; none when all its words are too common or too rare
	Words       []cluster.Scored // of its profile, best first, at most 30
	Examples    []Ranked         // pages of the cluster most similar to its centre, at most 10; Score is the cosine
	Hubs        []Ranked         // pages of the cluster, at most 10; Score is in (0, 1]
	Authorities []Ranked
	Circle      layout.Circle
}

// Ranked is a page in a list, best first.
type Ranked struct {
	Page  int
	Score float64
}

// Step is a part of the work of Find.
type Step int

// The steps, in their order.
const (
	Words Step = iota
	Clusters
	HubsAndAuthorities
	Labels
	Places
	Steps // their number
)

// Find makes the map of a crawl. links are {from, to} among all pages. progress, which may be nil, is called before
// each step. The error is ErrNoWords, or ctx.Err() when ctx ends first.
func Find(ctx context.Context, pages []Page, links [][2]int, o Options, progress func(Step)) (*Map, error) {
	f := &finding{o: o, links: links, m: &Map{Cluster: make([]int, len(pages)), Similarity: make([]float64, len(pages))}}
	f.keep(pages)
	steps := [Steps]func(context.Context) error{f.words, f.clusters, f.hubs, f.labels, f.places}
	for step, do := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(Step(step))
		}
		if err := do(ctx); err != nil {
			return nil, err
		}
	}
	return f.m, nil
}

// finding is a map in the making. Its slices are of the pages kept, unless they are said to be of all.
type finding struct {
	o     Options
	links [][2]int // of all pages
	m     *Map

	kept       []int // numbers among all pages
	pages      []Page
	vectors    []tfidf.Vector
	columns    int
	clustering spherical.Clustering
	centres    [][]float64
	similarity [][]float64
}

func (f *finding) keep(pages []Page) {
	scores := make([]float64, len(pages))
	for i, p := range pages {
		scores[i] = p.LogOdds
		f.m.Cluster[i] = Dropped
	}
	share := drop
	if f.o.All {
		share = 0
	}
	f.kept = Keep(scores, share)
	for _, i := range f.kept {
		f.pages = append(f.pages, pages[i])
	}
	f.m.Kept = len(f.kept)
}

// words makes vectors of the stems, with document frequencies over the pages kept.
func (f *finding) words(ctx context.Context) error {
	texts := make([]string, len(f.pages))
	for i, p := range f.pages {
		texts[i] = p.Text
	}
	counts, _, err := text.CountAll(ctx, texts, nil)
	if err != nil {
		return err
	}
	vocabulary := tfidf.Fit(counts, tfidf.Clusters)
	f.columns, f.m.Terms = vocabulary.Len(), vocabulary.Len()
	f.vectors = make([]tfidf.Vector, len(counts))
	parallel.Each(len(counts), func(i int) {
		if f.vectors[i] = vocabulary.Vector(counts[i]); !f.o.Unscaled {
			f.vectors[i] = f.vectors[i].Unit()
		}
	})
	return nil
}

func (f *finding) clusters(context.Context) error {
	k := f.o.Clusters
	if k <= 0 {
		k = spherical.DefaultK
	}
	if most := max(1, f.m.Kept/each); f.m.Kept < few && (k > most || f.o.Auto) {
		k, f.o.Auto, f.m.Few = min(k, most), false, true
	}
	if f.o.Auto {
		f.clustering = spherical.Auto(f.vectors, f.columns, f.o.Seed)
	} else {
		f.clustering = spherical.KMeans(f.vectors, f.columns, k, f.o.Seed)
	}
	if len(f.clustering.Sizes) == 0 {
		return ErrNoWords
	}
	f.centres = f.clustering.Centres(f.vectors, f.columns)
	f.similarity = spherical.Similarities(f.vectors, f.centres)
	f.m.Between = spherical.Between(f.centres)
	f.m.Objective = f.clustering.Objective
	f.m.Silhouette = f.clustering.Silhouette(f.vectors, f.columns)
	f.m.Communities = make([]Community, len(f.centres))
	for i, c := range f.clustering.Assign {
		f.m.Cluster[f.kept[i]] = c
		if c != spherical.None {
			f.m.Similarity[f.kept[i]] = f.similarity[c][i]
		}
	}
	for c := range f.m.Communities {
		f.m.Communities[c].Size = f.clustering.Sizes[c]
		f.m.Communities[c].Examples = f.ranked(f.clustering.Examples(c, f.similarity[c], shown), f.similarity[c])
	}
	return nil
}

// ranked gives the numbers of pages among all.
func (f *finding) ranked(pages []int, scores []float64) []Ranked {
	list := make([]Ranked, len(pages))
	for k, i := range pages {
		list[k] = Ranked{f.kept[i], scores[i]}
	}
	return list
}

func (f *finding) hubs(context.Context) error {
	graph := f.graph()
	parallel.Each(len(f.m.Communities), func(c int) {
		s, own := graph.Run(f.similarity[c]), &f.m.Communities[c]
		own.Hubs = f.ranked(hits.Top(s.Hubs, f.clustering.Assign, c, shown), s.Hubs)
		own.Authorities = f.ranked(hits.Top(s.Authorities, f.clustering.Assign, c, shown), s.Authorities)
	})
	return nil
}

// graph makes the graph of the links that count among the pages kept.
func (f *finding) graph() (g *hits.Graph) {
	place := make(map[int]int, len(f.kept)) // of a page among those kept
	site, host, folder := make([]string, len(f.kept)), make([]string, len(f.kept)), make([]string, len(f.kept))
	for k, i := range f.kept {
		place[i], site[k], host[k], folder[k] = k, f.pages[k].Site, f.pages[k].Host, f.pages[k].Folder
	}
	var links [][2]int
	for _, l := range f.links {
		from, ok := place[l[0]]
		to, too := place[l[1]]
		if ok && too {
			links = append(links, [2]int{from, to})
		}
	}
	by := map[Rule]hits.Options{BetweenSites: {Site: site, Host: host}, BetweenFolders: {Site: folder, Host: folder}, EveryLink: {}}
	f.m.AllLinks = hits.New(len(f.kept), links, hits.Options{}).Links()
	rules := Rules
	if f.o.Links != "" {
		rules = []Rule{f.o.Links}
	}
	for _, f.m.Rule = range rules {
		g = hits.New(len(f.kept), links, by[f.m.Rule])
		if f.m.Links = g.Links(); float64(f.m.Links) >= enoughLinks*float64(f.m.AllLinks) {
			break
		}
	}
	return g
}

func (f *finding) labels(context.Context) error {
	texts := make([]string, len(f.pages))
	for i, p := range f.pages {
		texts[i] = p.Text
	}
	f.o.Labels.Unscaled = f.o.Unscaled
	for c, p := range label.Clusters(texts, f.clustering.Assign, len(f.m.Communities), f.o.Labels) {
		f.m.Communities[c].Labels, f.m.Communities[c].Words = p.Labels, p.Words
	}
	f.m.Subject = f.subject(texts)
	if len(f.m.Communities) == 1 && len(f.m.Subject) > 0 {
		f.m.Communities[0].Labels = f.m.Subject
	}
	return nil
}

// subject names what the best quarter of the pages by the classifier, or all without one, are about, as a cluster beside the other pages.
// Words of the subject are in most pages of the map, so that no community is named by them. A third as many pages are taken as there are
// others: then a word of all of them weighs more, ln 4, than a rarer one of half of them, ½ ln 8.
func (f *finding) subject(texts []string) []label.Label {
	if len(f.o.Others) < least {
		return nil
	}
	own := make([]int, len(f.pages))
	for i := range own {
		own[i] = i
	}
	if !f.o.All {
		slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(f.pages[b].LogOdds, f.pages[a].LogOdds) })
		own = own[:min(len(own), max(len(own)/4, shown))]
	}
	all := slices.Clone(f.o.Others)
	assign := slices.Repeat([]int{-1}, len(all))
	every := (3*len(own) + len(all) - 1) / len(all)
	for k := 0; k < len(own); k += every {
		all, assign = append(all, texts[own[k]]), append(assign, 0)
	}
	return label.Clusters(all, assign, 1, f.o.Labels)[0].Labels
}

func (f *finding) places(context.Context) error {
	for c, circle := range layout.Places(f.m.Between, f.clustering.Sizes, f.o.Map) {
		f.m.Communities[c].Circle = circle
	}
	return nil
}
