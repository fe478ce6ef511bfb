package strategy

import (
	"context"
	"math"
	"slices"

	"nightjar/model"
	"nightjar/model/text"
)

var bestFirstTFIDFKind = Kind{
	Name:    "best-first-tfidf",
	Summary: "follows links from the page that shares the most words with your useful pages (TF-IDF)",
	Look:    7,
	Best:    "no other was on a page that shared more words with your useful pages",
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		return &bestFirstTFIDF{reader{b, "best-first-tfidf"}, newLexical(b)}, nil
	},
}

// bestFirstTFIDF follows the links of the page most similar to a target first by the "lexical Cosine similarity" of [HMM]
// §5.2.1: the largest cosine of words to a target, weighted as in eq. (1). Relevant pages are
// those of the judge that all strategies share.
type bestFirstTFIDF struct {
	reader
	targets *lexical
}

func (s *bestFirstTFIDF) Read(_ context.Context, v Visit) (Judgement, error) {
	stems, _ := s.bundle.StemsOf(v.Page.Language, v.Page.Text)
	o, words := s.bundle.ReadStems(stems)
	j := s.judgement(o)
	j.Priorities = same(v, fine(s.targets.nearest(s.targets.with(words, stems))))
	return j, nil
}

// lexical is an inverted index of the targets' words, so that a page costs only the words it shares with them.
//
//	w_ik = tf_ik (log2(N/df_i)+1), each document scaled to length 1       [HMM] §2.2.1, eq. (1)
//
// N and df count the session's pages, the paper's collection; its dictionary has the terms of these pages, features and
// model.Rare. Terms are numbered in this order.
type lexical struct {
	rare    map[string]int32 // number of each rare term
	idf     []float64        // of each term; 0 for one outside the dictionary
	targets int              // how many
	at      [][]posting      // of each term
}

// posting is the weight of a term in a target.
type posting struct {
	target int32
	weight float64
}

func newLexical(b *model.Bundle) *lexical {
	features := len(b.Features.Terms)
	terms := features + len(b.Rare.Terms)
	x := &lexical{rare: make(map[string]int32, len(b.Rare.Terms)), idf: make([]float64, terms), at: make([][]posting, terms)}
	for k, term := range b.Rare.Terms {
		x.rare[term] = int32(features + k)
	}
	pages := slices.Clone(b.Lessons.Pages)
	for i, p := range b.Rare.Pages {
		pages[i].Index, pages[i].Count = slices.Clone(pages[i].Index), slices.Concat(pages[i].Count, p.Count)
		for _, k := range p.Index {
			pages[i].Index = append(pages[i].Index, int32(features)+k)
		}
	}
	for _, p := range pages {
		for _, term := range p.Index {
			x.idf[term]++
		}
	}
	for term, df := range x.idf {
		if df > 0 {
			x.idf[term] = math.Log2(float64(len(pages))/df) + 1
		}
	}
	for i, p := range b.Pages {
		if !p.Target {
			continue
		}
		for k, weight := range x.weigh(pages[i]) {
			if weight > 0 {
				term := pages[i].Index[k]
				x.at[term] = append(x.at[term], posting{int32(x.targets), weight})
			}
		}
		x.targets++
	}
	return x
}

// with adds the rare terms of a page to its features, in their order, so that sums are the same each time.
func (x *lexical) with(w model.Words, stems text.Counts) model.Words {
	var found []int32
	of := make(map[int32]int)
	for stem, n := range stems {
		if term, rare := x.rare[stem]; rare && n > 0 {
			found, of[term] = append(found, term), n
		}
	}
	slices.Sort(found)
	w.Index, w.Count = slices.Concat(w.Index, found), slices.Clone(w.Count)
	for _, term := range found {
		w.Count = append(w.Count, int32(min(of[term], math.MaxInt32)))
	}
	return w
}

// weigh is eq. (1) for each word of a page; all weights are 0 when no word is in the dictionary.
func (x *lexical) weigh(w model.Words) []float64 {
	weight, squares := make([]float64, len(w.Index)), 0.0
	for k, term := range w.Index {
		weight[k] = float64(w.Count[k]) * x.idf[term]
		squares += weight[k] * weight[k]
	}
	if squares > 0 {
		norm := math.Sqrt(squares)
		for k := range weight {
			weight[k] /= norm
		}
	}
	return weight
}

// nearest is the largest cosine of a page to a target, in [0, 1].
func (x *lexical) nearest(w model.Words) float64 {
	cosine := make([]float64, x.targets)
	for k, weight := range x.weigh(w) {
		for _, p := range x.at[w.Index[k]] {
			cosine[p.target] += weight * p.weight
		}
	}
	best := 0.0
	for _, c := range cosine {
		best = max(best, c)
	}
	return min(1, best)
}
