package ontology

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"nightjar/model/ontology"
)

// The addresses of RDF that matter here.
const (
	rdfNS  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS  = "http://www.w3.org/2002/07/owl#"
	skosNS = "http://www.w3.org/2004/02/skos/core#"
	xlNS   = "http://www.w3.org/2008/05/skos-xl#"
	isoNS  = "http://purl.org/iso25964/skos-thes#"
	oboNS  = "http://www.geneontology.org/formats/oboInOwl#"

	senseNS = "urn:wordnet:"       // a name of a sense follows
	keyNS   = "urn:nightjar:term:" // a key that is no address of its own follows
)

// triple is a statement of a file. Subjects and predicates are addresses, or, with "_:" in front, nodes without one.
type triple struct {
	subject, predicate string
	object             value
	line               int // 0 if it is not known
}

// value is an object: a text with its language, "" for none, or an address.
type value struct {
	text    string
	literal bool
	lang    string // in lower case
}

// graph collects what triples say of terms.
type graph struct {
	language string
	nodes    map[string]*node
	order    []*node
	found    warnings
	full     bool             // nodes were left out because there are too many
	lists    map[string]*list // parts of lists by their address
	fault    error            // the first one of those that were left out
	expanded int              // nodes that were looked at to find parents behind nodes without address
}

// node is what is said of one subject.
type node struct {
	key     string
	line    int // of the first triple about it
	term    bool
	other   bool // the file says that it is something else than a term
	below   bool // it is an end of a relation, which only makes it a term if it has a label
	labels  []label
	parents []string
	senses  []string

	gone    bool      // it is deprecated
	implied []string  // terms somewhere above it
	alike   []string  // nodes without address that say what it is: owl:equivalentClass
	all     []string  // lists of classes that it is the intersection of
	xl      []xlLabel // its labels, which are nodes of their own
	forms   []label   // texts of a label that is a node of its own
}

// xlLabel is a label that is a node of its own (SKOS-XL).
type xlLabel struct {
	key  string
	rank int
	line int
}

type label struct {
	text string
	lang string
	rank int // 0 for preferred labels, 1 for RDFS labels, 2 for synonyms
}

func newGraph(language string) *graph {
	return &graph{language: strings.ToLower(language), nodes: make(map[string]*node), lists: make(map[string]*list)}
}

// node finds or makes the node with a key.
func (g *graph) node(key string, line int) *node {
	n, ok := g.nodes[key]
	if !ok {
		n = &node{key: key, line: line}
		if g.full = g.full || len(g.order) == maxNodes; g.full {
			return n
		}
		g.nodes[key] = n
		g.order = append(g.order, n)
	}
	return n
}

// add takes what a triple says; most say nothing of terms.
func (g *graph) add(t triple) {
	subject := keyOf(t.subject)
	switch t.predicate {
	case rdfNS + "type":
		g.addType(subject, t)
	case skosNS + "prefLabel":
		g.addLabel(subject, t, 0)
	case rdfsNS + "label":
		g.addLabel(subject, t, 1)
	case skosNS + "altLabel":
		g.addLabel(subject, t, 2)
	case xlNS + "prefLabel", xlNS + "altLabel", xlNS + "literalForm":
		g.addXL(subject, t)
	case skosNS + "hasTopConcept", skosNS + "topConceptOf", skosNS + "inScheme":
		g.addScheme(subject, t)
	case owlNS + "deprecated", oboNS + "is_obsolete":
		if text := strings.TrimSpace(t.object.text); text == "true" || text == "1" {
			g.node(subject, t.line).gone = true
		}
	case owlNS + "equivalentClass", owlNS + "intersectionOf", rdfNS + "first", rdfNS + "rest":
		g.addClass(subject, t)
	case skosNS + "closeMatch", skosNS + "exactMatch":
		if name, ok := strings.CutPrefix(t.object.text, senseNS); ok && !t.object.literal {
			g.addSense(subject, name, t.line)
		}
	default:
		if way, ok := relations[t.predicate]; ok {
			g.addRelation(subject, t, way)
		}
	}
}

// way is what a relation says of the order of two terms.
type way int

const (
	up      way = iota // the object is above the subject
	down               // the object is below the subject
	farUp              // the object is somewhere above
	farDown            // the object is somewhere below
	class              // as up, between classes
)

// relations are the relations that make trees.
var relations = func() map[string]way {
	all := map[string]way{
		skosNS + "broader": up, skosNS + "narrower": down, rdfsNS + "subClassOf": class,
		skosNS + "broaderTransitive": farUp, skosNS + "narrowerTransitive": farDown,
	}
	for _, kind := range []string{"Generic", "Partitive", "Instantial"} {
		for _, space := range []string{isoNS, skosNS} { // drafts of SKOS had them, too
			all[space+"broader"+kind], all[space+"narrower"+kind] = up, down
		}
	}
	return all
}()

func (g *graph) addType(subject string, t triple) {
	switch t.object.text {
	case skosNS + "Concept", rdfsNS + "Class", owlNS + "Class":
		g.node(subject, t.line).term = true
	case owlNS + "DeprecatedClass":
		g.node(subject, t.line).gone = true
	case xlNS + "Label":
		g.node(subject, t.line).other = true
	case skosNS + "ConceptScheme", skosNS + "Collection", skosNS + "OrderedCollection", owlNS + "Restriction", owlNS + "Ontology":
		g.node(subject, t.line).other = true
	}
}

func (g *graph) addLabel(subject string, t triple, rank int) {
	if !t.object.literal {
		g.found.add(t.line, "the label of %s is an address and no text; it was left out", quoted(subject))
		return
	}
	text, cut := cleanLabel(t.object.text)
	if cut {
		g.found.add(t.line, "the label %s is longer than %d characters and was cut", quoted(text), maxLabel)
	}
	n := g.node(subject, t.line)
	n.labels = append(n.labels, label{text, t.object.lang, rank})
}

func (g *graph) addRelation(subject string, t triple, w way) {
	if t.object.literal {
		g.found.add(t.line, "%s has the text %s for a related term, and no address; it was left out", quoted(subject), quoted(t.object.text))
		return
	}
	object := keyOf(t.object.text)
	n, o := g.node(subject, t.line), g.node(object, t.line)
	n.term = true
	switch w {
	case down:
		o.parents, o.below = append(o.parents, subject), true
	case up:
		n.parents, o.below = append(n.parents, object), true
	case farDown:
		o.implied, o.below = append(o.implied, subject), true
	case farUp:
		n.implied, o.below = append(n.implied, object), true
	case class:
		if object == owlNS+"Thing" || object == rdfsNS+"Resource" {
			o.other = true // all classes are below these
			return
		}
		n.parents, o.term = append(n.parents, object), true
	}
}

func (g *graph) addSense(subject, escaped string, line int) {
	name, err := url.PathUnescape(escaped)
	if err != nil || !sense.MatchString(name) {
		g.found.add(line, "%s is not a WordNet sense like wind.n.07; it was left out", quoted(escaped))
		return
	}
	n := g.node(subject, line)
	n.senses = append(n.senses, name)
}

// items lists the terms in the order in which the file names them first.
func (g *graph) items() ([]ontology.Item, []string) {
	g.settle()
	var items []ontology.Item
	for _, n := range g.order {
		if !g.isTerm(n) {
			continue
		}
		item := ontology.Item{Key: n.key, Labels: g.labelsOf(n), Senses: n.senses}
		if len(item.Labels) == 0 {
			item.Labels = []string{nameOf(n.key)}
			g.found.add(n.line, "%s has no label; it is called %s after the end of its address", quoted(n.key), quoted(item.Labels[0]))
		}
		for _, key := range n.parents {
			if p := g.nodes[key]; p == nil || !isBlank(key) && !p.other && !p.gone || g.isTerm(p) {
				item.Parents = append(item.Parents, key)
			}
		}
		items = append(items, item)
	}
	return items, g.found
}

// isTerm reports whether a node becomes a term. Nodes without address and label are what OWL builds classes with.
func (g *graph) isTerm(n *node) bool {
	return !n.other && !n.gone && (n.term && !isBlank(n.key) || (n.term || n.below) && len(n.labels) > 0)
}

func isBlank(key string) bool { return strings.HasPrefix(key, "_:") }

// labelsOf lists the labels of a node in the language of the graph or in none, the preferred ones first; if there are none,
// those in the language that comes first.
func (g *graph) labelsOf(n *node) []string {
	if len(n.labels) == 0 {
		return nil
	}
	fits := func(l label) int {
		switch base, _, _ := strings.Cut(l.lang, "-"); {
		case l.lang == g.language || base == g.language:
			return 0
		case l.lang == "":
			return 1
		}
		return 2
	}
	language := n.labels[0].lang
	var kept []label
	for _, l := range n.labels {
		if fits(l) < 2 {
			kept = append(kept, l)
		}
	}
	if len(kept) == 0 {
		for _, l := range n.labels {
			if l.lang == language {
				kept = append(kept, l)
			}
		}
	}
	slices.SortStableFunc(kept, func(a, b label) int {
		if a.rank != b.rank || a.rank == 2 {
			return a.rank - b.rank
		}
		return fits(a) - fits(b)
	})
	texts := make([]string, len(kept))
	for i, l := range kept {
		texts[i] = l.text
	}
	return texts
}

// keyOf is the key of a term with this address.
func keyOf(address string) string {
	if escaped, ok := strings.CutPrefix(address, keyNS); ok {
		if key, err := url.PathUnescape(escaped); err == nil && key != "" {
			return key
		}
	}
	return address
}

// nameOf makes a label of the end of an address: "String instrument" of http://a.test/music#StringInstrument.
func nameOf(address string) string {
	end := strings.TrimRight(address, "/#:")
	end = end[strings.LastIndexAny(end, "/#:")+1:]
	if plain, err := url.PathUnescape(end); err == nil {
		end = plain
	}
	var b strings.Builder
	last := ' '
	for _, r := range end {
		if r == '_' || r == '-' {
			r = ' '
		}
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
		last = r
	}
	name, _ := cleanLabel(b.String())
	if name == "" {
		name, _ = cleanLabel(address)
	}
	return name
}
