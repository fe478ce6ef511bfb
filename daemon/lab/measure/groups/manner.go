package groups

import (
	"cmp"
	"context"
	"slices"

	"nightjar/model/cobweb"
	"nightjar/model/conceptset"
	"nightjar/model/dbscan"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/text"
	"nightjar/model/tfidf"
	"nightjar/model/wordnet"
)

// Names of the manners, as they are shown.
const (
	concepts  = "concepts, ontology of the categories"
	general   = "concepts, ontology of everything"
	keywords  = "8 keywords as senses"
	more      = "32 keywords as senses"
	anchors   = "8 keywords of anchors alone, as senses"
	exact     = "the same 8 keywords, equal only"
	allWords  = "all words of links"
	wordTFIDF = "all words of links, TF-IDF"
	fullText  = "text, TF-IDF"
	titleOnly = "text blanked: title, TF-IDF"
)

// described are how many of a text's terms describe a page for COBWEB, those with the largest weights.
const described = 20

// manner is a way to describe and compare pages.
type manner struct {
	name    string
	alike   func(i, j int) float64 // of pages of the sample, symmetric
	least   []float64              // similarities of DBSCAN, falling
	objects []conceptset.Set       // of COBWEB
	has     int                    // pages with a description
}

// library is what is made of a web once.
type library struct {
	web   *web
	words *dictionary
	names []string // of the vocabulary
	own   *ontology.Tree
	all   *ontology.Tree // that does not know the categories
}

// describe describes pages by so many words of the links in, by page, and by their senses; and by terms of an ontology unless
// tree is nil.
func (l *library) describe(in [][]link, pages []int, tree *ontology.Tree, words int) []senses.Description {
	d := &senses.Describer{Net: l.words.net, Words: words}
	if tree != nil {
		d.Ontology, _ = senses.NewTerms(tree, l.words.net)
	}
	all := make([]senses.Description, len(pages))
	for i, p := range pages {
		all[i] = d.Describe(count(in[p], l.names))
	}
	return all
}

// manners are the ways to describe the pages of a sample.
func (l *library) manners(ctx context.Context, pages []int) ([]manner, error) {
	said := l.describe(l.web.in, pages, nil, senses.DefaultWords)
	own, err := l.byTerms(ctx, concepts, pages, l.own)
	if err != nil {
		return nil, err
	}
	wide, err := l.byTerms(ctx, general, pages, l.all)
	if err != nil {
		return nil, err
	}
	chosen, err := l.bySenses(ctx, keywords, said)
	if err != nil {
		return nil, err
	}
	many, err := l.bySenses(ctx, more, l.describe(l.web.in, pages, nil, 32))
	if err != nil {
		return nil, err
	}
	bare, err := l.bySenses(ctx, anchors, l.describe(l.web.anchors, pages, nil, senses.DefaultWords))
	if err != nil {
		return nil, err
	}
	top, counts := make([]text.Counts, len(pages)), make([]text.Counts, len(l.web.urls))
	for i, one := range said {
		top[i] = text.Counts{}
		for _, w := range one.Words {
			top[i][w.Word] = w.N
		}
	}
	for i := range counts {
		counts[i] = text.Counts{}
		for _, k := range count(l.web.in[i], l.names) {
			counts[i][k.Word] = k.N
		}
	}
	return []manner{
		own, wide, chosen, many, bare,
		byCounts(exact, top),
		byCounts(allWords, at(counts, pages)),
		byTFIDF(wordTFIDF, counts, pages),
		byTFIDF(fullText, l.web.stems, pages),
		byTFIDF(titleOnly, l.web.titleStems, pages),
	}, nil
}

func at(counts []text.Counts, pages []int) []text.Counts {
	all := make([]text.Counts, len(pages))
	for i, p := range pages {
		all[i] = counts[p]
	}
	return all
}

// byTerms compares pages by terms of an ontology, table 1.
func (l *library) byTerms(ctx context.Context, name string, pages []int, tree *ontology.Tree) (manner, error) {
	sets, err := termSets(l.describe(l.web.in, pages, tree, senses.DefaultWords))
	if err != nil {
		return manner{}, err
	}
	return byConcepts(ctx, name, sets, tree.Similarity, tree.Above)
}

// bySenses compares pages by the senses of their words, table 2.
func (l *library) bySenses(ctx context.Context, name string, said []senses.Description) (manner, error) {
	sets, err := senseSets(said)
	if err != nil {
		return manner{}, err
	}
	above := func(s int) (all []int) {
		for _, h := range l.words.above(wordnet.Sense(s)) {
			all = append(all, int(h))
		}
		return all
	}
	return byConcepts(ctx, name, sets, l.senseSimilarity, above)
}

func (l *library) senseSimilarity(a, b int) float64 {
	return l.words.net.Similarity(wordnet.Sense(a), wordnet.Sense(b))
}

func termSets(said []senses.Description) ([]conceptset.Set, error) {
	return makeSets(said, func(d *senses.Description) (all []conceptset.Concept) {
		for _, t := range d.Terms {
			all = append(all, conceptset.Concept{ID: t.Term, Weight: t.Weight})
		}
		return all
	})
}

func senseSets(said []senses.Description) ([]conceptset.Set, error) {
	return makeSets(said, func(d *senses.Description) (all []conceptset.Concept) {
		for _, c := range d.Concepts() {
			all = append(all, conceptset.Concept{ID: int(c.Sense), Weight: c.Weight})
		}
		return all
	})
}

func makeSets(said []senses.Description, of func(*senses.Description) []conceptset.Concept) ([]conceptset.Set, error) {
	sets := make([]conceptset.Set, len(said))
	for i := range said {
		var err error
		if sets[i], err = conceptset.New(of(&said[i])); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// byConcepts compares pages by ζ, in steps as Explore keeps it.
func byConcepts(ctx context.Context, name string, sets []conceptset.Set, s conceptset.Func, above func(int) []int) (manner, error) {
	pairs, err := conceptset.AllPairs(ctx, sets, s, nil)
	if err != nil {
		return manner{}, err
	}
	m := manner{name: name, alike: pairs.Similarity, least: dbscan.MinSims()}
	for _, set := range sets {
		m.add(cobweb.Describe(set, above, s))
	}
	return m, nil
}

func (m *manner) add(object conceptset.Set) {
	m.objects = append(m.objects, object)
	if len(object) > 0 {
		m.has++
	}
}

// byCounts compares pages by the cosine of the numbers of their words.
func byCounts(name string, counts []text.Counts) manner {
	number := map[string]int32{}
	var vectors []tfidf.Vector
	for _, c := range counts {
		var words []string
		for word := range c {
			words = append(words, word)
			if _, ok := number[word]; !ok {
				number[word] = int32(len(number))
			}
		}
		slices.SortFunc(words, func(a, b string) int { return cmp.Compare(number[a], number[b]) })
		var v tfidf.Vector
		for _, word := range words {
			v.Index, v.Value = append(v.Index, number[word]), append(v.Value, float64(c[word]))
		}
		vectors = append(vectors, v)
	}
	return byVectors(name, vectors)
}

// byTFIDF compares pages by the cosine of their terms, whose weights are learned from all pages of the web.
func byTFIDF(name string, all []text.Counts, pages []int) manner {
	v := tfidf.Fit(all, tfidf.Shares{})
	var vectors []tfidf.Vector
	for _, p := range pages {
		vectors = append(vectors, v.Vector(all[p]))
	}
	return byVectors(name, vectors)
}

func byVectors(name string, vectors []tfidf.Vector) manner {
	m := manner{name: name, least: cosines()}
	for i, v := range vectors {
		m.add(heaviest(v))
		vectors[i] = v.Unit()
	}
	cosine := make([][]float64, len(vectors)) // DBSCAN asks for each many times
	for i := range vectors {
		for j := range i + 1 {
			cosine[i] = append(cosine[i], tfidf.Dot(vectors[i], vectors[j]))
		}
	}
	m.alike = func(i, j int) float64 { return cosine[max(i, j)][min(i, j)] }
	return m
}

// heaviest are the terms of a vector that describe a page for COBWEB, with weights of at most 1.
func heaviest(v tfidf.Vector) conceptset.Set {
	var all []conceptset.Concept
	for k, id := range v.Index {
		if v.Value[k] > 0 {
			all = append(all, conceptset.Concept{ID: int(id), Weight: v.Value[k]})
		}
	}
	slices.SortFunc(all, func(a, b conceptset.Concept) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.ID, b.ID))
	})
	all = all[:min(described, len(all))]
	for k := len(all) - 1; k >= 0; k-- {
		all[k].Weight /= all[0].Weight
	}
	set, err := conceptset.New(all)
	if err != nil {
		panic("groups: " + err.Error()) // a vector has each index once, and no weight is above the first
	}
	return set
}

// cosines are the similarities at which pages are clustered by a cosine: .95, .90, ..., .05. Those of texts are small.
func cosines() []float64 {
	var all []float64
	for percent := 95; percent >= 5; percent -= 5 {
		all = append(all, float64(percent)/100)
	}
	return all
}
