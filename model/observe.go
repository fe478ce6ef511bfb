package model

import (
	"maps"
	"slices"

	"nightjar/model/hmm"
	"nightjar/model/lsi"
	"nightjar/model/text"
)

// Observe reads a page's text as the model sees it: its place in the LSI space, its cluster by the nearest training
// pages, its similarity to the targets, and what its words say of its state and of being useful. It is safe for
// concurrent use.
func (b *Bundle) Observe(s string) Observation {
	o, _ := b.Read(s)
	return o
}

// Read is Observe, and gives the features of the page, too.
func (b *Bundle) Read(s string) (Observation, Words) {
	r := b.reading()
	counts := r.words.Count(s)
	o, words := Observation{Cluster: hmm.NoCluster}, countFeatures(counts, r.features)
	if row := b.Features.Row(words); len(row.Index) > 0 {
		o.Emission, o.Useful = b.Soft.evidence(row), b.Judge.probability(row)
	}
	if v, known := r.space.Fold(counts); known && !zero(v) {
		o.Known, o.Vector, o.Cluster, o.Similarity = true, v, b.classify(v), b.nearestTarget(v)
	}
	return o, words
}

// Evidence is Observation.Emission of a page with these features, nil when it has none.
func (b *Bundle) Evidence(w Words) []float64 {
	if len(w.Index) == 0 {
		return nil
	}
	return b.Soft.evidence(b.Features.Row(w))
}

// HMM is the bundle's hidden Markov model. It shares the bundle's slices.
func (b *Bundle) HMM() *hmm.Model {
	return &hmm.Model{Initial: b.Initial, Transition: b.Transition, Emission: b.Emission}
}

// reading is what a bundle looks words up in; it is made once, as it indexes the vocabularies.
type reading struct {
	space    *lsi.Space
	features map[string]int32
	words    *text.Counter
}

func (b *Bundle) reading() *reading {
	b.reader.Do(func() {
		b.read = reading{
			space:    &lsi.Space{Terms: b.Terms, IDF: b.IDF, Basis: b.Basis, Singular: b.Singular, N: len(b.Pages)},
			features: b.Features.index(),
			words:    text.NewCounter(),
		}
	})
	return &b.read
}

// nearestTarget is the largest cosine of v to a target page's vector ([HMM] §5.1); 0 when every target lies elsewhere or
// has no place in the space.
func (b *Bundle) nearestTarget(v []float64) float64 {
	best, found := 0.0, false
	for i, p := range b.Pages {
		if !p.Target || zero(b.Vectors[i]) {
			continue
		}
		if c := lsi.UnitCosine(v, b.Vectors[i]); !found || c > best {
			best, found = c, true
		}
	}
	return best
}

// neighbour is a training page near a page to be classified.
type neighbour struct {
	page   int
	cosine float64
}

// classify gives v the cluster of most weight among the k nearest training pages ([HMM] §4, "K-Nearest Neighbor").
func (b *Bundle) classify(v []float64) int {
	return classify(v, b.Vectors, b.Settings.Neighbours, func(i int) int { return b.Pages[i].Cluster })
}

// classify gives v the cluster of most weight among the k nearest of the vectors. A neighbour's vote weighs its cosine,
// nothing when that is negative; equal weights go to the cluster with the nearest one. Targets take part as cluster 0.
// It is hmm.NoCluster when no vector has a place in the space. cluster tells the cluster of a vector, negative for one to
// leave out.
func classify(v []float64, vectors [][]float64, k int, cluster func(int) int) int {
	near := neighbours(v, vectors, k, cluster)
	if len(near) == 0 {
		return hmm.NoCluster
	}
	votes := map[int]float64{}
	for _, n := range near {
		votes[cluster(n.page)] += max(0, n.cosine)
	}
	best := cluster(near[0].page)
	for _, n := range near[1:] { // nearest first, so that a later cluster must be better, not equal
		if c := cluster(n.page); votes[c] > votes[best] {
			best = c
		}
	}
	return best
}

// neighbours are the k vectors nearest to v, nearest first, equal ones in their order. Those without a place in the
// space are nobody's neighbours.
func neighbours(v []float64, vectors [][]float64, k int, cluster func(int) int) []neighbour {
	k = min(k, len(vectors))
	near := make([]neighbour, 0, k+1)
	for i, w := range vectors {
		if cluster(i) < 0 || zero(w) {
			continue
		}
		c := lsi.UnitCosine(v, w)
		at := len(near)
		for at > 0 && near[at-1].cosine < c {
			at--
		}
		if at < k {
			near = slices.Insert(near, at, neighbour{page: i, cosine: c})
			near = near[:min(len(near), k)]
		}
	}
	return near
}

// Relevant reports whether a page counts as one the person would want to see: by the judge that Choice names, or, for
// the paper's, when its cosine to a target is at least γ ([HMM] §5.1). A page of which nothing is known is not.
func (b *Bundle) Relevant(o Observation) bool {
	if b.Choice.Judge == ClassifierJudge {
		return o.Emission != nil && o.Useful >= b.Judge.Threshold
	}
	return o.Known && o.Similarity >= b.Gamma.Value
}

// WithReport is the bundle with its report and the choice that follows from it. It shares the slices of b.
func (b *Bundle) WithReport(r *Report) *Bundle {
	kept := maps.Clone(b.kept)
	delete(kept, "report")
	return &Bundle{
		Topic: b.Topic, Settings: b.Settings, Facts: b.Facts,
		Terms: b.Terms, IDF: b.IDF, Basis: b.Basis, Singular: b.Singular, Vectors: b.Vectors,
		Pages: b.Pages, Edges: b.Edges, Clusters: b.Clusters,
		Initial: b.Initial, Transition: b.Transition, Emission: b.Emission,
		Gamma: b.Gamma, Features: b.Features, Soft: b.Soft, Judge: b.Judge, Lessons: b.Lessons,
		Choice: r.Choice, Report: r, kept: kept,
	}
}
