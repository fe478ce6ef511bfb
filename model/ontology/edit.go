package ontology

import (
	"fmt"
	"slices"
)

// Action is what an Edit does.
type Action string

// The actions.
const (
	Add    Action = "add"    // puts Terms below Parent
	Move   Action = "move"   // puts the term Key, with all below it, below Parent
	Rename Action = "rename" // gives the term Key the Labels
	Choose Action = "choose" // gives the term Key the Senses
	Remove Action = "remove" // removes the term Key with all below it
)

// Edit is a change of a tree. It names terms by key, so that a stored list of edits can be undone one by one, the last
// first.
type Edit struct {
	Action Action   `json:"action"`
	Key    string   `json:"key,omitempty"`
	Parent string   `json:"parent,omitempty"` // Add, Move
	Before string   `json:"before,omitempty"` // Add, Move: the child of Parent in front of which to put it; "": behind all
	Labels []string `json:"labels,omitempty"` // Rename
	Senses []string `json:"senses,omitempty"` // Choose

	// Terms of Add: a term, and the terms below it, in pre-order. Each Parent is a place in Terms; that of the first is
	// ignored.
	Terms []Term `json:"terms,omitempty"`
}

// Apply makes the change in a copy of the tree. undo is the edit that turns the new tree into t again. An error says what
// is wrong with the edit; then there is no tree.
func (t *Tree) Apply(e Edit) (changed *Tree, undo Edit, err error) {
	switch e.Action {
	case Add:
		return t.add(e)
	case Move:
		return t.move(e)
	case Rename, Choose:
		return t.describe(e)
	case Remove:
		return t.remove(e)
	}
	return nil, Edit{}, fmt.Errorf("an ontology cannot be edited by %q", e.Action)
}

func (t *Tree) find(key string) (int, error) {
	i, ok := t.number[key]
	if !ok {
		return 0, fmt.Errorf("the ontology has no term %q any more; load it again", key)
	}
	return i, nil
}

// below is find for a term that is not the root.
func (t *Tree) below(key, what string) (int, error) {
	i, err := t.find(key)
	if err == nil && i == 0 {
		return 0, fmt.Errorf("%q is the root of the ontology and cannot be %s", t.Label(0), what)
	}
	return i, err
}

// place is the number that a new child of the term parent gets, and the parent's number.
func (t *Tree) place(parent, before string) (at, p int, err error) {
	if p, err = t.find(parent); err != nil {
		return 0, 0, err
	}
	if before == "" {
		return int(t.after[p]), p, nil
	}
	if at, err = t.find(before); err != nil {
		return 0, 0, err
	}
	if t.terms[at].Parent != p {
		return 0, 0, fmt.Errorf("%q is not directly below %q", t.Label(at), t.Label(p))
	}
	return at, p, nil
}

// next is the key of the sibling that follows term i; "" if it is the last.
func (t *Tree) next(i int) string {
	if end := int(t.after[i]); end < len(t.terms) && t.terms[end].Parent == t.terms[i].Parent {
		return t.terms[end].Key
	}
	return ""
}

func (t *Tree) add(e Edit) (*Tree, Edit, error) {
	at, p, err := t.place(e.Parent, e.Before)
	if err != nil {
		return nil, Edit{}, err
	}
	if len(e.Terms) == 0 {
		return nil, Edit{}, Fault{Kind: NoTerms}
	}
	if len(t.terms)+len(e.Terms) > MaxTerms {
		return nil, Edit{}, Fault{Kind: TooMany}
	}
	terms := make([]Term, len(e.Terms))
	keys := make(map[string]bool, len(e.Terms))
	for i, term := range e.Terms {
		_, taken := t.number[term.Key]
		term.Labels, term.Senses = clean(term.Labels), clean(term.Senses)
		switch {
		case term.Key == "":
			return nil, Edit{}, Fault{Kind: NoKey, Keys: []string{""}, Names: append(term.Labels, "")[:1]}
		case taken || keys[term.Key]:
			return nil, Edit{}, Fault{Kind: SameKey, Keys: []string{term.Key}, Names: []string{term.Key}}
		case len(term.Labels) == 0:
			return nil, Edit{}, Fault{Kind: NoLabel, Keys: []string{term.Key}, Names: []string{term.Key}}
		case i > 0 && (term.Parent < 0 || term.Parent >= i || !preOrder(e.Terms, i)):
			return nil, Edit{}, fmt.Errorf("the term %q does not follow the terms above it", term.Key)
		}
		keys[term.Key] = true
		terms[i] = term
	}
	terms[0].Parent = None
	return t.insert(terms, at, p), Edit{Action: Remove, Key: terms[0].Key}, nil
}

// preOrder reports whether the parent of term i is the term in front of it or above that.
func preOrder(terms []Term, i int) bool {
	above := i - 1
	for above > terms[i].Parent {
		above = terms[above].Parent
	}
	return above == terms[i].Parent
}

// insert makes a tree with terms, whose first has the parent None, put below term p at number at.
func (t *Tree) insert(terms []Term, at, p int) *Tree {
	all := make([]Term, 0, len(t.terms)+len(terms))
	all = append(all, t.terms[:at]...)
	for _, term := range terms {
		if term.Parent == None {
			term.Parent = p
		} else {
			term.Parent += at
		}
		all = append(all, term)
	}
	for _, term := range t.terms[at:] {
		if term.Parent >= at {
			term.Parent += len(terms)
		}
		all = append(all, term)
	}
	return newTree(all)
}

// cut gives the tree without term i and all below it, and these.
func (t *Tree) cut(i int) (rest *Tree, terms []Term) {
	end := int(t.after[i])
	for _, term := range t.terms[i:end] {
		term.Parent -= i
		terms = append(terms, term)
	}
	terms[0].Parent = None
	all := slices.Clone(t.terms[:i])
	for _, term := range t.terms[end:] {
		if term.Parent >= end {
			term.Parent -= end - i
		}
		all = append(all, term)
	}
	return newTree(all), terms
}

func (t *Tree) remove(e Edit) (*Tree, Edit, error) {
	i, err := t.below(e.Key, "removed")
	if err != nil {
		return nil, Edit{}, err
	}
	rest, terms := t.cut(i)
	return rest, Edit{Action: Add, Parent: t.terms[t.terms[i].Parent].Key, Before: t.next(i), Terms: terms}, nil
}

func (t *Tree) move(e Edit) (*Tree, Edit, error) {
	i, err := t.below(e.Key, "moved")
	if err != nil {
		return nil, Edit{}, err
	}
	undo := Edit{Action: Move, Key: e.Key, Parent: t.terms[t.terms[i].Parent].Key, Before: t.next(i)}
	p, err := t.find(e.Parent)
	if err != nil {
		return nil, Edit{}, err
	}
	if from, end := t.Below(i); p >= from && p < end {
		return nil, Edit{}, fmt.Errorf("%q cannot be put below itself or a term below it", t.Label(i))
	}
	if e.Before == e.Key { // it stays in front of the sibling that follows it
		e.Before = t.next(i)
	}
	rest, terms := t.cut(i)
	at, p, err := rest.place(e.Parent, e.Before)
	if err != nil {
		return nil, Edit{}, err
	}
	return rest.insert(terms, at, p), undo, nil
}

// describe changes the labels or the senses of a term.
func (t *Tree) describe(e Edit) (*Tree, Edit, error) {
	i, err := t.find(e.Key)
	if err != nil {
		return nil, Edit{}, err
	}
	terms := slices.Clone(t.terms)
	undo := Edit{Action: e.Action, Key: e.Key}
	if e.Action == Choose {
		undo.Senses, terms[i].Senses = terms[i].Senses, clean(e.Senses)
		return newTree(terms), undo, nil
	}
	labels := clean(e.Labels)
	if len(labels) == 0 {
		return nil, Edit{}, Fault{Kind: NoLabel, Keys: []string{e.Key}, Names: []string{t.Label(i)}}
	}
	undo.Labels, terms[i].Labels = terms[i].Labels, labels
	return newTree(terms), undo, nil
}
