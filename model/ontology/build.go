package ontology

import (
	"errors"
	"fmt"
	"strings"
)

// MaxTerms is the maximum number of terms in a tree.
const MaxTerms = 20_000

// Item is a term as a file lists it.
type Item struct {
	Key     string   // unique among the items
	Labels  []string // the preferred label first
	Senses  []string
	Parents []string // keys; none for a root
}

// Kind is the kind of a fault.
type Kind int

// The kinds of faults. Build repairs the first four.
const (
	TwoParents    Kind = iota // of the parents the first is kept
	UnknownParent             // a parent that is not among the items is left out
	TwoRoots                  // a root is put above them
	BlankLabel                // a blank label of a term that has others is left out
	NoLabel
	NoKey
	SameKey
	Cycle
	TooMany
	NoTerms
)

// Fault is a fault of a list of items.
type Fault struct {
	Kind  Kind
	Keys  []string // of the terms that it is about; the term itself first
	Names []string // their preferred labels, or their keys if they have none
}

// Error says what is wrong, and what was done about it or is to be done.
func (f Fault) Error() string {
	switch f.Kind {
	case TwoParents:
		return fmt.Sprintf("%s has more than one broader term; it was put below %s and not below %s",
			f.name(0), f.name(1), f.list(2, " or "))
	case UnknownParent:
		return fmt.Sprintf("%s is put below %s, which the ontology does not have; this was ignored", f.name(0), f.name(1))
	case TwoRoots:
		return fmt.Sprintf("there is more than one term without a broader term (%s); a term was added above them", f.list(0, ", "))
	case BlankLabel:
		return fmt.Sprintf("%s has an empty label, which was ignored", f.name(0))
	case NoLabel:
		return fmt.Sprintf("the term %s has no label; give it one", f.name(0))
	case NoKey:
		return fmt.Sprintf("the term %s has no identifier", f.name(0))
	case SameKey:
		return fmt.Sprintf("two terms have the identifier %s; remove or rename one of them", f.name(0))
	case Cycle:
		return fmt.Sprintf("these terms are each below the next one, and the last is below the first: %s; remove one of these relations",
			f.list(0, ", "))
	case TooMany:
		return fmt.Sprintf("the ontology has more than %d terms; import a part of it", MaxTerms)
	case NoTerms:
		return "the ontology has no terms"
	}
	return "the ontology has a fault of an unknown kind"
}

const shown = 8 // terms that a message names

func (f Fault) name(i int) string {
	name := []rune(f.Names[i])
	if len(name) > 80 {
		name = append(name[:79], '…')
	}
	return fmt.Sprintf("%q", string(name))
}

func (f Fault) list(from int, between string) string {
	var names []string
	for i := from; i < len(f.Names) && len(names) < shown; i++ {
		names = append(names, f.name(i))
	}
	s := strings.Join(names, between)
	if more := len(f.Names) - from - len(names); more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// MaxFaults is the maximum number of faults of a list that Build reports.
const MaxFaults = 100

// Build makes a tree of items, with siblings in the order of the items. repaired are the faults for which it found a way
// out. err joins those that must be removed first, each a Fault; then there is no tree. Labels and senses lose their outer
// white space and repetitions. Of both lists of faults, only the first MaxFaults are given.
func Build(items []Item) (t *Tree, repaired []Fault, err error) {
	b := &builder{items: items, number: make(map[string]int, len(items))}
	switch {
	case len(items) == 0:
		return nil, nil, Fault{Kind: NoTerms}
	case len(items) > MaxTerms:
		return nil, nil, Fault{Kind: TooMany}
	}
	b.names()
	b.parents()
	b.cycles()
	if len(b.fatal) > 0 {
		return nil, nil, errors.Join(b.fatal...)
	}
	if terms := b.order(); len(terms) <= MaxTerms {
		return newTree(terms), b.repaired, nil
	}
	return nil, nil, Fault{Kind: TooMany}
}

type builder struct {
	items    []Item
	number   map[string]int // of a key
	labels   [][]string
	parent   []int
	repaired []Fault
	fatal    []error
}

func (b *builder) fault(kind Kind, keys ...string) {
	f := Fault{Kind: kind, Keys: keys}
	for _, key := range keys {
		name := key
		if i, ok := b.number[key]; ok && len(b.labels) > i && len(b.labels[i]) > 0 {
			name = b.labels[i][0]
		}
		f.Names = append(f.Names, name)
	}
	b.add(f)
}

func (b *builder) add(f Fault) {
	switch {
	case f.Kind > BlankLabel && len(b.fatal) < MaxFaults:
		b.fatal = append(b.fatal, f)
	case f.Kind <= BlankLabel && len(b.repaired) < MaxFaults:
		b.repaired = append(b.repaired, f)
	}
}

// names checks keys and labels.
func (b *builder) names() {
	for i, item := range b.items {
		labels := clean(item.Labels)
		b.labels = append(b.labels, labels)
		if item.Key == "" {
			b.add(Fault{NoKey, []string{""}, append(labels, "")[:1]})
			continue
		}
		if _, ok := b.number[item.Key]; ok {
			b.fault(SameKey, item.Key)
			continue
		}
		b.number[item.Key] = i
		blank := false
		for _, l := range item.Labels {
			blank = blank || strings.TrimSpace(l) == ""
		}
		switch {
		case len(labels) == 0:
			b.fault(NoLabel, item.Key)
		case blank:
			b.fault(BlankLabel, item.Key)
		}
	}
}

// clean trims the texts and leaves out those that are blank or came before.
func clean(texts []string) []string {
	var kept []string
	seen := make(map[string]bool, len(texts))
	for _, s := range texts {
		if s = strings.TrimSpace(s); s != "" && !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}

// parents chooses one parent for each item.
func (b *builder) parents() {
	b.parent = make([]int, len(b.items))
	for i, item := range b.items {
		var known []string
		for _, key := range clean(item.Parents) {
			if _, ok := b.number[key]; ok {
				known = append(known, key)
			} else {
				b.fault(UnknownParent, item.Key, key)
			}
		}
		b.parent[i] = None
		if len(known) > 0 {
			b.parent[i] = b.number[known[0]]
		}
		if len(known) > 1 {
			b.fault(TwoParents, append([]string{item.Key}, known...)...)
		}
	}
}

// cycles looks for terms that are above themselves.
func (b *builder) cycles() {
	visit := make([]int, len(b.items)) // the walk that came by, counted from 1
	for start := range b.items {
		i := start
		for ; i != None && visit[i] == 0; i = b.parent[i] {
			visit[i] = start + 1
		}
		if i == None || visit[i] != start+1 {
			continue
		}
		keys := []string{b.items[i].Key}
		for j := b.parent[i]; j != i; j = b.parent[j] {
			keys = append(keys, b.items[j].Key)
		}
		b.fault(Cycle, keys...)
	}
}

// The root that is put above several.
const (
	addedKey   = "all"
	addedLabel = "everything"
)

// order gives the terms in pre-order, below one root.
func (b *builder) order() []Term {
	children := make([][]int, len(b.items))
	var roots []int
	for i, p := range b.parent {
		if p == None {
			roots = append(roots, i)
		} else {
			children[p] = append(children[p], i)
		}
	}
	terms := make([]Term, 0, len(b.items)+1)
	if len(roots) > 1 {
		keys := make([]string, len(roots))
		for k, i := range roots {
			keys[k] = b.items[i].Key
		}
		b.fault(TwoRoots, keys...)
		terms = append(terms, Term{Key: b.free(), Labels: []string{addedLabel}, Parent: None})
	}
	type step struct{ item, parent int }
	var todo []step
	push := func(items []int, parent int) {
		for k := len(items) - 1; k >= 0; k-- {
			todo = append(todo, step{items[k], parent})
		}
	}
	push(roots, len(terms)-1)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		item := b.items[s.item]
		terms = append(terms, Term{Key: item.Key, Labels: b.labels[s.item], Senses: clean(item.Senses), Parent: s.parent})
		push(children[s.item], len(terms)-1)
	}
	return terms
}

// free is a key for the added root.
func (b *builder) free() string {
	key := addedKey
	for n := 2; ; n++ {
		if _, taken := b.number[key]; !taken {
			return key
		}
		key = fmt.Sprintf("%s-%d", addedKey, n)
	}
}
