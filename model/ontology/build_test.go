package ontology

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestBuildRepairs(t *testing.T) {
	items := []Item{
		{Key: "r", Labels: []string{"Root"}},
		{Key: "a", Labels: []string{" Alpha ", "", "A", "Alpha"}, Senses: []string{"alpha.n.01", " ", "alpha.n.01"}, Parents: []string{"r"}},
		{Key: "b", Labels: []string{"Beta"}, Parents: []string{"nowhere", "a", "r", "a"}},
	}
	tree, repaired, err := Build(items)
	if err != nil {
		t.Fatal(err)
	}
	want := []Fault{
		{BlankLabel, []string{"a"}, []string{"Alpha"}},
		{UnknownParent, []string{"b", "nowhere"}, []string{"Beta", "nowhere"}},
		{TwoParents, []string{"b", "a", "r"}, []string{"Beta", "Alpha", "Root"}},
	}
	if !reflect.DeepEqual(repaired, want) {
		t.Errorf("%v", repaired)
	}
	terms := []Term{
		{"r", []string{"Root"}, nil, None},
		{"a", []string{"Alpha", "A"}, []string{"alpha.n.01"}, 0},
		{"b", []string{"Beta"}, nil, 1},
	}
	if !reflect.DeepEqual(tree.Terms(), terms) {
		t.Errorf("%+v", tree.Terms())
	}
}

func TestBuildAddsARoot(t *testing.T) {
	tree, repaired, err := Build([]Item{item("x", ""), item("all", ""), item("y", "x")})
	if err != nil || len(repaired) != 1 || repaired[0].Kind != TwoRoots || !reflect.DeepEqual(repaired[0].Keys, []string{"x", "all"}) {
		t.Fatalf("%v, %v", repaired, err)
	}
	terms := []Term{
		{"all-2", []string{"everything"}, nil, None}, {"x", []string{"x"}, nil, 0}, {"y", []string{"y"}, nil, 1}, {"all", []string{"all"}, nil, 0},
	}
	if !reflect.DeepEqual(tree.Terms(), terms) {
		t.Errorf("%+v", tree.Terms())
	}
}

func TestBuildRefuses(t *testing.T) {
	many := make([]Item, MaxTerms+1)
	roots := make([]Item, MaxTerms)
	for i := range many {
		many[i] = item(fmt.Sprint(i), "0")
		if i < len(roots) {
			roots[i] = item(fmt.Sprint(i), "")
		}
	}
	many[0].Parents = nil
	for name, tt := range map[string]struct {
		items []Item
		want  []Fault
	}{
		"nothing":        {nil, []Fault{{NoTerms, nil, nil}}},
		"too many":       {many, []Fault{{TooMany, nil, nil}}},
		"one root more":  {roots, []Fault{{TooMany, nil, nil}}},
		"no label":       {[]Item{{Key: "a", Labels: []string{" "}}}, []Fault{{NoLabel, []string{"a"}, []string{"a"}}}},
		"no key":         {[]Item{{Labels: []string{"Alpha"}}}, []Fault{{NoKey, []string{""}, []string{"Alpha"}}}},
		"same key":       {[]Item{item("a", ""), item("a", "")}, []Fault{{SameKey, []string{"a"}, []string{"a"}}}},
		"above itself":   {[]Item{item("a", "a")}, []Fault{{Cycle, []string{"a"}, []string{"a"}}}},
		"cycle of three": {[]Item{item("d", "c"), item("c", "b"), item("b", "a"), item("a", "c"), item("r", "")}, []Fault{{Cycle, []string{"c", "b", "a"}, []string{"c", "b", "a"}}}},
		"two cycles": {[]Item{item("a", "b"), item("b", "a"), item("c", "c")},
			[]Fault{{Cycle, []string{"a", "b"}, []string{"a", "b"}}, {Cycle, []string{"c"}, []string{"c"}}}},
	} {
		tree, repaired, err := Build(tt.items)
		if tree != nil || repaired != nil || err == nil {
			t.Errorf("%s: %v, %v, %v", name, tree, repaired, err)
			continue
		}
		var got []Fault
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range joined.Unwrap() {
				got = append(got, e.(Fault))
			}
		} else {
			got = append(got, err.(Fault))
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	tree := mustBuild(t, many[:MaxTerms])
	if tree.Len() != MaxTerms {
		t.Errorf("%d terms", tree.Len())
	}
}

func TestFaultsAreBounded(t *testing.T) {
	var bad, odd []Item
	for i := range 3 * MaxFaults {
		bad = append(bad, Item{Key: fmt.Sprint(i)})
		odd = append(odd, Item{Key: fmt.Sprint(i), Labels: []string{strings.Repeat("é", 500), ""}})
	}
	_, _, err := Build(bad)
	if n := strings.Count(err.Error(), "\n") + 1; n != MaxFaults {
		t.Errorf("%d errors", n)
	}
	_, repaired, err := Build(odd)
	if err != nil || len(repaired) != MaxFaults {
		t.Errorf("%d faults, %v", len(repaired), err)
	}
	for _, f := range repaired {
		if len(f.Error()) > 400 {
			t.Errorf("a message of %d bytes", len(f.Error()))
		}
	}
}

func TestMessages(t *testing.T) {
	keys := []string{"a", "b", "c"}
	for kind, want := range map[Kind]string{
		TwoParents:    `"a" has more than one broader term; it was put below "b" and not below "c"`,
		UnknownParent: `"a" is put below "b", which the ontology does not have; this was ignored`,
		TwoRoots:      `there is more than one term without a broader term ("a", "b", "c"); a term was added above them`,
		BlankLabel:    `"a" has an empty label, which was ignored`,
		NoLabel:       `the term "a" has no label; give it one`,
		NoKey:         `the term "a" has no identifier`,
		SameKey:       `two terms have the identifier "a"; remove or rename one of them`,
		Cycle:         `these terms are each below the next one, and the last is below the first: "a", "b", "c"; remove one of these relations`,
		TooMany:       `the ontology has more than 20000 terms; import a part of it`,
		NoTerms:       `the ontology has no terms`,
	} {
		if got := (Fault{kind, keys, keys}).Error(); got != want {
			t.Errorf("%d: %s", kind, got)
		}
	}
	names := strings.Split("a b c d e f g h i j k", " ")
	if got := (Fault{TwoRoots, names, names}).Error(); !strings.Contains(got, `"h" and 3 more`) {
		t.Error(got)
	}
	_, _, err := Build([]Item{item("a", "a")})
	var f Fault
	if !errors.As(err, &f) || f.Kind != Cycle {
		t.Errorf("%v is no fault", err)
	}
}
