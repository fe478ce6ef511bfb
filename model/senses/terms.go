package senses

import (
	"slices"
	"strings"
	"sync"

	"nightjar/model/ontology"
	"nightjar/model/wordnet"
)

// Terms is the terms of an ontology with their senses. It may be used from several goroutines at the same time.
type Terms struct {
	net    *wordnet.Net
	senses []termSense    // the terms ascending
	labels map[string]int // in lower case, as written and in base form

	mu    sync.Mutex
	known map[wordnet.Sense]nearest // what Nearest found
}

type termSense struct {
	term  int
	sense wordnet.Sense
}

type nearest struct {
	termSense
	similarity float64
}

// Unknown is the name of a sense that WordNet lacks.
type Unknown struct {
	Term  int
	Sense string
}

// NewTerms makes Terms of an ontology. A term has the senses that its tree names; one for which no senses are named has all
// senses of its labels, nouns and verbs ([THESUS] §5.3.2). Names that WordNet lacks are left out and returned. Without a
// net there are labels only.
func NewTerms(tree *ontology.Tree, net *wordnet.Net) (*Terms, []Unknown) {
	t := &Terms{net: net, labels: map[string]int{}, known: map[wordnet.Sense]nearest{}}
	var unknown []Unknown
	for i, term := range tree.Terms() {
		for _, label := range term.Labels {
			t.label(i, label)
		}
		if net == nil {
			continue
		}
		for _, name := range term.Senses {
			if s, ok := net.ByName(name); ok {
				t.add(i, s)
			} else {
				unknown = append(unknown, Unknown{i, name})
			}
		}
		if len(term.Senses) > 0 {
			continue
		}
		for _, s := range LabelSenses(net, term.Labels) {
			t.add(i, s)
		}
	}
	return t, unknown
}

// LabelSenses lists all senses of a term's labels, each once: for each label those of the noun, then those of the verb.
func LabelSenses(net *wordnet.Net, labels []string) []wordnet.Sense {
	var all []wordnet.Sense
	for _, label := range labels {
		for _, pos := range []wordnet.POS{wordnet.Noun, wordnet.Verb} {
			for _, base := range net.Morphy(label, pos) {
				for _, s := range net.Senses(base, pos) {
					if !slices.Contains(all, s) {
						all = append(all, s)
					}
				}
			}
		}
	}
	return all
}

func (t *Terms) add(term int, s wordnet.Sense) {
	t.senses = append(t.senses, termSense{term, s})
}

// label adds a label, and its base form if WordNet has it. A label of two terms counts for the first.
func (t *Terms) label(term int, label string) {
	forms := []string{plain(label)}
	if t.net != nil {
		for _, pos := range []wordnet.POS{wordnet.Noun, wordnet.Verb} {
			for _, base := range t.net.Morphy(label, pos) {
				forms = append(forms, plain(base))
			}
		}
	}
	for _, form := range forms {
		if _, ok := t.labels[form]; !ok {
			t.labels[form] = term
		}
	}
}

// plain is a label as it is compared: lower case, with single spaces for white space and underscores.
func plain(label string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(label), "_", " ")), " ")
}

// Labelled is the first term with a label that is the word. Case does not count.
func (t *Terms) Labelled(word string) (term int, ok bool) {
	term, ok = t.labels[plain(word)]
	return term, ok
}

// Nearest is the term with the sense that is most similar to s, the term's sense, and their similarity. Of several it is the
// first term, so a broader one rather than one below it, and its first sense. The term is -1 when no term has a sense.
func (t *Terms) Nearest(s wordnet.Sense) (term int, of wordnet.Sense, similarity float64) {
	t.mu.Lock()
	best, ok := t.known[s]
	t.mu.Unlock()
	if !ok {
		best = nearest{termSense{-1, wordnet.None}, -1}
		for _, one := range t.senses {
			if similarity := t.net.Similarity(s, one.sense); similarity > best.similarity {
				best = nearest{one, similarity}
			}
		}
		best.similarity = max(best.similarity, 0)
		t.mu.Lock()
		t.known[s] = best
		t.mu.Unlock()
	}
	return best.term, best.sense, best.similarity
}
