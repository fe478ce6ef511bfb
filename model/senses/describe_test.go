package senses

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/model/ontology"
	"nightjar/model/wordnet"
)

// netOf reads a dict folder.
func netOf(tb testing.TB, dir string) *wordnet.Net {
	tb.Helper()
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			files[name] = strings.NewReader(string(data))
		}
	}
	n, err := wordnet.Read(files)
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// tiny reads the dictionary of model/wordnet's tests. See its data.noun for the senses.
func tiny(tb testing.TB) *wordnet.Net { return netOf(tb, "../wordnet/testdata/tiny") }

func mustTree(tb testing.TB, items ...ontology.Item) *ontology.Tree {
	tb.Helper()
	tree, faults, err := ontology.Build(items)
	if err != nil || len(faults) > 0 {
		tb.Fatal(err, faults)
	}
	return tree
}

// orchestra: 0 sound, 1 wood, 2 beat, 3 weather. Numbers are in pre-order.
func orchestra(tb testing.TB) *ontology.Tree {
	return mustTree(tb,
		ontology.Item{Key: "sound", Labels: []string{"Sound"}},
		ontology.Item{Key: "wood", Labels: []string{"woodwind", "Kazoos"}, Senses: []string{"wind_instrument.n.01"}, Parents: []string{"sound"}},
		ontology.Item{Key: "beat", Labels: []string{"drums"}, Parents: []string{"sound"}},
		ontology.Item{Key: "sky", Labels: []string{"what the sky does"}, Senses: []string{"weather.n.01", "storm.n.99"}, Parents: []string{"sound"}},
	)
}

// TestDescribe is worked by hand on the tiny dictionary. Of wind's senses, wind.n.01 (thing event weather wind) and
// pipe.n.01 (thing tool pipe), and pipe's, pipe.n.01 and pipe.n.02 (thing pipe), the pair pipe.n.01 twice has S = 1, and
// with drum.n.01 (thing tool drum) 2·2/(3+3) = 2/3 each: the mean is (1 + 2/3 + 2/3)/3 = 7/9.
func TestDescribe(t *testing.T) {
	net := tiny(t)
	terms, unknown := NewTerms(orchestra(t), net)
	if !slices.Equal(unknown, []Unknown{{3, "storm.n.99"}}) {
		t.Errorf("unknown senses %v", unknown)
	}
	d := Describer{Net: net, Ontology: terms, Words: 5}
	got := d.Describe([]Keyword{{"wind", 4}, {"drums", 1}, {"pipes", 2}, {"kazoos", 3}, {"zither", 3}, {"gale", 1}, {"glass", 0}, {"", 9}})
	type row struct {
		word, base, sense string
		rank, term        int
		of                string
		s                 float64
	}
	want := []row{
		{"wind", "wind", "pipe.n.01", 1, 1, "wind_instrument.n.01", 6. / 7},
		{"kazoos", "kazoos", "", -1, 1, "", 1},
		{"zither", "zither", "", -1, -1, "", 0},
		{"pipes", "pipe", "pipe.n.01", 0, 1, "wind_instrument.n.01", 6. / 7},
		{"drums", "drum", "drum.n.01", 0, 2, "drum.n.01", 1},
	}
	if len(got.Words) != len(want) {
		t.Fatalf("%d words: %+v", len(got.Words), got.Words)
	}
	for i, w := range want {
		g := got.Words[i]
		if g.Word != w.word || g.Base != w.base || net.Name(g.Sense) != w.sense || g.Rank != w.rank || g.Term != w.term ||
			net.Name(g.TermSense) != w.of || math.Abs(g.Similarity-w.s) > 1e-15 {
			t.Errorf("word %d: %+v, want %+v", i, g, w)
		}
	}
	if !got.Choice.Exact || math.Abs(got.Choice.Mean-7./9) > 1e-15 {
		t.Errorf("choice %+v, want a mean of 7/9", got.Choice)
	}
	// Equation 1: (4·6/7 + 3·1 + 2·6/7) / (4 + 3 + 2) for woodwind, 1 for drums.
	if len(got.Terms) != 2 || got.Terms[0].Term != 1 || math.Abs(got.Terms[0].Weight-(36./7+3)/9) > 1e-15 ||
		!slices.Equal(got.Terms[0].Words, []int{0, 1, 3}) || got.Terms[1].Term != 2 || got.Terms[1].Weight != 1 {
		t.Errorf("terms %+v", got.Terms)
	}
	concepts := got.Concepts()
	if len(concepts) != 2 || net.Name(concepts[0].Sense) != "drum.n.01" || concepts[0].Weight != .25 ||
		net.Name(concepts[1].Sense) != "pipe.n.01" || concepts[1].Weight != 1 {
		t.Errorf("concepts %+v", concepts)
	}
}

// TestOtherWordsGiveOtherSenses: beside gale, wind is the air that moves, and with MinSimilarity .95 it maps to nothing.
func TestOtherWordsGiveOtherSenses(t *testing.T) {
	net := tiny(t)
	terms, _ := NewTerms(orchestra(t), net)
	d := Describer{Net: net, Ontology: terms}
	words := []Keyword{{"wind", 1}, {"gale", 1}}
	got := d.Describe(words)
	if net.Name(got.Words[1].Sense) != "wind.n.01" || got.Words[1].Term != 3 || got.Words[1].Similarity != 6./7 {
		t.Errorf("wind beside gale: %+v", got.Words[1])
	}
	d.MinSimilarity = .95
	if got = d.Describe(words); len(got.Terms) != 0 || got.Words[1].Term != -1 || got.Words[1].Similarity != 6./7 {
		t.Errorf("above .95: %+v", got)
	}
}

func TestWithoutWordNet(t *testing.T) {
	terms, unknown := NewTerms(orchestra(t), nil)
	d := Describer{Ontology: terms}
	got := d.Describe([]Keyword{{"woodwind", 2}, {"drum", 1}, {"DRUMS", 1}})
	if len(unknown) != 0 || len(got.Terms) != 2 || got.Words[0].Term != 1 || got.Words[1].Term != 2 || got.Words[2].Term != -1 {
		t.Errorf("%+v", got)
	}
	if len(got.Concepts()) != 0 {
		t.Error("concepts without WordNet")
	}
	if term, of, s := terms.Nearest(0); term != -1 || of != wordnet.None || s != 0 {
		t.Errorf("nearest without senses: %d %d %v", term, of, s)
	}
}

func TestWithoutOntology(t *testing.T) {
	net := tiny(t)
	d := Describer{Net: net}
	got := d.Describe([]Keyword{{"ran", 2}, {"hound", 1}, {"dogs", 4}})
	if len(got.Terms) != 0 || net.Name(got.Words[1].Sense) != "run.v.01" {
		t.Errorf("%+v", got)
	}
	concepts := got.Concepts() // hound and dogs are one sense
	if len(concepts) != 2 || concepts[0].Weight != 1 || concepts[1].Weight != .5 {
		t.Errorf("concepts %+v", concepts)
	}
	if got := d.Describe(nil); got.Words != nil || got.Terms != nil || !got.Choice.Exact {
		t.Errorf("no words: %+v", got)
	}
}

func TestTermsWithoutNamedSenses(t *testing.T) {
	net := tiny(t)
	var names []string
	for _, s := range LabelSenses(net, []string{"Pipes", "tube", "zither"}) {
		names = append(names, net.Name(s))
	}
	if got := strings.Join(names, " "); got != "pipe.n.01 pipe.n.02 pipe.v.01" {
		t.Errorf("senses of the labels: %s", got)
	}
	// wind_instrument.n.01 is as similar to both terms' sense: the broader term counts.
	terms, _ := NewTerms(mustTree(t, ontology.Item{Key: "a", Labels: []string{"a"}, Senses: []string{"pipe.n.01"}},
		ontology.Item{Key: "b", Labels: []string{"A"}, Senses: []string{"pipe.n.01"}, Parents: []string{"a"}}), net)
	s, _ := net.ByName("wind_instrument.n.01")
	for range 2 {
		if term, _, _ := terms.Nearest(s); term != 0 {
			t.Errorf("nearest is %d", term)
		}
	}
	if term, ok := terms.Labelled("a"); !ok || term != 0 {
		t.Errorf("a is %d", term)
	}
}

// TestWeightsAreMeans: over random mappings, weights lie between the smallest and the largest similarity of their words, do
// not change when all n_j are multiplied, and each mapped word is behind one term.
func TestWeightsAreMeans(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		words := make([]Word, r.IntN(12))
		for i := range words {
			words[i] = Word{Keyword: Keyword{N: 1 + r.IntN(9)}, Term: r.IntN(5) - 1, Similarity: .7 + .3*r.Float64()}
		}
		terms, seen := weigh(words), 0
		for i := range words {
			words[i].N *= 3
		}
		again := weigh(words)
		for k, term := range terms {
			low, high := 1., 0.
			for _, i := range term.Words {
				low, high = min(low, words[i].Similarity), max(high, words[i].Similarity)
				seen++
				if words[i].Term != term.Term {
					t.Fatalf("seed %d: word %d is behind term %d", seed, i, term.Term)
				}
			}
			if term.Weight < low-1e-12 || term.Weight > high+1e-12 || math.Abs(again[k].Weight-term.Weight) > 1e-12 {
				t.Fatalf("seed %d: weight %v of [%v, %v], %v with three times the pages", seed, term.Weight, low, high, again[k].Weight)
			}
			if k > 0 && terms[k-1].Term >= term.Term {
				t.Fatalf("seed %d: terms are not ascending", seed)
			}
		}
		for _, w := range words {
			if w.Term >= 0 {
				seen--
			}
		}
		if seen != 0 {
			t.Fatalf("seed %d: %d words too many behind terms", seed, seen)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	net := tiny(t)
	terms, _ := NewTerms(orchestra(t), net)
	d := Describer{Net: net, Ontology: terms}
	done := make(chan Description)
	for range 4 {
		go func() { done <- d.Describe([]Keyword{{"wind", 2}, {"drum", 1}}) }()
	}
	for range 4 {
		if got := <-done; len(got.Terms) != 2 {
			t.Errorf("%+v", got)
		}
	}
}
