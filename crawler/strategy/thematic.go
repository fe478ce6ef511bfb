package strategy

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"nightjar/crawler/linktext"
	"nightjar/crawler/weburl"
	"nightjar/model"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

var thematicKind = Kind{
	Name:    "thematic",
	Summary: "follows links whose words are close to terms of your ontology; thematic:NAME uses the ontology NAME",
	Look:    12,
	Needs:   Ontology,
	Best:    "the words of no other came nearer to terms of the ontology",
	Measure: "sums of the similarities of words to terms",
}

// ThematicName is the name of the strategy thematic with an ontology.
func ThematicName(ontology string) string { return thematicKind.Name + ":" + ontology }

// OntologyOf is the ontology that the name of a strategy names, "" when it names none. What follows the colon in the name
// of another strategy is a variant.
func OntologyOf(name string) string {
	kind, ontology, _ := strings.Cut(name, ":")
	if kind != thematicKind.Name {
		return ""
	}
	return ontology
}

// Themes are the terms of an ontology with what maps the words of links to them. They may be used by several strategies at
// the same time.
type Themes struct {
	name      string
	tree      *ontology.Tree
	describer senses.Describer
	links     *linktext.Extractor
}

// NewThemes makes Themes of an ontology by its name. With net, words are compared in base form and by their senses; without
// it, as they are with the labels of terms. Words of navigation are left out; nil means those of linktext.Navigation.
func NewThemes(name string, tree *ontology.Tree, terms *senses.Terms, net *wordnet.Net, navigation map[string]bool) *Themes {
	base := func(word string) string {
		if base, found := senses.Lookup(net, word); len(found) > 0 {
			return base
		}
		return word
	}
	return &Themes{name: name, tree: tree, describer: senses.Describer{Net: net, Ontology: terms}, links: linktext.New(navigation, base)}
}

// Name is the name of the ontology.
func (t *Themes) Name() string { return t.name }

// thematic prefers links whose words are mapped to terms of an ontology, [THESUS] §5.1. The paper follows only such links,
// breadth first. Here the value of a link is
//
//	Σ s_j over its words k_j that are mapped to a term
//
// and half of that if it stays on the site, as menus do; the others come after all of these, breadth first. s_j is that of
// [THESUS] §5.3.3, where n_j counts how often the word occurs around the link: it decides only which words take part, so that
// a word said twenty times counts once.
//
// Priorities do not change after a page was read, so that a crawl that goes on needs no more than those stored.
type thematic struct {
	reader
	themes *Themes
	known  map[string][]mapped // by the words of a link
}

// mapped is a word of a link that is mapped to a term.
type mapped struct {
	word, term string
	similarity float64 // s_j in (0, 1]
}

const (
	maxKnown = 20_000 // word sets whose terms are remembered; menus are the same on all pages of a site

	// maxDescribed is the maximum number of new word sets mapped per page. A set of eight words with dozens of senses each
	// takes two milliseconds. The words of further links count as mapped to no term.
	maxDescribed = 1_000
)

func newThematic(name string, b *model.Bundle, themes *Themes) *thematic {
	return &thematic{reader: reader{b, name}, themes: themes, known: map[string][]mapped{}}
}

func (s *thematic) Read(_ context.Context, v Visit) (Judgement, error) {
	j, _ := s.read(v)
	words := s.words(v)
	j.Priorities, j.Notes = make([]Priority, len(v.Page.Links)), make([][]byte, len(v.Page.Links))
	site, left := weburl.Site(v.Page.URL), maxDescribed
	for i, l := range v.Page.Links {
		n := themeNote{stays: weburl.Site(l.URL) == site}
		said, known := words[l.URL]
		if !known { // a script made it, or it has no place in the source
			said = [][]linktext.Word{s.themes.links.Anchor(l.Anchor)}
		}
		for _, one := range said {
			if terms := s.mapped(one, &left); total(terms) > total(n.words) {
				n.words = terms
			}
		}
		j.Priorities[i], j.Notes[i] = n.priority(), n.bytes()
	}
	return j, nil
}

// words are those of each link of a page, by address: a page may link to another one several times, and the link that is
// worth most counts.
func (s *thematic) words(v Visit) map[string][][]linktext.Word {
	all := map[string][][]linktext.Word{}
	if v.Body == nil {
		return all
	}
	links, err := s.themes.links.Extract(v.Page.URL, pageUTF8, v.Body)
	if err != nil {
		return all // the page's address cannot be read, so that links are known by their anchors only
	}
	for _, l := range links {
		all[l.URL] = append(all[l.URL], l.Words)
	}
	return all
}

// mapped are the words of a link that are mapped to terms, those with the largest similarity first. It takes one of left for
// words that are not known yet.
func (s *thematic) mapped(words []linktext.Word, left *int) []mapped {
	if len(words) == 0 {
		return nil
	}
	key := wordsKey(words)
	if terms, known := s.known[key]; known {
		return terms
	}
	if *left == 0 {
		return nil
	}
	*left--
	terms := s.themes.mapped(words)
	if len(s.known) == maxKnown {
		clear(s.known)
	}
	s.known[key] = terms
	return terms
}

// wordsKey is the same for the same words with the same numbers, in any order.
func wordsKey(words []linktext.Word) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = w.Word + " " + strconv.Itoa(w.N)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// mapped maps the words of a link to terms; see thematic.mapped.
func (t *Themes) mapped(words []linktext.Word) []mapped {
	keywords := make([]senses.Keyword, len(words))
	for i, w := range words {
		keywords[i] = senses.Keyword{Word: w.Word, N: w.N}
	}
	var all []mapped
	for _, w := range t.describer.Describe(keywords).Words {
		if w.Term >= 0 && w.Similarity > 0 {
			all = append(all, mapped{w.Word, t.tree.Label(w.Term), w.Similarity})
		}
	}
	slices.SortStableFunc(all, func(a, b mapped) int {
		switch {
		case a.similarity > b.similarity:
			return -1
		case a.similarity < b.similarity:
			return 1
		}
		return strings.Compare(a.word, b.word)
	})
	return all
}

// total is Σ s_j.
func total(words []mapped) (sum float64) {
	for _, w := range words {
		sum += w.similarity
	}
	return sum
}

// priority is above 0 for a link with a mapped word, and 0 for the others, so that the frontier takes these in the order in
// which they were found.
func (n *themeNote) priority() Priority {
	if len(n.words) == 0 {
		return Priority{}
	}
	return Priority{max(1, int32(math.Round(n.worth()*fineSteps)))}
}
