package ontology

import (
	"slices"
	"strings"
)

// Bounds of what is looked at to find the parents of terms.
const (
	maxLooked  = 1_000_000 // nodes without address, in the whole file
	maxBehind  = 20        // nodes without address behind each other
	maxImplied = 200       // terms somewhere above one term
)

// list is a part of a list: its members, and where it goes on, "" for nowhere.
type list struct {
	members []string
	rest    string
}

// addXL takes what SKOS-XL says of labels, each of which is a node of its own.
func (g *graph) addXL(subject string, t triple) {
	n := g.node(subject, t.line)
	if name, _ := strings.CutPrefix(t.predicate, xlNS); name != "literalForm" {
		rank := map[string]int{"prefLabel": 0, "altLabel": 2}[name]
		n.xl = append(n.xl, xlLabel{keyOf(t.object.text), rank, t.line})
		n.term = true
		return
	}
	if n.other = true; t.object.literal {
		text, cut := cleanLabel(t.object.text)
		if cut {
			g.found.add(t.line, "the label %s is longer than %d characters and was cut", quoted(text), maxLabel)
		}
		n.forms = append(n.forms, label{text: text, lang: t.object.lang})
	}
}

// addScheme takes what a scheme of concepts says of them.
func (g *graph) addScheme(subject string, t triple) {
	if t.object.literal {
		return
	}
	concept, scheme := g.node(subject, t.line), g.node(keyOf(t.object.text), t.line)
	if t.predicate == skosNS+"hasTopConcept" {
		concept, scheme = scheme, concept
	}
	concept.term, scheme.other = true, true
}

// addClass takes what OWL says of classes by other classes, and the lists in which it does.
func (g *graph) addClass(subject string, t triple) {
	object := keyOf(t.object.text)
	if t.object.literal {
		return
	}
	switch t.predicate {
	case owlNS + "equivalentClass":
		n := g.node(subject, t.line)
		n.term = true
		if isBlank(object) {
			n.alike = append(n.alike, object)
		}
	case owlNS + "intersectionOf":
		n := g.node(subject, t.line)
		n.all = append(n.all, object)
	case rdfNS + "first":
		if l := g.list(subject); l != nil {
			l.members = append(l.members, object)
		}
	case rdfNS + "rest":
		if l := g.list(subject); l != nil && object != rdfNS+"nil" {
			l.rest = object
		}
	}
}

// list finds or makes a part of a list, nil when there are too many.
func (g *graph) list(key string) *list {
	l := g.lists[key]
	if l == nil && len(g.lists) < maxNodes {
		l = &list{}
		g.lists[key] = l
	}
	return l
}

// settle finds what the nodes say together: the texts of labels, and the parents.
func (g *graph) settle() {
	var gone []string
	for _, n := range g.order {
		for _, x := range n.xl {
			l := g.nodes[x.key]
			if l == nil || len(l.forms) == 0 {
				g.found.add(x.line, "the label %s of %s has no text (skosxl:literalForm); it was left out", quoted(x.key), quoted(n.key))
				continue
			}
			for _, f := range l.forms {
				n.labels = append(n.labels, label{f.text, f.lang, x.rank})
			}
		}
	}
	for _, n := range g.order {
		if n.gone && (n.term || n.below || len(n.labels) > 0) && !n.other {
			name := n.key
			if labels := g.labelsOf(n); len(labels) > 0 {
				name = labels[0]
			}
			gone = append(gone, name)
		}
		g.raise(n)
	}
	if len(gone) > 0 {
		g.found.left(gone)
	}
}

// raise sets the parents of a node to terms with an address or a label.
func (g *graph) raise(n *node) {
	var parents []string
	add := func(key string) {
		if key != n.key {
			parents = append(parents, key)
		}
	}
	for _, key := range n.parents {
		g.behind(key, 0, add)
	}
	for _, key := range n.alike {
		g.behind(key, 0, add)
	}
	for _, key := range n.all {
		g.each(key, func(member string) { g.behind(member, 0, add) })
	}
	if len(parents) == 0 {
		for _, key := range g.nearest(n) {
			add(key)
		}
	}
	n.parents = parents
}

// behind calls found with a class, or, if it is a node without address and label, with the classes that it is below.
func (g *graph) behind(key string, depth int, found func(key string)) {
	p := g.nodes[key]
	if p == nil && isBlank(key) {
		return
	}
	if !isBlank(key) || g.isTerm(p) {
		if key != owlNS+"Thing" && key != rdfsNS+"Resource" {
			found(key)
		}
		return
	}
	if g.expanded++; depth == maxBehind || g.expanded > maxLooked {
		return
	}
	for _, k := range p.parents {
		g.behind(k, depth+1, found)
	}
	for _, k := range p.alike {
		g.behind(k, depth+1, found)
	}
	for _, k := range p.all {
		g.each(k, func(member string) { g.behind(member, depth+1, found) })
	}
}

// each calls f with each member of a list.
func (g *graph) each(key string, f func(member string)) {
	for l := g.lists[key]; l != nil; l = g.lists[l.rest] {
		for _, m := range l.members {
			f(m)
		}
		if g.expanded++; g.expanded > maxLooked {
			return
		}
	}
}

// nearest are the terms somewhere above a node that are not above another one of them.
func (g *graph) nearest(n *node) (near []string) {
	above := n.implied[:min(len(n.implied), maxImplied)]
	for _, key := range above {
		below := func(other string) bool {
			o := g.nodes[other]
			return other != key && o != nil && len(o.implied)+len(o.parents) <= 2*maxImplied &&
				(slices.Contains(o.implied, key) || slices.Contains(o.parents, key)) && !slices.Contains(g.nodes[key].implied, other)
		}
		if g.expanded += len(above); g.expanded > maxLooked || !slices.ContainsFunc(above, below) {
			near = append(near, key)
		}
	}
	return near
}
