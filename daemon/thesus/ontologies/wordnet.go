package ontologies

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"nightjar/daemon/base/terminal"
	"nightjar/model/ontology"
	"nightjar/model/wordnet"
)

// ErrNoWordNet is the Problem of what needs WordNet.
var ErrNoWordNet = errors.New("there is no WordNet on this computer; get it on the page Explore, or with: " + terminal.Command("explore wordnet get"))

// Levels below the sense that FromWordNet takes.
const (
	DefaultDepth = 4
	MaxDepth     = 30 // more than WordNet has
)

// FromWordNet stores the tree of a sense and the more specific senses below it, depth levels down; 0 is DefaultDepth. sense is
// the name of a sense, or a word that has only one. A sense with two more general ones is put once, below the one that is
// nearer to the top. name "" is the sense's first word.
func (s *Shelf) FromWordNet(ctx context.Context, name, sense string, depth int) (Ontology, error) {
	net := s.net()
	if net == nil {
		return Ontology{}, problem(ErrNoWordNet)
	}
	if depth == 0 {
		depth = DefaultDepth
	}
	if depth < 1 || depth > MaxDepth {
		return Ontology{}, problem(fmt.Errorf("the depth is 1 to %d levels, not %d", MaxDepth, depth))
	}
	root, err := findSense(net, sense)
	if err != nil {
		return Ontology{}, problem(err)
	}
	tree, err := Hyponyms(net, root, depth)
	if err != nil {
		return Ontology{}, problem(err)
	}
	return s.add(ctx, name, tree)
}

// Hyponyms is the tree of a sense and those below it, depth levels down.
func Hyponyms(net *wordnet.Net, root wordnet.Sense, depth int) (*ontology.Tree, error) {
	items, err := hyponyms(net, root, depth)
	if err != nil {
		return nil, err
	}
	tree, _, err := ontology.Build(items)
	return tree, err
}

// hyponyms lists a sense and those below it, level by level.
func hyponyms(net *wordnet.Net, root wordnet.Sense, depth int) ([]ontology.Item, error) {
	seen := map[wordnet.Sense]bool{root: true}
	items := []ontology.Item{item(net, root)}
	level := []wordnet.Sense{root}
	for ; depth > 0 && len(level) > 0; depth-- {
		var next []wordnet.Sense
		for _, above := range level {
			for _, below := range net.Hyponyms(above) {
				if seen[below] {
					continue
				}
				if len(items) == ontology.MaxTerms {
					return nil, fmt.Errorf("there are more than %d senses below %s; take fewer levels, or a more specific sense",
						ontology.MaxTerms, net.Name(root))
				}
				seen[below] = true
				one := item(net, below)
				one.Parents = []string{net.Name(above)}
				items, next = append(items, one), append(next, below)
			}
		}
		level = next
	}
	return items, nil
}

// item is the term of a sense.
func item(net *wordnet.Net, s wordnet.Sense) ontology.Item {
	return ontology.Item{Key: net.Name(s), Labels: spelled(net, s), Senses: []string{net.Name(s)}}
}

var senseName = regexp.MustCompile(`^(.+)\.[nvasr]\.[0-9]+$`)

// findSense finds the sense with a name, or the only sense of a word. The error lists the senses that the word has.
func findSense(net *wordnet.Net, name string) (wordnet.Sense, error) {
	name = strings.ToLower(strings.Join(strings.Fields(name), "_"))
	if s, ok := net.ByName(name); ok {
		return s, nil
	}
	word := name
	if m := senseName.FindStringSubmatch(name); m != nil {
		word = m[1]
	}
	var has []string
	var only wordnet.Sense
	for _, pos := range []wordnet.POS{wordnet.Noun, wordnet.Verb} {
		bases := net.Morphy(word, pos)
		if len(bases) == 0 {
			continue
		}
		for i, s := range net.Senses(bases[0], pos) {
			only = s
			has = append(has, fmt.Sprintf("%s.%s.%02d", strings.ReplaceAll(bases[0], " ", "_"), pos, i+1))
		}
	}
	switch {
	case name == "":
		return wordnet.None, errors.New("name a sense of WordNet, such as musical_instrument.n.01")
	case len(has) == 0:
		return wordnet.None, fmt.Errorf("WordNet has no sense %.80q, and no noun or verb %.80q; check how it is written", name, word)
	case len(has) == 1 && word == name:
		return only, nil
	}
	const shown = 12
	more := ""
	if len(has) > shown {
		has, more = has[:shown], fmt.Sprintf(" and %d more", len(has)-shown)
	}
	if word == name {
		return wordnet.None, fmt.Errorf("%.80q has more than one sense; name one of %s%s", name, strings.Join(has, ", "), more)
	}
	return wordnet.None, fmt.Errorf("WordNet has no sense %.80q; it has %s%s", name, strings.Join(has, ", "), more)
}
