package cobweb

import (
	"context"
	"math"
	"slices"
	"testing"

	"nightjar/model/conceptset"
	"nightjar/model/ontology"
)

// 0 music > 1 instrument > 2 strings > 3 guitar; instrument > 4 wind > 5 flute; music > 6 jazz
var parents = []string{"", "0", "1", "2", "1", "4", "0"}

func mustTree(t *testing.T) *ontology.Tree {
	t.Helper()
	var items []ontology.Item
	for i, p := range parents {
		key := string(rune('0' + i))
		items = append(items, ontology.Item{Key: key, Labels: []string{key}})
		if p != "" {
			items[i].Parents = []string{p}
		}
	}
	tree, _, err := ontology.Build(items)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestDescribe(t *testing.T) {
	tree := mustTree(t)
	for _, tt := range []struct{ page, want conceptset.Set }{
		{nil, nil},
		{conceptset.Set{{ID: 0, Weight: .3}}, conceptset.Set{{ID: 0, Weight: .3}}},
		// music 2·1/(1+4), instrument 2·2/(2+4), strings 2·3/(3+4)
		{conceptset.Set{{ID: 3, Weight: 1}}, conceptset.Set{{ID: 0, Weight: .4}, {ID: 1, Weight: 2 / 3.}, {ID: 2, Weight: 6 / 7.}, {ID: 3, Weight: 1}}},
		// Guitar and flute: instrument is described best by the guitar; wind by the flute .4·6/7 = .34, yet the guitar, which
		// is not below it, gives 2·2/(3+4) = .57.
		{conceptset.Set{{ID: 3, Weight: 1}, {ID: 5, Weight: .4}}, conceptset.Set{{ID: 0, Weight: .4}, {ID: 1, Weight: 2 / 3.},
			{ID: 2, Weight: 6 / 7.}, {ID: 3, Weight: 1}, {ID: 4, Weight: 4 / 7.}, {ID: 5, Weight: .4}}},
		// A term of the page that is above another one: the larger of its own r and r·S. Jazz, which is not, keeps its r.
		{conceptset.Set{{ID: 1, Weight: .1}, {ID: 2, Weight: .9}, {ID: 6, Weight: .05}}, conceptset.Set{{ID: 0, Weight: .45},
			{ID: 1, Weight: .9 * .8}, {ID: 2, Weight: .9}, {ID: 6, Weight: .05}}},
		{conceptset.Set{{ID: 1, Weight: 1}, {ID: 2, Weight: .1}}, conceptset.Set{{ID: 0, Weight: 2 / 3.}, {ID: 1, Weight: 1}, {ID: 2, Weight: .1}}},
	} {
		got := Describe(tt.page, tree.Above, tree.Similarity)
		if len(got) != len(tt.want) {
			t.Errorf("%v gives %v, want %v", tt.page, got, tt.want)
			continue
		}
		for i, c := range got {
			if c.ID != tt.want[i].ID || math.Abs(c.Weight-tt.want[i].Weight) > 1e-15 {
				t.Errorf("%v gives %v, want %v", tt.page, got, tt.want)
			}
		}
	}
	above := func(c int) []int { return tree.Above(c)[1:] } // without the concept itself
	page := conceptset.Set{{ID: 3, Weight: 1}, {ID: 5, Weight: .4}}
	if got := Describe(page, above, tree.Similarity); len(got) != 6 || got[3].Weight != 1 {
		t.Errorf("%v", got)
	}
}

// Flutes and guitars meet as instruments: pages that share no term are in one cluster if their terms are below the same one.
func TestPagesMeetAboveTheirTerms(t *testing.T) {
	items := []ontology.Item{{Key: "music", Labels: []string{"music"}}}
	for _, pair := range [][2]string{{"instrument", "music"}, {"genre", "music"}, {"guitar", "instrument"}, {"flute", "instrument"},
		{"violin", "instrument"}, {"drum", "instrument"}, {"jazz", "genre"}, {"opera", "genre"}, {"blues", "genre"}, {"rock", "genre"}} {
		items = append(items, ontology.Item{Key: pair[0], Labels: pair[:1], Parents: pair[1:]})
	}
	tree, _, err := ontology.Build(items)
	if err != nil {
		t.Fatal(err)
	}
	var described, plain []conceptset.Set
	kind := map[int]int{}
	for i := range 80 {
		term, _ := tree.ByKey(items[3+i%8].Key)
		page := conceptset.Set{{ID: term, Weight: 1}}
		plain = append(plain, page)
		described = append(described, Describe(page, tree.Above, tree.Similarity))
		kind[i] = tree.Term(term).Parent
	}
	for seed := range uint64(5) {
		if got := clusterKinds(described, kind, seed); len(got) != 2 || len(got[0]) != 1 || len(got[1]) != 1 {
			t.Errorf("seed %d: kinds of pages in the clusters %v", seed, got)
		}
		if got := clusterKinds(plain, kind, seed); len(got) <= 2 {
			t.Errorf("seed %d: also pages that are not described meet: %v", seed, got)
		}
	}
}

// clusterKinds lists the kinds of the pages in each cluster.
func clusterKinds(pages []conceptset.Set, kind map[int]int, seed uint64) [][]int {
	tree, _ := Build(context.Background(), pages, seed, nil)
	var list [][]int
	for _, node := range tree.root.children {
		var kinds []int
		for _, i := range node.members() {
			if !slices.Contains(kinds, kind[i]) {
				kinds = append(kinds, kind[i])
			}
		}
		list = append(list, kinds)
	}
	return list
}
