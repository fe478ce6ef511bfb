package contextgraph

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Document is how often each word occurs in a page: Count[i] times the one of number Index[i]; numbers ascend, counts are
// at least 1.
type Document struct {
	Index []int32
	Count []int32
}

// Options are the choices of the paper. The zero value is not useful: begin with Defaults.
type Options struct {
	Depth      int     // layers beyond the targets, N
	Most       int     // pages of a layer
	Components int     // words of a page that are kept
	Posterior  float64 // least P(c_j|d) of a page that is not "other", as in [HMM] §5.2.1; 0 means the threshold of [CGS] §3.3
	Seed       uint64  // of the samples
}

// Defaults are the settings of [CGS] §3.2 and §4.
func Defaults() Options { return Options{Depth: 4, Most: 300, Components: 40, Seed: 1} }

// Graph is what is learned from.
type Graph struct {
	Pages     []Document
	Edges     [][2]int   // from, to: indices into Pages
	Target    []bool     // by page
	Reference []Document // pages that count beside Pages in how rare a word is, the rest of [CGS]'s reference corpus
}

// Model tells layers by the words of a page. It is immutable and safe for concurrent use.
type Model struct {
	o          Options
	inverse    []float64 // ln(N/f(w)) of each word of the vocabulary; 0 for all others
	vocabulary int       // |V|
	layer      []int     // which layer each class stands for; those without words are left out
	logWord    [][]float64
	threshold  []float64 // least mean log likelihood of each class
}

// Learn builds the classifiers of a graph's layers. words is how many words there are; a Document's numbers lie in
// [0, words). The same graph and options give the same model.
func Learn(g Graph, words int, o Options) *Model {
	layers := Layers(g.Edges, g.Target, o.Depth, o.Most, rand.New(rand.NewPCG(o.Seed, 0)))
	m := &Model{o: o}
	m.findVocabulary(g, layers, words)
	for l, pages := range layers {
		var docs []Document
		for _, i := range pages {
			docs = append(docs, m.reduce(g.Pages[i]))
		}
		m.addClass(l, docs)
	}
	return m
}

// Layers is how many layers there are, the targets' among them, N+1.
func (m *Model) Layers() int { return m.o.Depth + 1 }

// findVocabulary takes as V the words of the seeds and of the first layer, and as N and f(w) those of all known pages.
func (m *Model) findVocabulary(g Graph, layers [][]int, words int) {
	known := make([]bool, words)
	for _, pages := range layers[:min(2, len(layers))] {
		for _, i := range pages {
			for _, w := range g.Pages[i].Index {
				if !known[w] {
					known[w] = true
					m.vocabulary++
				}
			}
		}
	}
	f := make([]float64, words)
	for _, docs := range [][]Document{g.Pages, g.Reference} {
		for _, d := range docs {
			for _, w := range d.Index {
				f[w]++
			}
		}
	}
	n := float64(len(g.Pages) + len(g.Reference))
	m.inverse = make([]float64, words)
	for w, is := range known {
		if is {
			m.inverse[w] = math.Log(n / f[w])
		}
	}
}

// reduce cuts a page to the words of highest TF-IDF, equal ones to those of the lower number:
//
//	v(w) = f_d(w)/f_max · ln(N/f(w))                       [CGS] §3.2, eq. (1)
//
// f_max is the same for all words of a page, so that it does not change which are kept, and is left out. A word that every
// page has weighs nothing and goes.
func (m *Model) reduce(d Document) Document {
	type component struct {
		word, count int32
		value       float64
	}
	var all []component
	for k, w := range d.Index {
		if v := float64(d.Count[k]) * m.inverse[w]; v > 0 {
			all = append(all, component{w, d.Count[k], v})
		}
	}
	if len(all) > m.o.Components {
		slices.SortFunc(all, func(a, b component) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.word, b.word)) })
		all = all[:m.o.Components]
		slices.SortFunc(all, func(a, b component) int { return cmp.Compare(a.word, b.word) })
	}
	r := Document{Index: make([]int32, len(all)), Count: make([]int32, len(all))}
	for k, c := range all {
		r.Index[k], r.Count[k] = c.word, c.count
	}
	return r
}
