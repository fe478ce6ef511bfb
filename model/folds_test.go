package model

import (
	"slices"
	"testing"

	"nightjar/model/webgraph"
)

// TestWithout holds pages of a small web back and compares all that is left by addresses.
func TestWithout(t *testing.T) {
	page := func(url string, target bool, to ...int) Page {
		p := Page{URL: url, Target: target}
		for _, i := range to {
			p.Links = append(p.Links, Link{To: i, Link: webgraph.Link{URL: string(rune('a' + i))}})
		}
		return p
	}
	set := TrainingSet{
		Topic: "T", Pages: []Page{page("a", false, 1, 2), page("b", true, 3), page("c", false, 1, 3), page("d", true)},
		Edges: [][2]int{{0, 1}, {0, 2}, {1, 3}, {2, 1}, {2, 3}}, Entries: []int{0, 1}, Background: []string{"x"},
	}
	left := set.Without([]int{1})
	if len(left.Pages) != 3 || left.Pages[1].URL != "c" || left.Pages[2].URL != "d" || !left.Pages[2].Target {
		t.Fatalf("pages %+v", left.Pages)
	}
	if want := [][2]int{{0, 1}, {1, 2}}; !slices.Equal(left.Edges, want) {
		t.Errorf("edges %v, want %v", left.Edges, want)
	}
	if !slices.Equal(left.Entries, []int{0}) || left.Topic != "T" || len(left.Background) != 1 {
		t.Errorf("entries %v, topic %q, %d background pages", left.Entries, left.Topic, len(left.Background))
	}
	for i, want := range [][]int{{-1, 1}, {-1, 2}, {}} {
		var to []int
		for _, l := range left.Pages[i].Links {
			to = append(to, l.To)
		}
		if !slices.Equal(to, want) {
			t.Errorf("links of %s lead to %v, want %v", left.Pages[i].URL, to, want)
		}
	}
	if set.Pages[0].Links[0].To != 1 || len(set.Pages) != 4 {
		t.Error("the set itself was changed")
	}
}

// TestPartsOfTheSession checks that each page is in one part, and each useful page, too.
func TestPartsOfTheSession(t *testing.T) {
	set := session(60, 1)
	for _, most := range []int{2, 3, 100} {
		parts := set.Folds(DefaultSettings(), most)
		if want := min(most, maxFolds, len((&material{set: set}).whole().targets())); len(parts) != want {
			t.Errorf("%d parts of at most %d, want %d", len(parts), most, want)
		}
		all := slices.Concat(parts...)
		slices.Sort(all)
		if n := len(slices.Compact(slices.Clone(all))); n != len(all) || n != len(set.Pages) {
			t.Errorf("%d pages in parts, %d of them different, of %d", len(all), n, len(set.Pages))
		}
	}
}
