package model

import (
	"context"
	"math/rand/v2"
	"slices"

	"nightjar/model/cluster"
	"nightjar/model/hmm"
	"nightjar/model/logistic"
	"nightjar/model/lsi"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// material is the prepared texts of a training. All folds of the report share it.
type material struct {
	set      TrainingSet
	settings Settings
	language []text.Language   // of the session's pages
	vectors  [][]float64       // their unit coordinates in the LSI space
	features Features          // the words that the classifiers read
	words    []Words           // features of the session's pages, and after them of the background
	rows     []logistic.Row    // the same, weighed
	problem  *logistic.Problem // made of rows
	rejected []bool            // of each row: the person marked the page Not useful
	grouped  *logistic.Problem // made of rows with Offsets; problem where there are none
	power    float64           // of the soft emission, found on the whole session
}

// sample is the part of the session to train on: all of it, or what a fold keeps.
type sample struct {
	known  []int  // indices of pages, ascending
	target []bool // by page; only known ones
}

// whole is the sample of the whole session.
func (m *material) whole() sample {
	s := sample{target: make([]bool, len(m.set.Pages))}
	for i, p := range m.set.Pages {
		s.known, s.target[i] = append(s.known, i), p.Target
	}
	return s
}

// targets lists the known targets.
func (s sample) targets() []int {
	var all []int
	for _, i := range s.known {
		if s.target[i] {
			all = append(all, i)
		}
	}
	return all
}

// learned is what is learned from a sample.
type learned struct {
	sample
	cluster  []int // of each known page; 0 for targets, 1..x for the others
	clusters int   // x+1
	state    []int // hop label of each known page
	hmm      *hmm.Model
	soft     Soft
	judge    Judge
	unseen   []float64 // probabilities of the known pages by judges that were trained without them; nil with one target
}

// learn trains what depends on which pages and targets are known, except for the clusters: all pages are in one.
func (m *material) learn(ctx context.Context, s sample) (*learned, error) {
	l := &learned{sample: s, cluster: make([]int, len(m.set.Pages)), clusters: 1}
	l.state, l.hmm = m.labelStates(s, l.cluster, l.clusters)
	var err error
	if l.soft, err = m.softEmission(ctx, s, l.state); err != nil {
		return nil, err
	}
	l.judge, l.unseen, err = m.learnJudge(ctx, s)
	return l, err
}

// ClusterRank is the number of dimensions in which pages are clustered: the first ones of the LSI space, with pages scaled to
// length 1 again. In all 50 or so dimensions the BIC penalty rejects every split, so that X-means keeps to the fewest
// clusters on recorded sessions of any size. In ten, sessions of up to 50 pages have three clusters, those of 100 three to
// eight, and most of those of 200 eight. This improved crawls with "hmm" on Wikispeedia and cost nothing on WebKB; with 15
// dimensions they got worse on a large university's web.
//
// Pages are classified in the whole space, as [HMM] §4 has it, also those that a crawl fetched. Clusters of ten dimensions
// are neighbourhoods there, too: with ten for both, crawls were no better.
const ClusterRank = 10

// clusterPages clusters the known pages, and returns x+1. The targets are cluster 0 ([HMM] §2.2.2). A page without a place in
// the first ClusterRank dimensions, such as one without terms, is assigned to the cluster with the most pages.
func (m *material) clusterPages(s sample) (of []int, clusters int) {
	var points [][]float64
	var page []int // of each point
	for _, i := range s.known {
		if p := lsi.Leading(m.vectors[i], ClusterRank); !s.target[i] && !zero(p) {
			points, page = append(points, p), append(page, i)
		}
	}
	of = make([]int, len(m.set.Pages))
	x, largest := 1, 1
	if len(points) > 0 {
		rng := rand.New(rand.NewPCG(m.settings.Seed, 0))
		c := cluster.XMeans(points, m.settings.MinClusters, m.settings.MaxClusters, rng)
		x = len(c.Centroids)
		size := make([]int, x+1)
		for i, k := range c.Assign {
			of[page[i]] = k + 1
			size[k+1]++
			if size[k+1] > size[largest] {
				largest = k + 1
			}
		}
	}
	for _, i := range s.known {
		if !s.target[i] && of[i] == 0 {
			of[i] = largest
		}
	}
	return of, x + 1
}

// labelStates gives the known pages their hop labels, by the links among them, and counts the hidden Markov model
// ([HMM] §3.2).
func (m *material) labelStates(s sample, clusterOf []int, clusters int) (of []int, h *hmm.Model) {
	at := slices.Repeat([]int{-1}, len(m.set.Pages)) // place among the known pages, -1 for others
	target, cluster := make([]bool, len(s.known)), make([]int, len(s.known))
	for k, i := range s.known {
		at[i], target[k], cluster[k] = k, s.target[i], clusterOf[i]
	}
	var edges [][2]int
	for _, e := range m.set.Edges {
		if at[e[0]] >= 0 && at[e[1]] >= 0 {
			edges = append(edges, [2]int{at[e[0]], at[e[1]]})
		}
	}
	states := webgraph.Layers(len(s.known), edges, target, m.settings.States)
	of = make([]int, len(m.set.Pages))
	for k, i := range s.known {
		of[i] = states[k]
	}
	return of, hmm.Estimate(m.settings.States, clusters, states, cluster, edges, m.settings.Smoothing)
}

// nearest is the largest cosine of v to one of the listed vectors, skip left out; 0 when none of them has a place in the
// space.
func nearest(v []float64, vectors [][]float64, listed []int, skip int) float64 {
	best, found := 0.0, false
	for _, i := range listed {
		if i == skip || zero(vectors[i]) {
			continue
		}
		if c := lsi.UnitCosine(v, vectors[i]); !found || c > best {
			best, found = c, true
		}
	}
	return best
}
