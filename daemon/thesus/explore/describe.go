package explore

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"nightjar/daemon/thesus/links"
	"nightjar/model/conceptset"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// describer describes pages by concepts of a space.
type describer struct {
	space *space
	senses.Describer
}

func newDescriber(s *space, o GroupingOptions) *describer {
	d := &describer{space: s, Describer: senses.Describer{
		Net: s.net, Words: o.Words, MinSimilarity: o.MinSimilarity, Choose: senses.Options{Seed: o.Seed},
	}}
	if s.terms != nil {
		d.Ontology = s.terms
	}
	return d
}

// words is how many words of a page take part.
func (d *describer) words() int { return cmp.Or(d.Words, DefaultWords) }

// most gives the words that take part.
func (d *describer) most(all []links.Keyword) []senses.Keyword { return most(all, d.words()) }

// most gives the n words that most pages use, of several the alphabetically first, as senses.Describer takes them.
func most(all []links.Keyword, n int) []senses.Keyword {
	most := make([]senses.Keyword, len(all))
	for i, k := range all {
		most[i] = senses.Keyword{Word: k.Word, N: k.N}
	}
	slices.SortFunc(most, func(a, b senses.Keyword) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Word, b.Word)) })
	return slices.Clone(most[:min(len(most), n)])
}

// describeAll describes pages on all processors.
func (d *describer) describeAll(ctx context.Context, all [][]senses.Keyword, progress func(done, of int)) ([]senses.Description, error) {
	const part = 64
	described := make([]senses.Description, len(all))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < len(all) && inner.Err() == nil; from += part {
		group.Go(func() error {
			for i := from; i < min(from+part, len(all)); i++ {
				described[i] = d.Describe(all[i])
			}
			return inner.Err()
		})
		progress(from, len(all))
	}
	return described, group.Wait()
}

// place is a description in the space: what is stored, and the concepts with their weights. It may make new concepts.
func (d *describer) place(of senses.Description) (Description, conceptset.Set) {
	said := Description{Words: make([]SaidWord, len(of.Words)), Concepts: []Concept{}}
	for i, w := range of.Words {
		said.Words[i] = SaidWord{Word: w.Word, N: w.N, Similarity: w.Similarity}
		if w.Sense != wordnet.None {
			said.Words[i].Sense = d.space.net.Name(w.Sense)
		}
		if w.Term >= 0 {
			said.Words[i].Term = d.space.tree.Term(w.Term).Key
		}
	}
	var set conceptset.Set
	for c, found := range d.concepts(of) {
		set = append(set, conceptset.Concept{ID: c, Weight: found.Weight})
		said.Concepts = append(said.Concepts, Concept{Key: d.space.key(c), Weight: found.Weight, Words: found.Words})
	}
	slices.SortFunc(set, func(a, b conceptset.Concept) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(said.Concepts, func(a, b Concept) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Words[0], b.Words[0]))
	})
	return said, set
}

// weighed is the weight of a concept for a page, with the words behind it: places in the description, ascending.
type weighed struct {
	Weight float64
	Words  []int
}

// concepts are the concepts that describe a page.
func (d *describer) concepts(of senses.Description) map[int]weighed {
	all := map[int]weighed{}
	switch d.space.mode {
	case Terms:
		for _, t := range of.Terms {
			if t.Weight > 0 {
				all[d.space.number(t.Term)] = weighed{t.Weight, t.Words}
			}
		}
	case Senses:
		for _, c := range of.Concepts() {
			var words []int
			for i, w := range of.Words {
				if w.Sense == c.Sense {
					words = append(words, i)
				}
			}
			all[d.space.number(int(c.Sense))] = weighed{c.Weight, words}
		}
	case Words:
		for i, w := range of.Words { // the first one is the most used
			all[d.space.word(w.Word)] = weighed{float64(w.N) / float64(of.Words[0].N), []int{i}}
		}
	}
	return all
}

// names gives the names of the keys of a description, senses with at most three of their words.
func (s *space) names(d Description) map[string]string {
	all := map[string]string{}
	for _, c := range d.Concepts {
		if s.mode == Words && d.Words[c.Words[0]].Word != c.Key {
			continue // a sense, and WordNet is gone
		}
		if n, ok := s.find(c.Key); ok {
			all[c.Key] = s.name(n)
		}
	}
	for _, w := range d.Words {
		if s.tree != nil && w.Term != "" {
			if term, ok := s.tree.ByKey(w.Term); ok {
				all[w.Term] = s.tree.Label(term)
			}
		}
		if s.net == nil || w.Sense == "" {
			continue
		}
		if sense, ok := s.net.ByName(w.Sense); ok {
			words := s.net.Words(sense)
			all[w.Sense] = spaced(strings.Join(words[:min(3, len(words))], ", "))
		}
	}
	return all
}
