package conceptset

import (
	"math"
	"reflect"
	"testing"

	"nightjar/model/ontology"
)

func TestLabels(t *testing.T) {
	// 0 music > 1 strings > 2 guitar, 3 violin; 4 jazz; 5 opera
	var items []ontology.Item
	for _, pair := range [][2]string{{"music", ""}, {"strings", "music"}, {"guitar", "strings"}, {"violin", "strings"}, {"jazz", "music"}, {"opera", "music"}} {
		item := ontology.Item{Key: pair[0], Labels: []string{pair[0]}}
		if pair[1] != "" {
			item.Parents = []string{pair[1]}
		}
		items = append(items, item)
	}
	tree, _, err := ontology.Build(items)
	if err != nil {
		t.Fatal(err)
	}
	broader := func(terms ...int) int {
		if c := tree.Common(terms...); c != 0 {
			return c
		}
		return -1
	}
	sets := []Set{
		{{2, 1}, {3, .5}}, {{2, .5}, {3, 1}, {0, 1}}, // guitar and violin, below strings
		{{1, .2}, {2, .9}}, {{1, .2}, {2, .9}}, // strings is one of the two terms
		{{2, .1}, {4, 1}, {5, .5}, {0, 1}}, // nothing in common but the root; four terms
		{},
		{{3, .5}, {4, .5}}, // in no cluster
		{{0, 1}},
	}
	cluster := []int{0, 0, 1, 1, 2, 3, -1, 4}
	got := Labels(sets, cluster, 6, broader)
	// N = 8; df: music 3, strings 2, guitar 5, violin 3, jazz 2, opera 1. Cluster 0: violin 1.5·ln(8/3) = 1.47,
	// music ln(8/3) = .98, guitar 1.5·ln(8/5) = .71. Cluster 1: guitar 1.8·ln(8/5) = .85, strings .4·ln 4 = .55.
	// Cluster 2: jazz ln 4 = 1.39, opera .5·ln 8 = 1.04, music .98, guitar .05.
	want := []Label{
		{-1, []Concept{{3, .75}, {0, .5}, {2, .75}}},
		{-1, []Concept{{1, .2}, {2, .9}}},
		{-1, []Concept{{4, 1}, {5, .5}, {0, 1}}},
		{-1, nil},
		{-1, []Concept{{0, 1}}},
		{-1, nil},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	sets[1] = sets[1][:2] // without music
	if got := Labels(sets, cluster, 6, broader)[0]; !reflect.DeepEqual(got, Label{1, []Concept{{3, .75}, {2, .75}}}) {
		t.Errorf("%v, want strings in front", got)
	}
}

// Equal scores are ordered by the sum of weights, then by ID; concepts of all pages score 0 and are not lost.
func TestLabelsOfEqualScores(t *testing.T) {
	none := func(...int) int { return -1 }
	sets := []Set{{{1, .3}, {2, .9}, {3, .9}}, {{1, .3}, {2, .9}, {3, .9}}}
	got := Labels(sets, []int{0, 0}, 1, none)[0]
	if len(got.Concepts) != 3 || got.Broader != -1 {
		t.Fatalf("%v", got)
	}
	for k, want := range []Concept{{2, .9}, {3, .9}, {1, .3}} {
		if c := got.Concepts[k]; c.ID != want.ID || math.Abs(c.Weight-want.Weight) > 1e-15 {
			t.Errorf("%v, want %v at %d", got.Concepts, want, k)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("lengths that differ are taken")
		}
	}()
	Labels(sets, []int{0}, 1, none)
}
