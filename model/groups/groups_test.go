package groups

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// kinds are pages of n kinds, some of each: a third with text alone, a third with words of links alone, a third with both. The pages of a
// kind have the same sources.
func kinds(n, each int) (pages []Page, kind []int) {
	for k := range n {
		for i := range each {
			words := map[string]int{fmt.Sprintf("kind%d", k): 2, fmt.Sprintf("topic%d", k): 1, "all": 3, fmt.Sprintf("own%d-%d", k, i): 5}
			p := Page{Sources: []int64{int64(k), int64(50 + k)}}
			if i%3 != 0 {
				p.Text = words
			}
			if i%3 != 1 {
				p.Links = words
			}
			pages, kind = append(pages, p), append(kind, k)
		}
	}
	return pages, kind
}

func levels(t *testing.T, s *Set) []Level {
	t.Helper()
	all, err := s.Levels(t.Context(), 1, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestKinds: the pages of a kind are a group, whether they have a text, words of links, or both, and its name is the words of the kind.
func TestKinds(t *testing.T) {
	pages, kind := kinds(4, 9)
	s := New(pages)
	all := levels(t, s)
	l := all[len(all)-1]
	if l.Depth != 1 || len(l.Sizes) != 4 || l.Parent != nil {
		t.Fatalf("%+v", l)
	}
	names := s.Names(l, 2)
	for i, c := range l.Cluster {
		if c != l.Cluster[9*kind[i]] {
			t.Fatalf("page %d is in group %d: %v", i, c, l.Cluster)
		}
		var got []string
		for _, w := range names[c] {
			got = append(got, w.Word)
		}
		if want := []string{fmt.Sprintf("kind%d", kind[i]), fmt.Sprintf("topic%d", kind[i])}; !slices.Equal(got, want) {
			t.Errorf("the group of kind %d is named %v", kind[i], got)
		}
	}
	for i, near := range s.Near(l) {
		if near <= 0 || near > 1 {
			t.Errorf("page %d: %v", i, near)
		}
	}
	if again := levels(t, New(pages)); !reflect.DeepEqual(again, all) {
		t.Error("other groups of the same pages")
	}
}

// TestNested: each group of a level is inside its parent, and each page that can be described is in a group of each level.
func TestNested(t *testing.T) {
	pages, _ := kinds(12, 12)
	pages = append(pages, Page{})
	s := New(pages)
	all := levels(t, s)
	if len(all) < 2 || len(all[0].Sizes) <= len(all[len(all)-1].Sizes) {
		t.Fatalf("%d levels", len(all))
	}
	for i, l := range all {
		if l.Cluster[len(pages)-1] != outside || s.Describable(len(pages)-1) {
			t.Error("a page without anything is in a group")
		}
		sizes := make([]int, len(l.Sizes))
		for p, c := range l.Cluster[:len(pages)-1] {
			sizes[c]++
			if i+1 < len(all) && l.Parent[c] != all[i+1].Cluster[p] {
				t.Fatalf("page %d leaves its group at depth %d", p, l.Depth)
			}
		}
		if !slices.Equal(sizes, l.Sizes) {
			t.Errorf("sizes %v, want %v", l.Sizes, sizes)
		}
	}
}

// TestWords: a word that all pages have describes none; a rare one weighs most, and the first weight is 1.
func TestWords(t *testing.T) {
	s := New([]Page{{Text: map[string]int{"all": 9, "rare": 1, "half": 1}, Links: map[string]int{"rare": 1}}, {Text: map[string]int{"all": 1, "rare": 1, "half": 1}},
		{Text: map[string]int{"all": 1, "half": 1}}, {Text: map[string]int{"all": 1, "once": 4}}})
	w := s.Words(0, 5)
	if len(w) != 2 || w[0].Word != "rare" || w[0].Weight != 1 || w[1].Word != "half" || w[1].Weight >= 1 {
		t.Errorf("%+v", w)
	}
	if s.Describable(3) || len(s.Words(3, 5)) != 0 {
		t.Errorf("%+v", s.Words(3, 5))
	}
}

// TestNothing: no pages, one page, and pages without anything give no groups, or one.
func TestNothing(t *testing.T) {
	for _, pages := range [][]Page{nil, {{}}, {{Links: map[string]int{"a": 1}}}, make([]Page, 30)} {
		for _, l := range levels(t, New(pages)) {
			if len(l.Sizes) > 1 {
				t.Errorf("%+v", l)
			}
		}
	}
}

func TestStops(t *testing.T) {
	pages, _ := kinds(3, 9)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(pages).Levels(ctx, 1, func(int, int) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestMany: pages beyond those that are grouped at once join the group of their kind.
func TestMany(t *testing.T) {
	pages, kind := kinds(2, most/2+600)
	var mixed []Page
	var of []int
	for i := range pages {
		j := (i % 2 * len(pages) / 2) + i/2
		mixed, of = append(mixed, pages[j]), append(of, kind[j])
	}
	all := levels(t, New(mixed))
	l := all[len(all)-1]
	kindOf := map[int]int{}
	for i, c := range l.Cluster {
		if k, known := kindOf[c]; known && k != of[i] {
			t.Fatalf("page %d of kind %d is in group %d, of kind %d", i, of[i], c, k)
		}
		kindOf[c] = of[i]
	}
}
