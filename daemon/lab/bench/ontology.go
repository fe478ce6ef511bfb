package bench

import (
	"cmp"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"nightjar/crawler/strategy"
	"nightjar/daemon/thesus/themes"
	"nightjar/daemon/thesus/wordnet"
	"nightjar/model"
	"nightjar/model/ontology"
)

// ontologyWords is how many words of a topic make its ontology.
const ontologyWords = 30

// topicOntology makes an ontology of the words that tell the useful pages of a training from the others: those with the
// largest difference between the share of useful pages that have the word and the share of other pages. The topic is the
// root, and the words are below it. It is empty when no word does.
//
// A person's ontology is better: this one is what a computer can make of the same sessions that the other strategies learn
// from.
func topicOntology(b *model.Bundle) []ontology.Item {
	targets, others := make([]float64, len(b.Features.Terms)), make([]float64, len(b.Features.Terms))
	all := float64(b.Facts.Targets)
	rest := float64(len(b.Lessons.Pages)) - all
	for i, page := range b.Lessons.Pages {
		for _, term := range page.Index {
			if b.Pages[i].Target {
				targets[term] += 1 / all
			} else {
				others[term] += 1 / max(rest, 1)
			}
		}
	}
	type scored struct {
		term int
		by   float64
	}
	var words []scored
	for term := range targets {
		label := b.Features.Written[term]
		if by := targets[term] - others[term]; by > 0 && targets[term]*all > 1.5 && utf8.RuneCountInString(label) > 2 {
			words = append(words, scored{term, by})
		}
	}
	if len(words) == 0 {
		return nil
	}
	slices.SortStableFunc(words, func(a, b scored) int { return cmp.Compare(b.by, a.by) })
	items := []ontology.Item{{Key: "topic:", Labels: []string{cmp.Or(b.Topic, "topic")}}}
	for _, w := range words[:min(len(words), ontologyWords)] {
		items = append(items, ontology.Item{Key: b.Features.Terms[w.term], Labels: []string{b.Features.Written[w.term]}, Parents: []string{"topic:"}})
	}
	return items
}

// themes are the trial's ontology, for a strategy that needs one; nil for others. WordNet is used when it is installed, or
// WNSEARCHDIR names it.
func (t *trial) themes(name string) (*strategy.Themes, error) {
	if strategy.Needs(name) != strategy.Ontology {
		return nil, nil
	}
	tree, _, err := ontology.Build(t.Ontology)
	if err != nil {
		return nil, err
	}
	words := wordnet.New(wordnet.Options{Dir: filepath.Dir(t.Model)}) // where none was added
	return themes.Of("topic", tree, words.Net(), nil), nil
}
