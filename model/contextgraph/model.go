package contextgraph

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"nightjar/model"
)

// Document says how often each word occurs in a page.
type Document = model.Words

// Options are the parameters of the paper. The zero value is not valid: start from Defaults.
type Options struct {
	Depth      int    // layers beyond the targets, N
	Most       int    // most pages of a layer of one target's graph
	Components int    // words of a page that are kept
	Seed       uint64 // of the samples
}

// Defaults returns the parameters of [CGS] §3.2 and §4.
func Defaults() Options { return Options{Depth: 4, Most: 300, Components: 40, Seed: 1} }

// Graph is the training data: pages and the links among them.
type Graph struct {
	Pages     []Document
	Edges     [][2]int   // from, to: indices into Pages
	Target    []bool     // by page
	Reference []Document // further pages that say how rare a word is: with Pages, the reference corpus of [CGS]
}

// Model predicts the layer of a page from its words. It is immutable and safe for concurrent use.
type Model struct {
	o          Options
	inverse    []float64 // ln(N/f(w)) of each word of the vocabulary; 0 for all others
	vocabulary int       // |V|
	layer      []int     // which layer each class stands for; those without words are left out
	logWord    [][]float64
	threshold  []float64 // least log likelihood of each class, mean of the words
}

// Learn trains the classifiers of a graph's layers. words is the number of words; the numbers in a Document are in
// [0, words). The same graph and options give the same model.
func Learn(g Graph, words int, o Options) *Model {
	layers := Layers(g.Edges, g.Target, o.Depth, o.Most, rand.New(rand.NewPCG(o.Seed, 0)))
	m := &Model{o: o}
	m.findVocabulary(g, layers, words)
	reduced := make(map[int]Document) // a page may be in several layers
	for l, pages := range layers {
		var docs []Document
		for _, i := range pages {
			d, known := reduced[i]
			if !known {
				d = m.reduce(g.Pages[i])
				reduced[i] = d
			}
			docs = append(docs, d)
		}
		m.addClass(l, docs)
	}
	return m
}

// Layers returns the number of layers with that of the targets, N+1.
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
