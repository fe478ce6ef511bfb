package ontologies

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/thesus/links"
	format "nightjar/daemon/thesus/ontology"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// Terms that FromTopic takes from the words of links, besides those it puts above them.
const (
	DefaultTopicTerms = 100
	MaxTopicTerms     = 2000
)

// FromTopic stores an ontology of the concepts that links use most for the pages of a topic; terms 0 is DefaultTopicTerms.
// With WordNet these are senses, chosen page by page as senses.Describer does, below the senses that are more general; of
// these, one that has a single sense below it is left out. Words that WordNet lacks, and all without WordNet, are directly
// below the root, which is named as the topic. name "" is the topic's. The ontology is the person's own: it keeps its words
// when pages of the topic are erased.
func (s *Shelf) FromTopic(ctx context.Context, name string, topicID int64, terms int) (Ontology, error) {
	if terms == 0 {
		terms = DefaultTopicTerms
	}
	if terms < 1 || terms > MaxTopicTerms {
		return Ontology{}, problem(fmt.Errorf("the ontology can have 1 to %d terms from links, not %d", MaxTopicTerms, terms))
	}
	topic, err := topics.ByID(ctx, s.store.DB, topicID)
	if err != nil {
		return Ontology{}, fmt.Errorf("topic %d: %w", topicID, err)
	}
	pages, err := s.keywords(ctx, topicID)
	if err != nil {
		return Ontology{}, err
	}
	net := s.net()
	used := concepts(net, pages)
	if len(used) == 0 {
		return Ontology{}, problem(NoWords{topic.Name})
	}
	items, err := topicItems(net, topic.Name, used[:min(len(used), terms)])
	if err != nil {
		return Ontology{}, err
	}
	tree, _, err := ontology.Build(items)
	if err != nil {
		return Ontology{}, err
	}
	return s.add(ctx, name, tree)
}

// NoWords is the Problem that no page with words links to the pages of a topic.
type NoWords struct{ Topic string }

func (e NoWords) Error() string {
	return fmt.Sprintf("no stored page links to a page of the topic %q with words; visit or crawl more of it first", e.Topic)
}

// keywords are the words of links to each page of a topic, by ascending page.
func (s *Shelf) keywords(ctx context.Context, topicID int64) ([][]senses.Keyword, error) {
	linked, _, err := links.Pages(ctx, s.store.DB, links.PagesOfTopic, topicID, 1, false)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(linked))
	for i, p := range linked {
		ids[i] = p.ID
	}
	words, err := links.Keywords(ctx, s.store.DB, ids, false)
	if err != nil {
		return nil, err
	}
	var all [][]senses.Keyword
	for _, id := range slices.Sorted(maps.Keys(words)) {
		var page []senses.Keyword
		for _, k := range words[id] {
			page = append(page, senses.Keyword{Word: k.Word, N: k.N})
		}
		all = append(all, page)
	}
	return all, nil
}

// concept is a sense, or a word that WordNet lacks.
type concept struct {
	sense wordnet.Sense // None for a word
	word  string        // "" for a sense
}

// use is how much a concept is used. Weights are relative, so that one page with many links does not decide alone.
type use struct {
	concept
	weight float64 // sum of n_j / max n over the pages
	n      int     // sum of n_j
}

// concepts are those of all pages, the most used first.
func concepts(net *wordnet.Net, pages [][]senses.Keyword) []concept {
	describer := senses.Describer{Net: net}
	uses := map[concept]use{}
	for _, keywords := range pages {
		d := describer.Describe(keywords)
		most := 1
		for _, w := range d.Words {
			most = max(most, w.N)
		}
		for _, w := range d.Words {
			c := concept{sense: w.Sense}
			if w.Sense == wordnet.None {
				c.word = w.Word
			}
			u := uses[c]
			uses[c] = use{c, u.weight + float64(w.N)/float64(most), u.n + w.N}
		}
	}
	sorted := slices.SortedFunc(maps.Values(uses), func(a, b use) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.n, a.n), cmp.Compare(a.sense, b.sense), cmp.Compare(a.word, b.word))
	})
	all := make([]concept, len(sorted))
	for i, u := range sorted {
		all[i] = u.concept
	}
	return all
}

// topicItems puts concepts below their more general senses, and these below a root.
func topicItems(net *wordnet.Net, topic string, used []concept) ([]ontology.Item, error) {
	labels, err := format.CheckTerm([]string{topic}, nil)
	if err != nil {
		return nil, err
	}
	root := ontology.Item{Key: newKey(), Labels: labels}
	items := []ontology.Item{root}
	var chosen []wordnet.Sense
	for _, c := range used {
		if c.sense != wordnet.None {
			chosen = append(chosen, c.sense)
			continue
		}
		items = append(items, ontology.Item{Key: newKey(), Labels: []string{c.word}, Parents: []string{root.Key}})
	}
	if len(chosen) == 0 {
		return items, nil
	}
	f := forestOf(net, chosen)
	// Without a sense of its own, the root would have all senses of its label, and words would be mapped to it.
	items[0].Senses = []string{net.Name(f.roots[0])}
	tops := f.roots
	if len(tops) == 1 && len(items) == 1 && !f.chosen[tops[0]] { // the root stands for it
		tops = f.below[tops[0]]
	}
	for _, top := range tops {
		items = f.list(net, top, root.Key, items)
	}
	return items, nil
}

// forest is senses with those above them. Each has one parent: the first that WordNet names.
type forest struct {
	chosen map[wordnet.Sense]bool
	below  map[wordnet.Sense][]wordnet.Sense
	roots  []wordnet.Sense
}

func forestOf(net *wordnet.Net, chosen []wordnet.Sense) forest {
	f := forest{chosen: map[wordnet.Sense]bool{}, below: map[wordnet.Sense][]wordnet.Sense{}}
	in := map[wordnet.Sense]bool{}
	for _, s := range chosen {
		f.chosen[s] = true
		for !in[s] {
			in[s] = true
			above := net.Hypernyms(s)
			if len(above) == 0 {
				f.roots = append(f.roots, s)
				break
			}
			f.below[above[0]] = append(f.below[above[0]], s)
			s = above[0]
		}
	}
	slices.Sort(f.roots) // nouns first
	for _, children := range f.below {
		slices.SortFunc(children, func(a, b wordnet.Sense) int { return strings.Compare(net.Name(a), net.Name(b)) })
	}
	return f
}

// list appends a sense and all below it, without those that were not chosen and have a single sense below them.
func (f *forest) list(net *wordnet.Net, s wordnet.Sense, parent string, items []ontology.Item) []ontology.Item {
	for !f.chosen[s] && len(f.below[s]) == 1 {
		s = f.below[s][0]
	}
	one := item(net, s)
	one.Parents = []string{parent}
	items = append(items, one)
	for _, below := range f.below[s] {
		items = f.list(net, below, one.Key, items)
	}
	return items
}
