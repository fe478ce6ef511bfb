package ontologies

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/store"
	format "nightjar/daemon/thesus/ontology"
	"nightjar/model/ontology"
)

// randomEdit is an edit that may be refused.
func randomEdit(random *rand.Rand, tree *ontology.Tree) ontology.Edit {
	key := func() string { return tree.Term(random.IntN(tree.Len())).Key }
	words := []string{"wind", "pipe", "drum", "gale", "weather", "glass", "über", "a|b", "[x"}
	word := func() string { return words[random.IntN(len(words))] }
	e := ontology.Edit{Key: key(), Parent: key()}
	if random.IntN(2) == 0 {
		e.Before = key()
	}
	switch random.IntN(6) {
	case 0, 1:
		e.Action = ontology.Add
		e.Terms = []ontology.Term{{Labels: []string{word(), word()}}, {Labels: []string{word()}}}
	case 2:
		e.Action = ontology.Move
	case 3:
		e.Action, e.Labels = ontology.Rename, []string{word(), word() + "s"}
	case 4:
		e.Action, e.Senses = ontology.Choose, []string{"wind.n.01", "pipe.n.02", "drum.n.01"}[:random.IntN(4)]
	case 5:
		e.Action = ontology.Remove
	}
	return e
}

// state is all of a tree, with keys.
func state(t *testing.T, s *Shelf, id int64) string {
	return fmt.Sprintf("%+v", mustTree(t, s, id).Terms())
}

// TestUndoAll: after random edits, Undo leads back over every state to the first, and Redo forth again, also when the store is
// opened again in between.
func TestUndoAll(t *testing.T) {
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 16))
		path := mustStore(t).Path()
		open := func() *Shelf {
			st, err := store.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = st.Close() }) // some are closed below
			return New(st, mustDictionary(t))
		}
		s := open()
		id := mustImport(t, s, "", music).ID
		states := []string{state(t, s, id)}
		for range 60 {
			if err := s.Apply(t.Context(), id, randomEdit(random, mustTree(t, s, id))); err == nil {
				states = append(states, state(t, s, id))
			} else if state(t, s, id) != states[len(states)-1] {
				t.Fatalf("a refused edit changed the tree: %v", err)
			}
		}
		if len(states) < 20 {
			t.Fatalf("only %d edits were made", len(states)-1)
		}
		step := func(what string, do func() (bool, error), i int) {
			t.Helper()
			done, err := do()
			if err != nil || !done {
				t.Fatalf("seed %d: %s to %d: %v, %v", seed, what, i, done, err)
			}
			if got := state(t, s, id); got != states[i] {
				t.Fatalf("seed %d: %s to %d gives\n%s\nwant\n%s", seed, what, i, got, states[i])
			}
		}
		at := len(states) - 1
		for ; at > 0; at-- {
			step("undo", func() (bool, error) { return s.Undo(t.Context(), id) }, at-1)
			if at == len(states)/2 {
				if err := s.store.Close(); err != nil {
					t.Fatal(err)
				}
				s = open()
			}
		}
		if done, err := s.Undo(t.Context(), id); done || err != nil {
			t.Errorf("one undo too many: %v, %v", done, err)
		}
		for ; at < len(states)-1; at++ {
			step("redo", func() (bool, error) { return s.Redo(t.Context(), id) }, at+1)
		}
		if done, err := s.Redo(t.Context(), id); done || err != nil {
			t.Errorf("one redo too many: %v, %v", done, err)
		}
	}
}

// TestEditForgetsRedo: an edit after an undo is the newest one, and what was undone is gone.
func TestEditForgetsRedo(t *testing.T) {
	s := New(mustStore(t), nil)
	id := mustImport(t, s, "", music).ID
	root := mustTree(t, s, id).Term(0).Key
	add := func(label string) {
		t.Helper()
		err := s.Apply(t.Context(), id, ontology.Edit{Action: ontology.Add, Parent: root, Terms: []ontology.Term{{Labels: []string{label}}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	add("one")
	add("two")
	if _, err := s.Undo(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	h, err := s.History(t.Context(), id)
	if err != nil || h.Undo != 1 || h.Redo != 1 || h.Last.Terms[0].Labels[0] != "one" || h.Next.Terms[0].Labels[0] != "two" {
		t.Fatalf("history %+v, %v", h, err)
	}
	add("three")
	if h, err = s.History(t.Context(), id); err != nil || h.Undo != 2 || h.Redo != 0 || h.Next != nil {
		t.Errorf("history %+v, %v", h, err)
	}
	mustEqual(t, "text", mustText(t, s, id), music+"  one\n  three\n")
}

// TestKeys: new terms get keys that no term had, and edits keep those of others.
func TestKeys(t *testing.T) {
	s := New(mustStore(t), nil)
	id := mustImport(t, s, "", music).ID
	seen := map[string]bool{}
	for _, term := range mustTree(t, s, id).Terms() {
		seen[term.Key] = true
	}
	for range 20 {
		err := s.Apply(t.Context(), id, ontology.Edit{Action: ontology.Add, Parent: "music", Terms: []ontology.Term{{Labels: []string{"jazz"}}}})
		if err != nil {
			t.Fatal(err)
		}
		tree := mustTree(t, s, id)
		key := tree.Term(tree.Len() - 1).Key
		if seen[key] {
			t.Fatalf("the key %q is given again", key)
		}
		seen[key] = true
		if err := s.Apply(t.Context(), id, ontology.Edit{Action: ontology.Remove, Key: key}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestApplyRefuses: edits that a file could not hold, or that name what is not there, change nothing and say what to do.
func TestApplyRefuses(t *testing.T) {
	s := New(mustStore(t), mustDictionary(t))
	deep := strings.Builder{}
	for i := range format.MaxLevels {
		fmt.Fprintf(&deep, "%s%d\n", strings.Repeat(" ", i), i)
	}
	bottom := fmt.Sprint(format.MaxLevels - 1)
	id := mustImport(t, s, "", deep.String()).ID
	add := func(parent string, labels ...string) ontology.Edit {
		return ontology.Edit{Action: ontology.Add, Parent: parent, Terms: []ontology.Term{{Labels: labels}}}
	}
	for want, e := range map[string]ontology.Edit{
		"at most 200 levels":       add(bottom, "x"),
		"a term needs a label":     add("0", " ", "\u200b"),
		"more than 200 characters": add("0", strings.Repeat("é", 201)),
		"at most 50 labels":        {Action: ontology.Rename, Key: "1", Labels: slices.Repeat([]string{"x"}, 51)},
		"cannot be removed":        {Action: ontology.Remove, Key: "0"},
		"below itself":             {Action: ontology.Move, Key: "1", Parent: "5"},
		"no term \"gone\"":         add("gone", "x"),
		"not a WordNet sense":      {Action: ontology.Choose, Key: "1", Senses: []string{"x], y"}},
		"no sense \"wind.n.09\"; it has wind.n.01, wind.n.02": {Action: ontology.Choose, Key: "1", Senses: []string{"wind.n.09"}},
		"cannot be edited by \"burn\"":                        {Action: "burn"},
	} {
		if err := s.Apply(t.Context(), id, e); !errors.As(err, new(Problem)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", e, err, want)
		}
	}
	mustEqual(t, "text", mustText(t, s, id), strings.ReplaceAll(deep.String(), " ", "  "))
	if h, err := s.History(t.Context(), id); err != nil || h.Undo != 0 {
		t.Errorf("refused edits are kept: %+v, %v", h, err)
	}
}

func TestChoices(t *testing.T) {
	words := mustDictionary(t)
	s := New(mustStore(t), words)
	id := mustImport(t, s, "", "thing\n  winds [wind.n.02, wind.n.09]\n  blow | rush\n").ID
	choices := func(key string) string {
		t.Helper()
		all, err := s.Choices(t.Context(), id, key)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, c := range all {
			fmt.Fprintf(&b, "%v %s = %s: %s\n", c.Kept, c.Name, c.Words, c.Gloss)
		}
		return b.String()
	}
	mustEqual(t, "some are named", choices("winds"), `true wind.n.09 = : 
false wind.n.01 = wind, air current: gloss of wind.n.01
true pipe.n.01 = pipe, wind: gloss of pipe.n.01
`)
	mustEqual(t, "none are named", choices("blow"), `true blow.v.01 = blow: gloss of blow.v.01
true rush.v.01 = rush, speed: gloss of rush.v.01
`)
	// A sense that WordNet lacks may stay.
	if err := s.Apply(t.Context(), id, ontology.Edit{Action: ontology.Choose, Key: "winds", Senses: []string{"wind.n.01", "wind.n.09"}}); err != nil {
		t.Error(err)
	}
	words.net = nil
	mustEqual(t, "without WordNet", choices("winds"), "true wind.n.01 = : \ntrue wind.n.09 = : \n")
	if _, err := s.Choices(t.Context(), id, "gone"); !errors.Is(err, ErrNoTerm) {
		t.Errorf("a term that is gone: %v", err)
	}
}

func TestKeep(t *testing.T) {
	s := New(mustStore(t), mustDictionary(t))
	id := mustImport(t, s, "", "thing\n  wind [drum.n.01]\n").ID
	keep := func(want string, kept ...string) {
		t.Helper()
		if err := s.Keep(t.Context(), id, "wind", kept); err != nil {
			t.Fatal(err)
		}
		mustEqual(t, fmt.Sprint(kept), mustText(t, s, id), "thing\n  wind"+want+"\n")
	}
	keep(" [wind.n.01, drum.n.01]", "drum.n.01", "wind.n.01")
	keep(" [wind.n.01]", "wind.n.01", "no choice of this term")
	keep("", "wind.n.01", "pipe.n.01") // all senses of the label
	if err := s.Keep(t.Context(), id, "wind", nil); !errors.As(err, new(Problem)) {
		t.Errorf("none is kept: %v", err)
	}
	if err := s.Keep(t.Context(), id, "gone", nil); !errors.Is(err, ErrNoTerm) {
		t.Errorf("a term that is gone: %v", err)
	}
}
