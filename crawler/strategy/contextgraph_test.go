package strategy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"nightjar/crawler/page"
	"nightjar/model"
	"nightjar/model/contextgraph"
	"nightjar/model/online"
)

// TestContextGraphQueues: the first number of a key is the queue by the page's layer, "other" the last of all; in a queue the
// likelier page comes first. Words of pages two links and more from a target are no part of the vocabulary, [CGS] §3.2, so
// that pages of nothing else are "other".
func TestContextGraphQueues(t *testing.T) {
	s := mustNew(t, "context-graph").(*contextGraph)
	rng := rand.New(rand.NewPCG(41, 8))
	seen := map[int]int{}
	for range 400 {
		text := words(rng, rng.IntN(4), 1+rng.IntN(20)) + " " + words(rng, rng.IntN(4), rng.IntN(20))
		c := s.model.Classify(contextgraph.Document(s.bundle.Words(text)))
		p := mustRead(s, visit(text, 1)).Priorities[0]
		queue := 5 - c.Layer
		if c.Layer == contextgraph.Other {
			queue = 0
		}
		seen[queue]++
		if len(p) != 2 || int(p[0]) != queue || math.Abs(float64(p[1])/1e9-math.Exp(c.Mean)) > 1e-9 {
			t.Fatalf("%q of class %+v has priority %v", text, c, p)
		}
	}
	if len(seen) != 3 || seen[0] == 0 || seen[4] == 0 || seen[5] == 0 {
		t.Errorf("pages by queue: %v", seen)
	}
	near, far, other := visit("hockey puck rink skate", 1), visit("university campus degree", 1), visit("garden soil", 1)
	a, b, c := mustRead(s, near).Priorities[0], mustRead(s, far).Priorities[0], mustRead(s, other).Priorities[0]
	if a.Compare(b) <= 0 || b.Compare(c) <= 0 || c.Compare(nil) < 0 {
		t.Errorf("priorities of a target's links %v, of a page before it %v, of another %v", a, b, c)
	}
}

// TestContextGraphLearnsFromFinds: a page called Useful is a seed, pages of the crawl that lead to it join the layers, and a
// useful page of the session that was called Not useful is no seed any more.
func TestContextGraphLearnsFromFinds(t *testing.T) {
	b, s := bundle(), mustLearner(t, "context-graph", bundle())
	old := b.Pages[0].URL // a target
	crawled := []Visit{
		{URL: "https://b.test/", Start: true, Page: &page.Page{URL: "https://b.test/", Text: "recipe butter vanilla", Links: []page.Link{{URL: "https://b.test/old"}, {URL: old}}}},
		{URL: "https://b.test/old", Page: &page.Page{URL: "https://b.test/new", Text: "garden rose tulip", Links: []page.Link{{URL: "https://b.test/"}}}},
		{URL: old, Page: &page.Page{URL: old, Text: "other words than in the session"}},
	}
	for _, v := range crawled {
		mustRead(s, v)
	}
	s.Teach(Mark{URL: "https://b.test/new", Useful: true})
	s.Teach(Mark{URL: old})
	if !mustRead(s, visit("hockey", 0)).Reorder {
		t.Error("what the person said does not reach the queue")
	}

	g := contextgraph.Graph{Edges: slices.Clone(b.Edges)}
	for i, p := range b.Pages {
		g.Pages, g.Target = append(g.Pages, contextgraph.Document(b.Lessons.Pages[i])), append(g.Target, p.Target && i > 0)
	}
	n := len(g.Pages)
	for i, v := range crawled[:2] {
		g.Pages, g.Target = append(g.Pages, contextgraph.Document(b.Words(v.Page.Text))), append(g.Target, i == 1)
	}
	g.Edges = append(g.Edges, [2]int{n, n + 1}, [2]int{n, 0}, [2]int{n + 1, n})
	for _, w := range b.Lessons.Background {
		g.Reference = append(g.Reference, contextgraph.Document(w))
	}
	o := contextgraph.Defaults()
	o.Seed = b.Settings.Seed
	want, got := contextgraph.Learn(g, len(b.Features.Terms), o), s.(*contextGraph).model
	before := mustNew(t, "context-graph").(*contextGraph).model
	rng, changed := rand.New(rand.NewPCG(42, 8)), false
	for range 300 {
		d := contextgraph.Document(b.Words(words(rng, rng.IntN(4), 6) + " " + words(rng, rng.IntN(4), 6)))
		if a, b := got.Classify(d), want.Classify(d); a != b {
			t.Fatalf("%v is %+v, want %+v", d, a, b)
		}
		changed = changed || got.Classify(d) != before.Classify(d)
	}
	if !changed {
		t.Error("nothing was learned")
	}
}

// TestContextGraphForgetsWhatIsTakenBack: without the person's word the layers are those of the session again.
func TestContextGraphForgetsWhatIsTakenBack(t *testing.T) {
	s, never := mustLearner(t, "context-graph", bundle()), mustLearner(t, "context-graph", bundle())
	w, twin := newWalk(43), newWalk(43)
	for range 50 {
		v := w.next()
		w.follow(v, mustRead(s, v))
		v = twin.next()
		twin.follow(v, mustRead(never, v))
	}
	asked := s.Ask(1)[0]
	s.Teach(Mark{URL: asked, Useful: true})
	mustRead(s, visit("hockey", 0))
	mustRead(never, visit("hockey", 0))
	s.Teach(Mark{URL: asked, Gone: true})
	mustRead(s, visit("hockey", 0))
	mustRead(never, visit("hockey", 0))
	if a, b := readingOf(s, w.queued), readingOf(never, twin.queued); !reflect.DeepEqual(a, b) {
		t.Errorf("a word that was taken back is remembered: %v, never said %v", a, b)
	}
}

// TestPagesForgottenInACrash: a crawl that goes on after a crash may remember fewer pages than its queue has links of. Those
// keep their worth, whatever is read since.
func TestPagesForgottenInACrash(t *testing.T) {
	for _, name := range []string{"context-graph", "best-classifier"} {
		before, after := mustLearner(t, name, bundle()), mustLearner(t, name, bundle())
		w, other := newWalk(44), newWalk(45)
		worth := map[string]Priority{}
		var queued []Visit
		for range 40 {
			v := w.next()
			v.Page.URL = "https://before.test/" + v.Page.URL
			j := mustRead(before, v)
			for i, l := range v.Page.Links {
				worth[string(j.Notes[i])+l.URL] = j.Priorities[i]
				queued = append(queued, Visit{URL: l.URL, Note: j.Notes[i]})
			}
			w.follow(v, j)
		}
		for range 100 {
			v := other.next()
			other.follow(v, mustRead(after, v))
			for _, q := range queued {
				if p := after.Priority(q.URL, q.Note); p.Compare(worth[string(q.Note)+q.URL]) != 0 {
					t.Fatalf("%s: %s was worth %v and is worth %v", name, q.URL, worth[string(q.Note)+q.URL], p)
				}
			}
		}
	}
}

// TestMemoryIsBounded: a crawl may be long; what the person said stays.
func TestMemoryIsBounded(t *testing.T) {
	m := newMemory()
	for i := range 3 * maxRemembered {
		m.forget()
		n := m.remember(remembered{URL: fmt.Sprintf("https://a.test/%d", i)})
		if n != i || m.page(n) == nil || m.page(n).Number != n {
			t.Fatalf("page %d has number %d", i, n)
		}
		if i%1000 == 0 && !m.mark(Mark{URL: fmt.Sprintf("https://a.test/%d", i), Useful: true}) {
			t.Fatalf("page %d cannot be marked", i)
		}
		if len(m.pages) > maxRemembered+forgottenAtOnce || len(m.latest) != len(m.pages) {
			t.Fatalf("%d pages remembered, %d by address", len(m.pages), len(m.latest))
		}
	}
	for i := 0; i < 3*maxRemembered; i++ {
		if p := m.page(i); i%1000 == 0 && (p == nil || p.Mark != online.Useful) || i > 2*maxRemembered && p == nil || i%1000 == 1 && i < maxRemembered && p != nil {
			t.Fatalf("page %d of %d is %+v", i, 3*maxRemembered, p)
		}
	}
}

// TestContextGraphHasAncestors: known pages that lead to a useful page of the session join the layers, from the start and when the crawl
// reads one of them again.
func TestContextGraphHasAncestors(t *testing.T) {
	b := bundle()
	ups := []model.Ancestor{
		{Key: online.Key("https://up.test/"), Words: b.Words("recipe butter vanilla recipe"), Links: []int{0}},
		{Key: online.Key("https://far.test/"), Words: b.Words("garden rose tulip garden"), Links: []int{len(b.Pages)}},
	}
	s := mustLearner(t, "context-graph", b.WithAncestors(ups)).(*contextGraph)
	g := contextgraph.Graph{Edges: append(slices.Clone(b.Edges), [2]int{len(b.Pages), 0}, [2]int{len(b.Pages) + 1, len(b.Pages)}), Reference: b.Lessons.Background}
	for _, p := range b.Pages {
		g.Target = append(g.Target, p.Target)
	}
	g.Target = append(g.Target, false, false)
	g.Pages = append(slices.Clone(b.Lessons.Pages), ups[0].Words, ups[1].Words)
	o := contextgraph.Defaults()
	o.Seed = b.Settings.Seed
	want := contextgraph.Learn(g, len(b.Features.Terms), o)
	rng, changed := rand.New(rand.NewPCG(42, 9)), false
	before := mustNew(t, "context-graph").(*contextGraph).model
	same := func(when string) {
		t.Helper()
		for range 300 {
			d := contextgraph.Document(b.Words(words(rng, rng.IntN(4), 6) + " " + words(rng, rng.IntN(4), 6)))
			if a, b := s.model.Classify(d), want.Classify(d); a != b {
				t.Fatalf("%s, %v is %+v, want %+v", when, d, a, b)
			}
			changed = changed || s.model.Classify(d) != before.Classify(d)
		}
	}
	same("at first")
	if !changed {
		t.Error("the ancestors change nothing")
	}
	mustRead(s, Visit{URL: "https://up.test/", Page: &page.Page{URL: "https://up.test/", Text: "other words", Links: []page.Link{{URL: b.Pages[0].URL}}}})
	s.Teach(Mark{URL: "https://up.test/", Useful: true})
	mustRead(s, visit("hockey", 0))
	g.Target[len(b.Pages)] = true
	want = contextgraph.Learn(g, len(b.Features.Terms), o)
	same("when it is marked Useful")
}
