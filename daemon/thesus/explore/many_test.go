package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// warned reports whether a warning begins so.
func warned(v *View, text string) bool {
	return slices.ContainsFunc(v.Warnings, func(w string) bool { return strings.HasPrefix(w, text) })
}

// With more pages than all pairs are computed for, and too many similar ones, there are fewer levels. Those that there are have
// the same clusters as if all pairs had been compared: at these similarities none is missed.
func TestTooManyPairs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	grouped := func(m *Maker) *View {
		g := must(m.Group(t.Context(), Request{Ontology: musicID}))(t)
		if err := m.work(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		return must(m.View(t.Context(), g.ID))(t)
	}
	want := grouped(w.bare())
	fewest := len(want.Levels)
	for pairs := int64(30); pairs > 0; pairs-- {
		m := w.bare()
		m.mostAll, m.mostPairs = 5, pairs
		v := grouped(m)
		if warned(v, "Too many pages are alike") {
			break
		}
		n := len(v.Levels)
		if !warned(v, "With more than 5 pages") || n < 10 && !warned(v, fmt.Sprintf("Very many pages are alike, so that there are no groups below a similarity of %.2f", v.Levels[n-1].MinSim)) {
			t.Errorf("%d levels: %q", n, v.Warnings)
		}
		if n > fewest {
			t.Errorf("%d pairs give %d levels, more of them %d", pairs, n, fewest)
		}
		fewest = n
		for i, l := range v.Levels {
			if l.MinSim != want.Levels[i].MinSim {
				t.Errorf("level %d has %v, want %v", i, l.MinSim, want.Levels[i].MinSim)
			}
			for c, one := range l.Clusters {
				if l.MinSim > 6/7. && !slices.Equal(one.Pages, want.Levels[i].Clusters[c].Pages) {
					t.Errorf("%v: cluster %d has %v, want %v", l.MinSim, c, one.Pages, want.Levels[i].Clusters[c].Pages)
				}
			}
		}
	}
	if fewest != 1 {
		t.Errorf("there are at least %d levels, want one", fewest)
	}
}

// When even equal pages are too many, those that most pages link to are grouped, and the others are in no cluster.
func TestTooManyEqualPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	m := w.bare()
	m.mostAll, m.mostPairs = 8, 0
	for _, ontology := range []int64{musicID, 0} {
		g := must(m.Group(t.Context(), Request{Ontology: ontology, Options: GroupingOptions{MinDocs: 1}}))(t)
		if err := m.work(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		v := must(m.View(t.Context(), g.ID))(t)
		if !warned(v, "Too many pages are alike. Only the 8 that most") || len(v.Levels) != 10 || len(v.Pages) != 15 {
			t.Errorf("%d levels of %d pages: %q", len(v.Levels), len(v.Pages), v.Warnings)
		}
		grouped := 0
		for _, l := range v.Levels {
			grouped += l.Grouped
			for p := 8; p < len(v.Pages); p++ {
				if !slices.Contains(l.Apart, p) {
					t.Errorf("%v: page %d was not compared and is in a cluster", l.MinSim, p)
				}
			}
		}
		if grouped == 0 {
			t.Error("nothing is grouped")
		}
	}
	// Fewer pages than all pairs are computed for, which are described by words.
	m.mostAll = 100
	g := must(m.Group(t.Context(), Request{}))(t)
	if err := m.work(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	if v := must(m.View(t.Context(), g.ID))(t); warned(v, "Too many pages") || v.Levels[9].Grouped < 11 {
		t.Errorf("%d pages are in clusters: %q", v.Levels[9].Grouped, v.Warnings)
	}
}
