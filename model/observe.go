package model

import (
	"slices"

	"nightjar/model/hmm"
	"nightjar/model/lsi"
	"nightjar/model/text"
)

// Observe reads a page's text as the model sees it: its place in the LSI space, its cluster by the nearest training
// pages, and its similarity to the targets. It is safe for concurrent use.
func (b *Bundle) Observe(s string) Observation {
	counts, _ := text.Count(s)
	v, known := b.lsi().Fold(counts)
	if !known || zero(v) {
		return Observation{Cluster: hmm.NoCluster}
	}
	return Observation{Known: true, Vector: v, Cluster: b.classify(v), Similarity: b.nearestTarget(v, -1)}
}

// HMM is the bundle's hidden Markov model. It shares the bundle's slices.
func (b *Bundle) HMM() *hmm.Model {
	return &hmm.Model{Initial: b.Initial, Transition: b.Transition, Emission: b.Emission}
}

// lsi is the space that folds pages in; it is made once, as it indexes the vocabulary.
func (b *Bundle) lsi() *lsi.Space {
	b.reader.Do(func() {
		b.space = &lsi.Space{Terms: b.Terms, IDF: b.IDF, Basis: b.Basis, Singular: b.Singular, N: len(b.Pages)}
	})
	return b.space
}

// nearestTarget is the largest cosine of v to a target page's vector ([HMM] §5.1), leaving out page skip; 0 when every
// target lies elsewhere or has no place in the space.
func (b *Bundle) nearestTarget(v []float64, skip int) float64 {
	best, found := 0.0, false
	for i, p := range b.Pages {
		if !p.Target || i == skip || zero(b.Vectors[i]) {
			continue
		}
		if c := lsi.Cosine(v, b.Vectors[i]); !found || c > best {
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

// classify gives v the cluster of most weight among the k nearest training pages ([HMM] §4, "K-Nearest Neighbor"). A
// page's vote weighs its cosine, nothing when that is negative; equal weights go to the cluster with the nearest page.
// Targets take part as cluster 0.
func (b *Bundle) classify(v []float64) int {
	near := b.neighbours(v)
	votes := make([]float64, len(b.Clusters))
	for _, n := range near {
		votes[b.Pages[n.page].Cluster] += max(0, n.cosine)
	}
	best := b.Pages[near[0].page].Cluster
	for _, n := range near[1:] { // nearest first, so that a later cluster must be better, not equal
		if c := b.Pages[n.page].Cluster; votes[c] > votes[best] {
			best = c
		}
	}
	return best
}

// neighbours are the k training pages nearest to v, nearest first, equal ones in the order of the pages. Pages without a
// place in the space are nobody's neighbours; there is at least one other, or the model has no terms.
func (b *Bundle) neighbours(v []float64) []neighbour {
	k := min(b.Settings.Neighbours, len(b.Vectors))
	near := make([]neighbour, 0, k+1)
	for i, w := range b.Vectors {
		if zero(w) {
			continue
		}
		c := lsi.Cosine(v, w)
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
	return &Bundle{
		Topic: b.Topic, Settings: b.Settings, Facts: b.Facts,
		Terms: b.Terms, IDF: b.IDF, Basis: b.Basis, Singular: b.Singular, Vectors: b.Vectors,
		Pages: b.Pages, Edges: b.Edges, Clusters: b.Clusters,
		Initial: b.Initial, Transition: b.Transition, Emission: b.Emission,
		Gamma: b.Gamma, Features: b.Features, Soft: b.Soft, Judge: b.Judge,
		Choice: r.Choice, Report: r,
	}
}
