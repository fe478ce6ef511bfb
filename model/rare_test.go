package model

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"nightjar/model/text"
)

// TestRareWords: features and rare words together are the words of each page, and no word is both.
func TestRareWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	for range 30 {
		var docs []text.Counts
		pages := 2 + rng.IntN(8)
		for range pages + rng.IntN(4) {
			c := text.Counts{}
			for range rng.IntN(30) {
				c[fmt.Sprintf("w%02d", rng.IntN(60))] = 1 + rng.IntN(4)
			}
			docs = append(docs, c)
		}
		all := text.Collect(docs)
		f, words := fitFeatures(all)
		target := make([]bool, pages)
		target[0] = true
		r := rareWords(all, f.Terms, target)
		if !slices.IsSorted(r.Terms) {
			t.Fatalf("%v is not sorted", r.Terms)
		}
		for i := range target {
			got := text.Counts{}
			for k, w := range words[i].Index {
				got[f.Terms[w]] = int(words[i].Count[k])
			}
			before := len(got)
			if len(r.Pages) > 0 {
				for k, w := range r.Pages[i].Index {
					got[r.Terms[w]] = int(r.Pages[i].Count[k])
				}
				if len(got) != before+len(r.Pages[i].Index) {
					t.Fatalf("page %d: a word is both", i)
				}
			}
			if !reflect.DeepEqual(got, docs[i]) {
				t.Fatalf("page %d has %v, want %v", i, got, docs[i])
			}
		}
	}
	if r := rareWords(text.Collect([]text.Counts{{"a": 1}, {"a": 2}}), []string{"a"}, []bool{true, false}); r.Terms != nil || r.Pages != nil {
		t.Errorf("no rare words: %v", r)
	}
}

// TestRareIsStored: a bundle keeps them, and what is stored wrongly is refused.
func TestRareIsStored(t *testing.T) {
	with := func(r Rare) *Bundle {
		b := tiny()
		b.Rare = r
		return b
	}
	want := full().Rare
	b, err := Decode(mustEncode(t, full()))
	if err != nil || !reflect.DeepEqual(b.Rare, want) {
		t.Errorf("%+v, %v", b.Rare, err)
	}
	for name, r := range map[string]Rare{
		"other pages": {Terms: []string{"a"}, Pages: []Words{{}}},
		"not sorted":  {Terms: []string{"b", "a"}, Pages: []Words{{}, {}}},
		"no such":     {Terms: []string{"a"}, Pages: []Words{{Index: []int32{1}, Count: []int32{1}}, {}}},
		"no count":    {Terms: []string{"a"}, Pages: []Words{{Index: []int32{0}, Count: []int32{0}}, {}}},
	} {
		if _, err := with(r).Encode(); err == nil {
			t.Errorf("%s: encoded", name)
		}
	}
}
