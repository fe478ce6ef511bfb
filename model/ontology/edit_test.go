package ontology

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func mustApply(tb testing.TB, t *Tree, e Edit) (*Tree, Edit) {
	tb.Helper()
	changed, undo, err := t.Apply(e)
	if err != nil {
		tb.Fatalf("%+v: %v", e, err)
	}
	return changed, undo
}

// outline writes a tree as indented keys.
func outline(t *Tree) string {
	var s strings.Builder
	for i, term := range t.Terms() {
		fmt.Fprintf(&s, "%s%s\n", strings.Repeat(" ", t.Depth(i)-1), term.Key)
	}
	return s.String()
}

func TestEdits(t *testing.T) {
	start := mustBuild(t, []Item{item("r", ""), item("a", "r"), item("b", "a"), item("c", "a"), item("d", "r")})
	if got := outline(start); got != "r\n a\n  b\n  c\n d\n" {
		t.Fatal(got)
	}
	subtree := []Term{{"x", []string{"X"}, nil, 7}, {"y", []string{"Y"}, nil, 0}, {"z", []string{"Z"}, nil, 0}}
	for _, tt := range []struct {
		e    Edit
		want string
	}{
		{Edit{Action: Add, Parent: "a", Terms: subtree}, "r\n a\n  b\n  c\n  x\n   y\n   z\n d\n"},
		{Edit{Action: Add, Parent: "a", Before: "b", Terms: subtree}, "r\n a\n  x\n   y\n   z\n  b\n  c\n d\n"},
		{Edit{Action: Add, Parent: "d", Terms: subtree[:1]}, "r\n a\n  b\n  c\n d\n  x\n"},
		{Edit{Action: Move, Key: "a", Parent: "d"}, "r\n d\n  a\n   b\n   c\n"},
		{Edit{Action: Move, Key: "a", Parent: "r"}, "r\n d\n a\n  b\n  c\n"},
		{Edit{Action: Move, Key: "a", Parent: "r", Before: "a"}, "r\n a\n  b\n  c\n d\n"},
		{Edit{Action: Move, Key: "d", Parent: "a", Before: "c"}, "r\n a\n  b\n  d\n  c\n"},
		{Edit{Action: Move, Key: "c", Parent: "r", Before: "a"}, "r\n c\n a\n  b\n d\n"},
		{Edit{Action: Remove, Key: "a"}, "r\n d\n"},
		{Edit{Action: Remove, Key: "c"}, "r\n a\n  b\n d\n"},
	} {
		changed, undo := mustApply(t, start, tt.e)
		if got := outline(changed); got != tt.want {
			t.Errorf("%+v gives\n%s", tt.e, got)
		}
		back, redo := mustApply(t, changed, undo)
		if !reflect.DeepEqual(back, start) {
			t.Errorf("%+v undone gives\n%s", tt.e, outline(back))
		}
		if again, _ := mustApply(t, back, redo); !reflect.DeepEqual(again, changed) {
			t.Errorf("%+v done again gives\n%s", tt.e, outline(again))
		}
	}
}

func TestLabelsAndSenses(t *testing.T) {
	start := mustBuild(t, music)
	named, undo := mustApply(t, start, Edit{Action: Rename, Key: "flute", Labels: []string{" transverse flute", "flute", ""}})
	i, _ := named.ByKey("flute")
	if got := named.Term(i).Labels; !slices.Equal(got, []string{"transverse flute", "flute"}) {
		t.Errorf("labels %q", got)
	}
	chosen, undoChoice := mustApply(t, named, Edit{Action: Choose, Key: "flute", Senses: []string{"flute.n.01"}})
	if got := chosen.Term(i); !slices.Equal(got.Senses, []string{"flute.n.01"}) || got.Labels[0] != "transverse flute" {
		t.Errorf("%+v", got)
	}
	back, _ := mustApply(t, chosen, undoChoice)
	back, _ = mustApply(t, back, undo)
	if !reflect.DeepEqual(back, start) {
		t.Error("undoing does not give the tree of the start")
	}
}

func TestApplyRefuses(t *testing.T) {
	tree := mustBuild(t, music)
	full := make([]Item, MaxTerms)
	for i := range full {
		full[i] = item(fmt.Sprint(i), "0")
	}
	full[0].Parents = nil
	fine := []string{"L"}
	for _, tt := range []struct {
		e    Edit
		want string
	}{
		{Edit{Action: "burn"}, `cannot be edited by "burn"`},
		{Edit{Action: Remove, Key: "harp"}, `no term "harp"`},
		{Edit{Action: Remove, Key: "music"}, "is the root"},
		{Edit{Action: Move, Key: "music", Parent: "jazz"}, "is the root"},
		{Edit{Action: Move, Key: "harp", Parent: "jazz"}, `no term "harp"`},
		{Edit{Action: Move, Key: "jazz", Parent: "harp"}, `no term "harp"`},
		{Edit{Action: Move, Key: "instrument", Parent: "guitar"}, "cannot be put below itself"},
		{Edit{Action: Move, Key: "instrument", Parent: "instrument"}, "cannot be put below itself"},
		{Edit{Action: Move, Key: "jazz", Parent: "instrument", Before: "opera"}, "not directly below"},
		{Edit{Action: Rename, Key: "harp", Labels: fine}, `no term "harp"`},
		{Edit{Action: Rename, Key: "jazz", Labels: []string{" "}}, "has no label"},
		{Edit{Action: Add, Parent: "jazz"}, "no terms"},
		{Edit{Action: Add, Parent: "harp", Terms: []Term{{Key: "x", Labels: fine}}}, `no term "harp"`},
		{Edit{Action: Add, Parent: "jazz", Before: "harp", Terms: []Term{{Key: "x", Labels: fine}}}, `no term "harp"`},
		{Edit{Action: Add, Parent: "jazz", Terms: []Term{{Key: "x"}}}, "has no label"},
		{Edit{Action: Add, Parent: "jazz", Terms: []Term{{Labels: fine}}}, "has no identifier"},
		{Edit{Action: Add, Parent: "jazz", Terms: []Term{{Key: "opera", Labels: fine}}}, "two terms have the identifier"},
		{Edit{Action: Add, Parent: "jazz", Terms: []Term{{Key: "x", Labels: fine}, {Key: "x", Labels: fine}}}, "two terms have the identifier"},
		{Edit{Action: Add, Parent: "jazz", Terms: []Term{{Key: "x", Labels: fine}, {Key: "y", Labels: fine, Parent: 1}}}, "does not follow"},
		{Edit{Action: Add, Parent: "jazz", Terms: []Term{{Key: "x", Labels: fine}, {Key: "y", Labels: fine, Parent: None}}}, "does not follow"},
		{Edit{Action: Add, Parent: "jazz", Terms: []Term{ // w is below y, but z comes between
			{Key: "x", Labels: fine}, {Key: "y", Labels: fine}, {Key: "z", Labels: fine}, {Key: "w", Labels: fine, Parent: 1}}}, "does not follow"},
	} {
		if changed, _, err := tree.Apply(tt.e); err == nil || changed != nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.e, err, tt.want)
		}
	}
	if _, _, err := mustBuild(t, full).Apply(Edit{Action: Add, Parent: "0", Terms: []Term{{Key: "x", Labels: fine}}}); err == nil {
		t.Error("a term too many is added")
	}
}

// TestRandomEdits compares each edit with a list of {key, parent} that is changed the simple way, and undoes them all.
// The undo edits pass through JSON, as when they are stored.
func TestRandomEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 16))
	for range 40 {
		tree := mustBuild(t, randomItems(rng, 1+rng.IntN(25)))
		parents := map[string]string{}
		for _, term := range tree.Terms()[1:] {
			parents[term.Key] = tree.Term(term.Parent).Key
		}
		trees, undos := []*Tree{tree}, []Edit{}
		for step := range 30 {
			e, ok := randomEdit(rng, tree, step)
			if !ok {
				continue
			}
			changed, undo := mustApply(t, tree, e)
			switch e.Action {
			case Add:
				parents[e.Terms[0].Key] = e.Parent
			case Move:
				parents[e.Key] = e.Parent
			case Remove:
				from, end := tree.Below(must(tree.ByKey(e.Key)))
				for _, term := range tree.Terms()[from:end] {
					delete(parents, term.Key)
				}
			}
			tree = changed
			if tree.Len() != len(parents)+1 {
				t.Fatalf("%+v: %d terms, want %d", e, tree.Len(), len(parents)+1)
			}
			for i, term := range tree.Terms()[1:] {
				if got := tree.Term(term.Parent).Key; got != parents[term.Key] || term.Parent > i {
					t.Fatalf("%+v: %s is below %s, want %s", e, term.Key, got, parents[term.Key])
				}
			}
			trees, undos = append(trees, tree), append(undos, undo)
		}
		for k := len(undos) - 1; k >= 0; k-- {
			data, err := json.Marshal(undos[k])
			var stored Edit
			if err != nil || json.Unmarshal(data, &stored) != nil {
				t.Fatal(err)
			}
			if tree, _ = mustApply(t, tree, stored); !reflect.DeepEqual(tree, trees[k]) {
				t.Fatalf("%s gives\n%swant\n%s", data, outline(tree), outline(trees[k]))
			}
		}
	}
}

func must(i int, ok bool) int {
	if !ok {
		panic("no such term")
	}
	return i
}

// randomEdit makes an edit that is allowed, if it finds one.
func randomEdit(rng *rand.Rand, t *Tree, step int) (Edit, bool) {
	i, p := rng.IntN(t.Len()), rng.IntN(t.Len())
	e := Edit{Key: t.Term(i).Key, Parent: t.Term(p).Key}
	if c := t.Children(p); len(c) > 0 && rng.IntN(2) == 0 {
		e.Before = t.Term(c[rng.IntN(len(c))]).Key
	}
	switch rng.IntN(4) {
	case 0:
		e.Action = Remove
		return e, i > 0 && rng.IntN(3) == 0
	case 1:
		e.Action = Move
		from, end := t.Below(i)
		return e, i > 0 && !(p >= from && p < end)
	}
	e.Action, e.Key = Add, ""
	key := fmt.Sprintf("new %d", step)
	e.Terms = []Term{{Key: key, Labels: []string{key}, Senses: []string{"x.n.01"}}}
	return e, true
}
