package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"nightjar/model/hmm"
	"nightjar/model/lsi"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
	"nightjar/model/ways"
)

// Observe reads the text of a page: its place in the LSI space, its cluster by the nearest training pages, its similarity
// to the targets, the evidence of its words for each state, and the probability that it is useful. It is safe for
// concurrent use.
func (b *Bundle) Observe(s string) Observation {
	o, _ := b.Read(s)
	return o
}

// Read is Observe, and also returns the features of the page.
func (b *Bundle) Read(s string) (Observation, Words) { return b.ReadStems(b.Stems(s)) }

// ReadPage is Read of a page that declares a language, "" for none. It also returns the language in which the page was
// read; the texts of its links are read in the same one.
func (b *Bundle) ReadPage(declared, s string) (Observation, Words, text.Language) {
	stems, l := b.reading().words.NumberPage(declared, s)
	o, words := b.observation(stems)
	return o, words, l
}

// ReadStems is Read of a page whose stems were counted.
func (b *Bundle) ReadStems(counts text.Counts) (Observation, Words) {
	return b.observation(b.reading().occurrences(counts))
}

// observation reads a page by the occurrences of the stems that the model knows.
func (b *Bundle) observation(stems []text.Occurrence) (Observation, Words) {
	r := b.reading()
	o, words := Observation{Cluster: hmm.NoCluster}, wordsIn(stems, r.feature)
	if row := b.Features.Row(words); len(row.Index) > 0 {
		o.Emission, o.Useful = b.Soft.evidence(row), b.Judge.probability(row)
	}
	terms := make([]text.Occurrence, 0, len(stems))
	for _, s := range stems {
		if t := r.term[s.Term()]; t >= 0 {
			terms = append(terms, text.NewOccurrence(t, s.Times()))
		}
	}
	if v, known := r.space.Fold(terms); known && !zero(v) {
		o.Known, o.Vector, o.Cluster, o.Similarity = true, v, b.classify(v), nearest(v, b.Vectors, r.targets, -1)
	}
	return o, words
}

// Evidence returns Observation.Emission of a page with these features, nil when it has none.
func (b *Bundle) Evidence(w Words) []float64 {
	if len(w.Index) == 0 {
		return nil
	}
	return b.Soft.evidence(b.Features.Row(w))
}

// ReadBayes reads the text of a page with Bayes, which must not be nil. It is safe for concurrent use.
func (b *Bundle) ReadBayes(s string) naivebayes.Reading {
	return b.Bayes.Read(b.Stems(s))
}

// Stems counts the stems of a text, as Bayes knows them, in the language that its words show.
func (b *Bundle) Stems(s string) text.Counts { return b.reading().words.Count(s) }

// StemsOf is Stems of a page that declares a language, and also returns the language in which it was counted.
func (b *Bundle) StemsOf(declared, s string) (text.Counts, text.Language) {
	return b.reading().words.CountPage(declared, s)
}

// StemsIn is Stems of a text in a language.
func (b *Bundle) StemsIn(l text.Language, s string) text.Counts {
	return b.reading().words.CountIn(l, s)
}

// LanguageOf is the language of a training page.
func (b *Bundle) LanguageOf(page int) text.Language {
	if b.Languages == nil {
		return text.English
	}
	return b.Languages[page]
}

// WordOf returns the first word of a short text that has a stem, in any language of the training pages, in lower case; "" when
// there is none.
func (b *Bundle) WordOf(stem, s string) string {
	for _, l := range b.reading().spoken {
		for w := range text.WordsIn(l, s) {
			if text.StemIn(l, string(w)) == stem {
				return string(w)
			}
		}
	}
	return ""
}

// HMM returns the bundle's hidden Markov model, which shares the bundle's slices.
func (b *Bundle) HMM() *hmm.Model {
	return &hmm.Model{Initial: b.Initial, Transition: b.Transition, Emission: b.Emission}
}

// reading holds the indexes in which a bundle looks words up. It is made once, when it is first needed.
type reading struct {
	space   *lsi.Space
	targets []int // pages; the largest cosine to them is a page's similarity, [HMM] §5.1
	words   *text.Counter
	spoken  []text.Language // by the training pages, and English, in order

	// All stems that the model knows are numbered by the alphabet, so that each word of a page is looked up once.
	numbers       map[string]int32
	feature, term []int32 // index of each stem in Features.Terms and in Terms, -1 for none
}

func (b *Bundle) reading() *reading {
	b.reader.Do(func() {
		b.read = reading{
			space:  &lsi.Space{Terms: b.Terms, IDF: b.IDF, Basis: b.Basis, Singular: b.Singular},
			spoken: append(slices.Clone(b.Languages), text.English),
		}
		b.read.number(b.Features.Terms, b.Terms)
		b.read.words = text.NewNumbered(b.read.numbers)
		slices.Sort(b.read.spoken)
		b.read.spoken = slices.Compact(b.read.spoken)
		for i, p := range b.Pages {
			if p.Target {
				b.read.targets = append(b.read.targets, i)
			}
		}
	})
	return &b.read
}

// number numbers the stems of two lists, both in alphabetical order.
func (r *reading) number(features, terms []string) {
	r.numbers = make(map[string]int32, max(len(features), len(terms)))
	for f, t := 0, 0; f < len(features) || t < len(terms); {
		order := 0 // which list has the next stem: the first below 0, the second above, both at 0
		switch {
		case t == len(terms):
			order = -1
		case f == len(features):
			order = 1
		default:
			order = strings.Compare(features[f], terms[t])
		}
		feature, term, stem := int32(-1), int32(-1), ""
		if order <= 0 {
			feature, stem = int32(f), features[f]
			f++
		}
		if order >= 0 {
			term, stem = int32(t), terms[t]
			t++
		}
		r.numbers[stem] = int32(len(r.feature))
		r.feature, r.term = append(r.feature, feature), append(r.term, term)
	}
}

// occurrences are those of the stems that the model knows, ascending.
func (r *reading) occurrences(counts text.Counts) []text.Occurrence {
	list := make([]text.Occurrence, 0, len(counts))
	for stem, n := range counts {
		if i, ok := r.numbers[stem]; ok && n > 0 {
			list = append(list, text.NewOccurrence(i, n))
		}
	}
	slices.Sort(list)
	return list
}

// neighbour is a training page near a page to be classified.
type neighbour struct {
	page   int
	cosine float64
}

// classify returns the cluster with the most votes of the k nearest training pages ([HMM] §4, "K-Nearest Neighbor"). A
// neighbour's vote is its cosine, or 0 when that is negative; ties go to the cluster of the nearest neighbour. Targets take
// part as cluster 0. The result is hmm.NoCluster when no page has a place in the space. Pages with a negative cluster are
// ignored.
func (b *Bundle) classify(v []float64) int {
	cluster := func(i int) int { return b.Pages[i].Cluster }
	near := neighbours(v, b.Vectors, b.Settings.Neighbours, cluster)
	if len(near) == 0 {
		return hmm.NoCluster
	}
	votes := map[int]float64{}
	for _, n := range near {
		votes[cluster(n.page)] += max(0, n.cosine)
	}
	best := cluster(near[0].page)
	for _, n := range near[1:] { // nearest first: on a tie the nearer cluster stays
		if c := cluster(n.page); votes[c] > votes[best] {
			best = c
		}
	}
	return best
}

// neighbours are the k vectors nearest to v, nearest first, ties in the order of the vectors. Zero vectors are ignored.
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

// Relevant reports whether the person would probably want to see a page. Choice.Relevance says how this is decided: the
// judge's probability is at least its threshold, or, as in [HMM] §5.1, the cosine to a target is at least γ. A page
// without any known word is not relevant.
func (b *Bundle) Relevant(o Observation) bool {
	if b.Choice.Relevance == RelevantByJudge {
		return o.Emission != nil && o.Useful >= b.Judge.Threshold
	}
	return o.Known && o.Similarity >= b.Gamma.Value
}

// WithReport returns the bundle with a report and the choice that follows from it. It shares the slices of b. Its error is
// that of a report which no measuring of this model can have made; b is as good as before.
func (b *Bundle) WithReport(r *Report) (*Bundle, error) {
	c := b.without("report")
	c.Choice, c.Report = r.Choice, r
	if err := c.checkReport(); err != nil {
		return nil, fmt.Errorf("add report to model: %w", err)
	}
	return c, nil
}

// Unmeasured is the report on a model that was to be measured, but could not be, for a reason in words.
func Unmeasured(why string) *Report {
	return &Report{
		Choice:  defaultChoice(),
		Verdict: fmt.Sprintf("This could not be measured: %s. The model works without it, and the next training measures again.", why),
	}
}

// WithWays returns the bundle with what was learned from ways, or, when w is nil, the reason in words why nothing was. It
// shares the slices of b.
func (b *Bundle) WithWays(w *ways.Ways, none string) *Bundle {
	c := b.without("ways")
	if c.Ways, c.NoWays = w, none; w != nil {
		c.NoWays = ""
	}
	return c
}

// WithBayes returns the bundle with a classifier of the pages around the topic, or, when c is nil, the reason in words why
// there is none. It shares the slices of b.
func (b *Bundle) WithBayes(c *naivebayes.Classifier, none string) *Bundle {
	with := b.without("bayes")
	if with.Bayes, with.NoBayes = c, none; c != nil {
		with.NoBayes = ""
	}
	return with
}

// without is a copy of the bundle that has forgotten a section which this program cannot read.
func (b *Bundle) without(name string) *Bundle {
	kept := maps.Clone(b.kept)
	delete(kept, name)
	return &Bundle{
		Topic: b.Topic, Settings: b.Settings, Facts: b.Facts, Languages: b.Languages,
		Terms: b.Terms, IDF: b.IDF, Basis: b.Basis, Singular: b.Singular, Vectors: b.Vectors,
		Pages: b.Pages, Edges: b.Edges, Clusters: b.Clusters,
		Initial: b.Initial, Transition: b.Transition, Emission: b.Emission,
		Gamma: b.Gamma, Features: b.Features, Soft: b.Soft, Judge: b.Judge, Lessons: b.Lessons,
		Ways: b.Ways, NoWays: b.NoWays, Bayes: b.Bayes, NoBayes: b.NoBayes, Ancestors: b.Ancestors, Choice: b.Choice, Report: b.Report, kept: kept,
	}
}
