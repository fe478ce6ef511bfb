package ontologies

import (
	"errors"
	"strings"
	"testing"
)

func TestFromWordNet(t *testing.T) {
	s := New(mustStore(t), mustDictionary(t))
	o, err := s.FromWordNet(t.Context(), "", "creature.n.01", 0)
	if err != nil || o.Name != "creature" {
		t.Fatalf("%+v, %v", o, err)
	}
	// The hound is a hunter and a friend: it is put below the one nearer to the top.
	mustEqual(t, "creatures", mustText(t, s, o.ID), `creature | being [creature.n.01]
  beast | animal [beast.n.01]
    hunter [hunter.n.01]
  friend | companion [friend.n.01]
    hound | dog [hound.n.01]
      old gale [old_gale.n.01]
`)
	o, err = s.FromWordNet(t.Context(), "tools", "INSTRUMENT", 1)
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, "one level of a word with one sense", mustText(t, s, o.ID), `tool | instrument [tool.n.01]
  drum [drum.n.01]
  pipe | wind [pipe.n.01]
`)
	if i, ok := mustTree(t, s, o.ID).ByKey("pipe.n.01"); !ok || i != 2 {
		t.Error("the key of a term is not its sense")
	}
}

func TestFromWordNetRefuses(t *testing.T) {
	s := New(mustStore(t), mustDictionary(t))
	for sense, want := range map[string]string{
		"":          "name a sense of WordNet",
		"pipe":      `"pipe" has more than one sense; name one of pipe.n.01, pipe.n.02, pipe.v.01`,
		"pipe.n.07": `WordNet has no sense "pipe.n.07"; it has pipe.n.01, pipe.n.02, pipe.v.01`,
		"winds.n.7": `WordNet has no sense "winds.n.7"; it has wind.n.01, wind.n.02`,
		"u.s..n.02": `WordNet has no sense "u.s..n.02"; it has u.s..n.01`,
		"zebra.n.1": `WordNet has no sense "zebra.n.1", and no noun or verb "zebra"`,
	} {
		if o, err := s.FromWordNet(t.Context(), "", sense, 4); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v, want %q", sense, o, err, want)
		}
	}
	for _, depth := range []int{-1, MaxDepth + 1} {
		if _, err := s.FromWordNet(t.Context(), "", "tool.n.01", depth); err == nil || !strings.Contains(err.Error(), "1 to 30") {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
	s = New(s.store, nil)
	if _, err := s.FromWordNet(t.Context(), "", "tool.n.01", 4); !errors.Is(err, ErrNoWordNet) {
		t.Errorf("without WordNet: %v", err)
	}
	if list, err := s.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("stored %+v, %v", list, err)
	}
}
