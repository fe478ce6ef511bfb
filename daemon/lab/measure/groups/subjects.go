package groups

import (
	"errors"
	"fmt"
	"strings"

	"nightjar/model/ontology"
	"nightjar/model/wordnet"
)

// subject is a category of the corpus, and where WordNet has what its name says. The paper's ontology of music was made by
// hand, too; like it, this one knows what the categories are about.
type subject struct {
	Label string
	Head  string   // sense of the term of the category
	Below []string // senses whose trees of hyponyms hang below it; none means the hyponyms of Head
}

// subjects are the twelve categories with the most articles that are in no other category and that at least two pages link
// to. The senses are read off the names of the categories, without a look at any result.
var subjects = []subject{
	{Label: "subject.Science.Chemistry.Chemical_elements", Head: "chemical_element.n.01"},
	{Label: "subject.Science.Physics.Space_Astronomy", Head: "celestial_body.n.01"},
	{Label: "subject.Geography.North_American_Geography", Head: "state.n.01", Below: []string{"american_state.n.01", "canadian_province.n.01"}},
	{Label: "subject.Science.Biology.Health_and_medicine", Head: "medicine.n.01", Below: []string{"illness.n.01", "medicine.n.02"}},
	{Label: "subject.Science.Biology.Mammals", Head: "mammal.n.01"},
	{Label: "subject.Geography.European_Geography", Head: "european_country.n.01"},
	{Label: "subject.Geography.African_Geography", Head: "africa.n.01"},
	{Label: "subject.People.Historical_figures", Head: "ruler.n.01", Below: []string{"sovereign.n.01", "aristocrat.n.01", "military_leader.n.01"}},
	{Label: "subject.Geography.Geology_and_geophysics", Head: "geology.n.01", Below: []string{"rock.n.02", "mineral.n.01", "geological_formation.n.01"}},
	{Label: "subject.Geography.African_Geography.African_Countries", Head: "african_country.n.01"},
	{Label: "subject.Geography.General_Geography", Head: "geography.n.01", Below: []string{"continent.n.01", "body_of_water.n.01"}},
	{Label: "subject.People.Writers_and_critics", Head: "writer.n.01"},
}

// shortLabel is the last part of a label, in words.
func shortLabel(label string) string {
	return strings.ReplaceAll(label[strings.LastIndexByte(label, '.')+1:], "_", " ")
}

// planter makes the items of an ontology. A sense that stands in two trees stays in the first.
type planter struct {
	net   *wordnet.Net
	known map[wordnet.Sense]bool
	items []ontology.Item
}

// aroundSubjects is the ontology of the categories: a term for each, and hyponyms to a depth below it.
func aroundSubjects(net *wordnet.Net, root string, all []subject, depth int) (*ontology.Tree, error) {
	p := &planter{net: net, known: map[wordnet.Sense]bool{}}
	top, err := p.add(root, wordnet.None)
	for _, s := range all {
		head, fault := p.add(s.Head, top)
		if len(s.Below) == 0 {
			p.grow(head, depth)
		}
		err = errors.Join(err, fault)
		for _, name := range s.Below {
			below, fault := p.add(name, head)
			p.grow(below, depth)
			err = errors.Join(err, fault)
		}
	}
	return p.tree(err)
}

// aroundAll is an ontology that does not know the categories: the hyponyms of the most general noun.
func aroundAll(net *wordnet.Net, root string, depth int) (*ontology.Tree, error) {
	p := &planter{net: net, known: map[wordnet.Sense]bool{}}
	top, err := p.add(root, wordnet.None)
	p.grow(top, depth)
	return p.tree(err)
}

func (p *planter) tree(err error) (*ontology.Tree, error) {
	if err != nil {
		return nil, err
	}
	tree, _, err := ontology.Build(p.items)
	return tree, err
}

func (p *planter) add(name string, parent wordnet.Sense) (wordnet.Sense, error) {
	s, ok := p.net.ByName(name)
	if !ok {
		return wordnet.None, fmt.Errorf("this WordNet has no %s: use WordNet 3.0", name)
	}
	p.put(s, parent)
	return s, nil
}

// put adds a term, unless there is one, and reports whether it did.
func (p *planter) put(s, parent wordnet.Sense) bool {
	if p.known[s] {
		return false
	}
	p.known[s] = true
	name := p.net.Name(s)
	item := ontology.Item{Key: name, Senses: []string{name}}
	for _, w := range p.net.Words(s) {
		item.Labels = append(item.Labels, strings.ReplaceAll(w, "_", " "))
	}
	if parent != wordnet.None {
		item.Parents = []string{p.net.Name(parent)}
	}
	p.items = append(p.items, item)
	return true
}

// grow adds the hyponyms of a sense, level by level.
func (p *planter) grow(s wordnet.Sense, depth int) {
	if s == wordnet.None {
		return // add has said that it is missing
	}
	for level := []wordnet.Sense{s}; depth > 0; depth-- {
		var next []wordnet.Sense
		for _, parent := range level {
			for _, h := range p.net.Hyponyms(parent) {
				if p.put(h, parent) {
					next = append(next, h)
				}
			}
		}
		level = next
	}
}
