package strategy

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"nightjar/model"
)

// mustCopy is a copy of a strategy's model that a test may spoil.
func mustCopy(t *testing.T, name string) *model.Bundle {
	t.Helper()
	data, err := bundleFor(name).Encode()
	if err != nil {
		t.Fatal(err)
	}
	b, err := model.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// contractHostileModel: a model that no training makes is an error.
func contractHostileModel(t *testing.T, name string) {
	spoil := map[string]func(*model.Bundle){
		"no states":             func(b *model.Bundle) { b.Initial = nil },
		"a probability of NaN":  func(b *model.Bundle) { b.Transition[0][0] = math.NaN() },
		"weights missing":       func(b *model.Bundle) { b.Judge.Weights = b.Judge.Weights[1:] },
		"a weight of NaN":       func(b *model.Bundle) { b.Judge.Weights[0] = float32(math.NaN()) },
		"a link to nowhere":     func(b *model.Bundle) { b.Edges[0][1] = len(b.Pages) },
		"words without a count": func(b *model.Bundle) { b.Lessons.Pages[0].Count = nil },
		"an unknown word":       func(b *model.Bundle) { b.Lessons.Pages[0].Index[0] = math.MaxInt32 },
	}
	hostile := map[string]*model.Bundle{"nil": nil, "empty": {}}
	for what, do := range spoil {
		hostile[what] = mustCopy(t, name)
		do(hostile[what])
	}
	for what, b := range hostile {
		if s, err := NewWith(t.Context(), name, b, themesFor(name)); err == nil || s != nil {
			t.Errorf("a model with %s makes %v", what, s)
		}
	}
}

// contractStop: once the context ends, pages are judged all the same, nothing is learned and nothing fails. What fell due
// meanwhile is learned with the next page.
func contractStop(t *testing.T, name string) {
	ended, end := context.WithCancel(t.Context())
	end()
	if s, err := NewWith(ended, name, bundleFor(name), themesFor(name)); err != nil && (s != nil || !errors.Is(err, context.Canceled)) {
		t.Errorf("New gives %v, %v", s, err)
	}
	s, w := mustNew(t, name), newWalk(31)
	w.away = true // a page of the session may change the order without a fit
	l, learns := s.(Learner)
	for range 180 {
		v := w.next()
		j, err := s.Read(ended, v)
		if err != nil {
			t.Fatal(err)
		}
		if wantSound(t, s, v, j); j.Reorder {
			t.Fatalf("page %d taught something", w.n)
		}
		w.follow(v, j)
		if learns && w.n%11 == 0 {
			l.Teach(Mark{URL: v.Page.URL, Useful: w.n%2 == 0})
		}
	}
	if j := mustRead(s, w.next()); learns && !j.Reorder {
		t.Error("what fell due meanwhile is not learned")
	}
}

// TestStoppedNew: strategies that learn from the session do not begin with it.
func TestStoppedNew(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, name := range []string{"link-value", "context-graph"} {
		if s, err := New(ended, name, bundle()); s != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: New gives %v, %v", name, s, err)
		}
	}
}

// TestPathKeepsEveryBit: α is read as it was written.
func TestPathKeepsEveryBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 8))
	for n := range 40 {
		alpha := make([]float64, n)
		for i := range alpha {
			alpha[i] = math.Float64frombits(rng.Uint64())
		}
		got := alphaOf(pathOf(alpha))
		if !slices.EqualFunc(got, alpha, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Fatalf("%v is read as %v", alpha, got)
		}
	}
}

// TestPathMatters: a page is judged by the path to it.
func TestPathMatters(t *testing.T) {
	for _, name := range []string{"hmm", "hmm-soft", "link-value"} {
		parent := visit("recipe oven sugar", 1)
		parent.Start = true
		child := visit("university campus", 2)
		child.Parent = mustRead(mustNew(t, name), parent).Path
		with := mustRead(mustNew(t, name), child)
		child.Parent = nil
		if without := mustRead(mustNew(t, name), child); reflect.DeepEqual(without.States, with.States) {
			t.Errorf("%s: the path makes no difference", name)
		}
	}
}
