package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/model"
	"nightjar/model/webgraph"
)

func address(i int) string { return fmt.Sprintf("https://session.test/%d.html", i) }

// session is a web of 40 pages: page i links to 2i+1 and 2i+2. Every fifth page from 4 on is useful; links to useful pages say
// so. Page 1 also links to a page that was not visited, and page 2 to page 39 by another address. Nothing links to page 40.
func session() model.TrainingSet {
	set := model.TrainingSet{Topic: "Ferns", Entries: []int{0}, Pages: make([]model.Page, 41)}
	useful := func(i int) bool { return i%5 == 4 }
	for i := range set.Pages {
		p := &set.Pages[i]
		p.URL, p.Title, p.Target = address(i), fmt.Sprint("Page ", i), useful(i)
		p.Text = fmt.Sprintf("Weather and news of the town, number%d, market and traffic.", i)
		if p.Target {
			p.Text = fmt.Sprintf("Ferns grow in shade, frond number%d, spores and moss.", i)
		}
		for _, to := range []int{2*i + 1, 2*i + 2} {
			if to < 40 {
				anchor := "news of the town"
				if useful(to) {
					anchor = "ferns in shade"
				}
				p.Links = append(p.Links, model.Link{To: to, Link: webgraph.Link{URL: address(to), Anchor: anchor}})
				set.Edges = append(set.Edges, [2]int{i, to})
			}
		}
	}
	set.Pages[1].Links = append(set.Pages[1].Links, model.Link{To: -1, Link: webgraph.Link{URL: "https://session.test/unseen"}})
	set.Pages[2].Links = append(set.Pages[2].Links, model.Link{To: 39, Link: webgraph.Link{URL: "https://session.test/other", Anchor: "ferns"}})
	set.Edges = append(set.Edges, [2]int{2, 39})
	return set
}

// knowing follows links to some pages first, then those whose page is none of them.
type knowing struct{ first map[string]bool }

func (knowing) Name() string { return "knowing" }

func (k knowing) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	j := strategy.Judgement{Cluster: -1}
	for _, l := range v.Page.Links {
		p := strategy.Priority{0}
		if k.first[l.URL] {
			p[0] = 1
		}
		j.Priorities = append(j.Priorities, p)
	}
	return j, nil
}

// TestRun compares the parts and the crawl in the order of links with counts made another way.
func TestRun(t *testing.T) {
	set := session()
	r, err := Run(t.Context(), Input{Set: set, Settings: model.DefaultSettings(), Strategy: "link-value"}, nil)
	if err != nil || r.Strategy != "link-value" || r.Why != "" || r.Capped != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	var useful, wanted, pages int
	for f, held := range set.Folds(model.DefaultSettings(), maxFolds)[:len(r.Folds)] {
		h := r.Folds[f]
		useful, wanted, pages = useful+h.Useful, wanted+h.Wanted, pages+h.Pages
		var at, newAt []int
		fetched := 0
		for i, n := range order(set) {
			if _, is := slices.BinarySearch(held, n); !is {
				continue
			}
			if fetched++; set.Pages[n].Target {
				at, newAt = append(at, i+1), append(newAt, fetched)
			}
		}
		if want := (model.Course{Fetched: 39, New: fetched, At: at, NewAt: newAt}); !reflect.DeepEqual(h.BreadthFirst, want) {
			t.Errorf("part %d, breadth-first: %+v, want %+v", f, h.BreadthFirst, want)
		}
		for _, c := range append(h.Random, h.Strategy) {
			if len(c.At) != h.Wanted || !slices.IsSorted(c.NewAt) || c.FoundNew(h.Reachable) != h.Wanted || c.Found(0) != 0 {
				t.Errorf("part %d: %+v does not find all of %d", f, c, h.Wanted)
			}
		}
		if len(h.Random) != randomSeeds || reflect.DeepEqual(h.Random[0], h.Random[1]) {
			t.Errorf("part %d: %d random crawls, the first two %+v and %+v", f, len(h.Random), h.Random[0], h.Random[1])
		}
	}
	if useful != 8 || wanted != 8 || pages != 41 {
		t.Errorf("%d pages, %d useful, %d wanted; want 41, 8, 8", pages, useful, wanted)
	}
}

// order is the order of the session's pages by their distance from page 0, without it.
func order(set model.TrainingSet) []int {
	all, seen := []int{0}, map[int]bool{0: true}
	for k := 0; k < len(all); k++ {
		for _, l := range set.Pages[all[k]].Links {
			if l.To >= 0 && !seen[l.To] {
				seen[l.To] = true
				all = append(all, l.To)
			}
		}
	}
	return all[1:]
}

// TestHeldBack looks at what a strategy is made from: no page that was held back, and no mark on it.
func TestHeldBack(t *testing.T) {
	set := session()
	in := Input{Set: set, Settings: model.DefaultSettings(), Strategy: "knowing",
		Prepare: func(_ context.Context, b *model.Bundle, held map[string]bool) (*model.Bundle, error) {
			for _, p := range b.Pages {
				if held[p.URL] {
					t.Errorf("the model knows %s, which was held back", p.URL)
				}
			}
			if len(b.Pages)+len(held) != len(set.Pages) {
				t.Errorf("%d pages and %d held back of %d", len(b.Pages), len(held), len(set.Pages))
			}
			return b.WithWays(nil, fmt.Sprint(len(held))), nil
		},
		New: func(_ context.Context, b *model.Bundle) (strategy.Strategy, error) {
			if b.NoWays == "" {
			}
			first := map[string]bool{}
			for i, p := range set.Pages {
				known := slices.ContainsFunc(b.Pages, func(k model.PageFact) bool { return k.URL == p.URL })
				if !known && p.Target || p.Target && i == 39 {
					first[p.URL] = true
				}
			}
			return knowing{first}, nil
		},
	}
	r, err := Run(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	for f, h := range r.Folds {
		if h.Area(h.Strategy) < h.Area(h.BreadthFirst) {
			t.Errorf("part %d: one that knows has an area of %f, breadth-first %f", f, h.Area(h.Strategy), h.Area(h.BreadthFirst))
		}
	}
}

func TestRunEnds(t *testing.T) {
	set := session()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Input{Set: set, Settings: model.DefaultSettings(), Strategy: "link-value"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v", err)
	}
	if _, err := Run(t.Context(), Input{Set: set, Settings: model.DefaultSettings(), Strategy: "no such"}, nil); err == nil || !strings.Contains(err.Error(), "no such") {
		t.Errorf("with an unknown strategy: %v", err)
	}
	for i := range set.Pages {
		set.Pages[i].Target = i == 4
	}
	r, err := Run(t.Context(), Input{Set: set, Settings: model.DefaultSettings(), Strategy: "link-value"}, nil)
	if err != nil || r.Why == "" || len(r.Folds) != 0 {
		t.Errorf("with one useful page: %+v, %v", r, err)
	}
}

// TestNewest cuts a long session, and looks for the pages where sessions began.
func TestNewest(t *testing.T) {
	set := session()
	set.Entries = []int{0, 3}
	left := newest(set, 10)
	var kept []string
	for _, p := range left.Pages {
		kept = append(kept, strings.TrimPrefix(p.URL, "https://session.test/"))
	}
	if want := "0.html 3.html 33.html 34.html 35.html 36.html 37.html 38.html 39.html 40.html"; strings.Join(kept, " ") != want {
		t.Errorf("kept %v, want %s", kept, want)
	}
	if !slices.Equal(left.Entries, []int{0, 1}) || len(newest(set, 41).Pages) != 41 {
		t.Errorf("sessions began at %v", left.Entries)
	}
}
