package models

import (
	"fmt"
	"os"
	"reflect"
	"testing"

	"nightjar/model"
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

func TestSessionFiles(t *testing.T) {
	dir := t.TempDir()
	want := &sample{Set: trainingSet("Made up", newMaker(1).site(12)), Scored: newMaker(2).site(3)}
	want.Set.Background = []string{"other words"}
	if err := want.save(dir, 12); err != nil {
		t.Fatal(err)
	}
	got := mustRead(t, dir, 12)
	if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); a != b {
		t.Errorf("read back %.200s, want %.200s", a, b)
	}
	if _, err := readGob[[]document](scoredFile(dir, 13)); err == nil {
		t.Error("read a file that was not written")
	}
}

// mustRead reads a session back.
func mustRead(t *testing.T, dir string, size int) *sample {
	t.Helper()
	set, err := readGob[model.TrainingSet](setFile(dir, size))
	if err != nil {
		t.Fatal(err)
	}
	scored, err := readGob[[]document](scoredFile(dir, size))
	if err != nil {
		t.Fatal(err)
	}
	return &sample{Set: set, Scored: scored}
}

// TestCorpora makes a session of recorded pages.
func TestCorpora(t *testing.T) {
	dir := os.Getenv("NIGHTJAR_CORPORA")
	if dir == "" || testing.Short() {
		t.Skip("NIGHTJAR_CORPORA is not set, or -short")
	}
	o := &options{Sizes: []int{50}, Seed: 1, Corpora: dir, Background: 10, Scored: 20}
	out := t.TempDir()
	if err := prepareRecorded(t.Context(), o, out); err != nil {
		t.Fatal(err)
	}
	s := mustRead(t, out, 50)
	targets, known := 0, map[string]bool{}
	for _, p := range s.Set.Pages {
		known[p.URL] = true
		if p.Target {
			targets++
		}
	}
	if n := len(s.Set.Pages); n < 40 || n > 50 || targets < 3 || len(s.Set.Edges) < n || len(s.Set.Background) != 10 || len(s.Scored) != 20 {
		t.Errorf("%d pages, %d useful, %d links, %d background pages, %d to score", n, targets, len(s.Set.Edges), len(s.Set.Background), len(s.Scored))
	}
	for _, d := range s.Scored {
		if known[d.URL] {
			t.Errorf("%s is in the session and to be scored", d.URL)
		}
	}
	if _, err := openCorpora(out); err == nil {
		t.Error("opened a folder without corpora")
	}
}
