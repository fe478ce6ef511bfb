package models

import (
	"reflect"
	"testing"

	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// TestSite checks made-up pages: each has the intended distance from a target, the same seed makes the same pages,
// another seed other pages, and more pages have more words.
func TestSite(t *testing.T) {
	pages := newMaker(1).site(130)
	set := trainingSet("Made up", pages)
	if len(set.Pages) != len(pages) {
		t.Fatalf("%d of %d pages are in the graph", len(set.Pages), len(pages))
	}
	target, terms := make([]bool, len(pages)), map[string]bool{}
	grown := 0 // terms after half of the pages
	for i, p := range set.Pages {
		target[i] = p.Target
		counts, _ := text.Count(p.Text)
		if len(counts) < 15 {
			t.Errorf("page %d has %d terms", i, len(counts))
		}
		for term := range counts {
			terms[term] = true
		}
		if i == len(pages)/2 {
			grown = len(terms)
		}
	}
	if len(terms) < grown*5/4 {
		t.Errorf("%d terms in half of the pages, %d in all: the vocabulary does not grow", grown, len(terms))
	}
	for i, layer := range webgraph.Layers(len(pages), set.Edges, target, farthest+2) {
		want := 1 + i%farthest
		if i%6 == 0 {
			want = 0
		}
		if layer != want || target[i] != (want == 0) {
			t.Errorf("page %d is %d links away, want %d; target: %v", i, layer, want, target[i])
		}
	}
	if again := newMaker(1).site(130); !reflect.DeepEqual(again, pages) {
		t.Error("the same seed made other pages")
	}
	if other := newMaker(2).site(130); reflect.DeepEqual(other, pages) {
		t.Error("another seed made the same pages")
	}
}

// TestWordOf checks that different numbers give different words.
func TestWordOf(t *testing.T) {
	seen := map[string]int{}
	for n := range 200000 {
		w := wordOf(n)
		if other, twice := seen[w]; twice {
			t.Fatalf("%d and %d are both %q", n, other, w)
		}
		seen[w] = n
		if len(w) < 3 {
			t.Fatalf("%d is %q", n, w)
		}
	}
}
