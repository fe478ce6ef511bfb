package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"nightjar/crawler/page"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/corpus"
	"nightjar/model"
	"nightjar/model/hmm"
	"nightjar/model/lsi"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// fetched is a page of the web as a session sees it.
type fetched struct {
	place []float64 // in the session's space; zero without a known term
	text  string
}

// reader prepares sessions. It counts the words of a recording's pages once for all sessions of tasks that follow each other.
type reader struct {
	corpus  []string
	counter *text.Counter
	counts  map[string]document // by final URL
}

// document is a fetched page.
type document struct {
	stems text.Counts
	text  string
}

// session is a session to learn from, and the web to crawl.
type session struct {
	task     *bench.Task
	settings model.Settings
	set      *model.TrainingSet
	target   []bool
	state    []int
	vectors  [][]float64 // of the session's pages, as lsi.Fit returns them
	singular []float64

	read     func(page int) *fetched // a page of the web
	relevant []bool                  // of the web's pages
	links    [][]int
	starts   []int
	oracle   int // area under its curve
}

func (r *reader) session(ctx context.Context, g *bench.Ground) (*session, error) {
	s := &session{task: &g.Task, settings: model.DefaultSettings(), set: &g.Set, oracle: corpus.Under(g.Oracle, g.Task.Budget)}
	s.settings.Seed = g.Seed
	texts := make([]string, len(g.Set.Pages))
	for i, p := range g.Set.Pages {
		texts[i] = p.Text
		s.target = append(s.target, p.Target)
	}
	counts, _, err := text.CountAll(ctx, texts, func(int) {})
	if err != nil {
		return nil, err
	}
	space, vectors := lsi.Fit(text.Collect(counts), s.settings.Rank)
	s.vectors, s.singular = vectors, space.Singular
	s.state = webgraph.Layers(len(s.target), g.Set.Edges, s.target, s.settings.States)
	s.links, s.starts = g.Web.Links()
	for _, url := range g.Web.Pages() {
		s.relevant = append(s.relevant, g.Relevant[url])
	}
	known := make([]*fetched, len(s.relevant))
	s.read = func(page int) *fetched {
		if known[page] == nil {
			d := r.document(ctx, g, g.Web.Pages()[page])
			known[page] = &fetched{text: d.text}
			known[page].place, _ = space.Fold(d.stems)
		}
		return known[page]
	}
	return s, ctx.Err()
}

// document reads a page of the recording.
func (r *reader) document(ctx context.Context, g *bench.Ground, url string) document {
	if !slices.Equal(r.corpus, g.Task.Corpus) {
		r.corpus, r.counter, r.counts = g.Task.Corpus, text.NewCounter(), make(map[string]document)
	}
	d, ok := r.counts[url]
	if !ok {
		response := g.Replay.Fetch(ctx, url)
		if p, err := page.ParseFrom(response.Source(), response.Body); err == nil { // otherwise it has no words
			d = document{r.counter.Count(p.Text), p.Text}
		}
		r.counts[url] = d
	}
	return d
}

// measured is what a manner comes to with a session.
type measured struct {
	clusters int
	share    float64 // of the oracle's area that the crawl has
	bits     float64 // see information
}

// measure clusters the session's pages in a manner, and crawls.
func (s *session) measure(m *manner) measured {
	dims := m.dims(s.singular)
	of, clusters := s.cluster(m, dims)
	h := hmm.Estimate(s.settings.States, clusters+1, s.state, of, s.set.Edges, s.settings.Smoothing)
	known, place := s.vectors, func(v []float64) []float64 { return v }
	if m.same {
		place = func(v []float64) []float64 { return lsi.Leading(v, dims) }
		known = make([][]float64, len(s.vectors))
		for i, v := range s.vectors {
			known[i] = place(v)
		}
	}
	evidence := func(page int) []float64 {
		v := place(s.read(page).place)
		if zero(v) {
			return nil
		}
		return h.Evidence(model.Classify(v, known, s.settings.Neighbours, func(i int) int { return of[i] }))
	}
	return measured{clusters, float64(s.crawl(h, evidence)) / float64(s.oracle), s.information(evidence)}
}

// looked is about how many pages information looks at.
const looked = 1500

// information is how much the cluster of a page of the web says of its state, the number of links to the nearest relevant
// page: log2 of P(state | cluster)/P(state) in bits, the mean over the states' own means, all states being equally probable.
// The model was estimated on the session, so that it is below 0 when what the session taught misleads.
func (s *session) information(evidence func(page int) []float64) float64 {
	var edges [][2]int
	for from, links := range s.links {
		for _, to := range links {
			edges = append(edges, [2]int{from, to})
		}
	}
	n := s.settings.States
	state := webgraph.Layers(len(s.links), edges, s.relevant, n)
	sum, pages := make([]float64, n), make([]float64, n)
	for page := 0; page < len(state); page += 1 + len(state)/looked {
		e, all := evidence(page), 0.0
		for _, b := range e {
			all += b
		}
		pages[state[page]]++
		if all > 0 {
			sum[state[page]] += math.Log2(float64(n) * e[state[page]] / all)
		}
	}
	bits, states := 0.0, 0.0
	for j := range n {
		if pages[j] > 0 {
			bits += sum[j] / pages[j]
			states++
		}
	}
	return bits / states
}

// cluster returns the clusters of the session's pages, 0 for the targets, and their number without that one. As in a training,
// a page without a place is in the largest cluster.
func (s *session) cluster(m *manner, dims int) (of []int, clusters int) {
	var points [][]float64
	var page []int
	for i, v := range s.vectors {
		if p := m.place(v, dims); !s.target[i] && !zero(p) {
			points, page = append(points, p), append(page, i)
		}
	}
	of = make([]int, len(s.vectors))
	for i := range of {
		if !s.target[i] {
			of[i] = 1 // clusters are numbered by size
		}
	}
	if len(points) == 0 {
		return of, 1
	}
	c := m.find(points, s.settings.MinClusters, s.settings.MaxClusters, rand.New(rand.NewPCG(s.settings.Seed, 0)))
	for i, k := range c.Assign {
		of[page[i]] = k + 1
	}
	return of, len(c.Centroids)
}
