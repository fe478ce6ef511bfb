package strategy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"nightjar/crawler/page"
	"nightjar/model"
	"nightjar/model/online"
	"nightjar/model/webgraph"
)

// madeUpSession is a session of random links between pages; a quarter of the pages are targets.
func madeUpSession(rng *rand.Rand, pages int) *model.Bundle {
	b := &model.Bundle{}
	for i := range pages {
		b.Pages = append(b.Pages, model.PageFact{URL: fmt.Sprintf("https://a.test/%d", i), Target: rng.IntN(4) == 0})
	}
	for range pages * 3 / 2 {
		from, to := rng.IntN(pages), rng.IntN(pages)
		if rng.IntN(2) == 0 {
			b.Edges = append(b.Edges, [2]int{from, to})
			continue
		}
		alias := fmt.Sprintf("https://a.test/%d?alias=%d", to, from)
		b.Lessons.Links = append(b.Lessons.Links, model.LinkLesson{From: from, To: to, Link: webgraph.Link{URL: alias}})
	}
	b.Lessons.Links = append(b.Lessons.Links, model.LinkLesson{From: 0, To: -1, Link: webgraph.Link{URL: "https://b.test/"}})
	return b
}

// nearest is the oracle: the links from a page to the nearest open target, by trying ever longer walks.
func nearest(b *model.Bundle, from int, closed map[int]bool) int {
	reached := map[int]bool{from: true}
	for dist := range len(b.Pages) {
		next := map[int]bool{}
		for i := range reached {
			if b.Pages[i].Target && !closed[i] {
				return dist
			}
			for _, e := range b.Edges {
				if e[0] == i {
					next[e[1]] = true
				}
			}
			for _, l := range b.Lessons.Links {
				if l.From == i && l.To >= 0 {
					next[l.To] = true
				}
			}
		}
		reached = next
	}
	return noWay
}

// TestWays: distances are those of the shortest walks to targets that were not fetched, by every address of a page, also
// after a restart.
func TestWays(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 12))
		b := madeUpSession(rng, 2+rng.IntN(15))
		w, closed := newWays(b), map[int]bool{}
		for range 12 {
			for i, p := range b.Pages {
				if got, known := w.to(online.Key(p.URL)); !known || got != nearest(b, i, closed) {
					t.Fatalf("seed %d: page %d is %d links from an open target, want %d", seed, i, got, nearest(b, i, closed))
				}
			}
			for _, l := range b.Lessons.Links {
				if got, known := w.to(online.Key(l.URL)); known != (l.To >= 0) || known && got != nearest(b, l.To, closed) {
					t.Fatalf("seed %d: %s is %d links from an open target", seed, l.URL, got)
				}
			}
			i := rng.IntN(len(b.Pages))
			before := closed[i]
			closed[i] = true
			known, target, changed := w.fetched("https://c.test/moved", b.Pages[i].URL)
			if !known || target != b.Pages[i].Target || changed != (target && !before) {
				t.Fatalf("seed %d: fetched page %d: %v %v %v", seed, i, known, target, changed)
			}
			again, err := newWays(b).restored(w.state())
			if err != nil {
				t.Fatal(err)
			}
			w = again
		}
	}
	if _, err := newWays(madeUpSession(rand.New(rand.NewPCG(1, 1)), 3)).restored([]int{3}); err == nil {
		t.Error("a page that the session lacks was restored")
	}
}

// linkTo is a queued link that says nothing of where it leads.
func linkTo(t *testing.T, s *linkValue, url string) Visit {
	t.Helper()
	hub := &page.Page{URL: "https://hub.test/", Text: "zebra", Links: []page.Link{{URL: url, Anchor: "here"}}}
	j := mustRead(s, Visit{Page: hub, URL: hub.URL, Start: true})
	return Visit{URL: url, Note: j.Notes[0], Parent: j.Path}
}

// TestTheWayYouTook: a link to a page of the session is worth more the nearer its open targets are. Once a target was
// fetched the queue is put in order, and the page is worth nothing by itself.
func TestTheWayYouTook(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	var target, before string
	for i, p := range s.bundle.Pages {
		switch d := s.ways.dist[i]; {
		case d == 0 && target == "":
			target = p.URL
		case d == 1 && before == "":
			before = p.URL
		}
	}
	elsewhere := linkTo(t, s, "https://b.test/other").value(s)
	to, way := linkTo(t, s, target), linkTo(t, s, before)
	if a, b := to.value(s), way.value(s); a <= b || b <= elsewhere || b < 0 {
		t.Fatalf("the target is worth %v, the page before it %v, any other page %v", a, b, elsewhere)
	}
	to.Page = &page.Page{URL: target, Text: "hockey puck"}
	if j := mustRead(s, to); !j.Reorder {
		t.Error("the queue keeps its order after a target was fetched")
	}
	if again := linkTo(t, s, target).value(s); again >= elsewhere {
		t.Errorf("a target that was fetched is worth %v, any other page %v", again, elsewhere)
	}
}

// TestKnownPagesAreNoFinds: pages of the session add nothing to what folders, sites and places have brought, nor to the
// harvest.
func TestKnownPagesAreNoFinds(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	before := s.brought[byFolder].All
	for _, p := range s.bundle.Pages {
		v := linkTo(t, s, p.URL)
		v.Page = &page.Page{URL: p.URL, Text: "hockey puck goalie"}
		mustRead(s, v)
	}
	if s.found != 0 || s.brought[byFolder].All != before || s.explore.Harvest != 0 {
		t.Errorf("%d finds, yields %v, a harvest of %v", s.found, s.brought[byFolder].All, s.explore.Harvest)
	}
	for i, f := range s.followed {
		if want := s.bundle.Pages[i].Target; (f.Outcome == 1) != want {
			t.Errorf("the link to page %d has the outcome %v", i, f.Outcome)
		}
	}
	v := linkTo(t, s, "https://b.test/new")
	v.Page = &page.Page{URL: v.URL, Text: "hockey puck goalie"}
	if mustRead(s, v); s.explore.Harvest == 0 || s.brought[byFolder].All == before {
		t.Error("a new page adds nothing either")
	}
}

const missesToFit = 5

// mustMiss tells a strategy of a link without a page, which must not fail.
func mustMiss(t *testing.T, s Misser, url string, note []byte) (reorder bool) {
	t.Helper()
	reorder, err := s.Missed(t.Context(), url, note, 1)
	if err != nil {
		t.Fatal(err)
	}
	return reorder
}

// TestMissesStop: once the context ends, misses are counted and teach nothing, and what fell due comes with the next miss.
func TestMissesStop(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	s := mustNew(t, "link-value").(*linkValue)
	v := linkTo(t, s, "https://b.test/gone")
	for range 20 {
		if reorder, err := s.Missed(ended, v.URL, v.Note, 1); reorder || err != nil {
			t.Fatalf("Missed returns %v, %v", reorder, err)
		}
	}
	if !mustMiss(t, s, v.URL, v.Note) {
		t.Error("what fell due meanwhile is not learned")
	}
	for range 2 * missesToFit {
		if reorder, err := s.Missed(t.Context(), v.URL, v.Note, 0); reorder || err != nil {
			t.Fatalf("after misses that cost nothing, Missed returns %v, %v", reorder, err)
		}
	}
	if mustMiss(t, s, v.URL, v.Note) {
		t.Error("learns from each miss")
	}
}

// TestDeadLinksTeach: links like those that gave no page are worth less.
func TestDeadLinksTeach(t *testing.T) {
	value := func(dead bool) float64 {
		s := mustNew(t, "link-value").(*linkValue)
		rng := rand.New(rand.NewPCG(5, 2))
		hub := &page.Page{URL: "https://b.test/", Text: words(rng, 1, 30)}
		for i := range 60 {
			hub.Links = append(hub.Links, branch(i, "old page", "old"), branch(i, "diary", "diaries"))
		}
		j := mustRead(s, Visit{Page: hub, URL: hub.URL, Start: true})
		for i, l := range hub.Links[:118] {
			if i%2 == 0 && dead {
				mustMiss(t, s, l.URL, j.Notes[i])
			} else if i%2 == 1 {
				mustRead(s, Visit{Page: &page.Page{URL: l.URL, Text: words(rng, i%4, 30)}, URL: l.URL, Note: j.Notes[i], Parent: j.Path})
			}
		}
		return Visit{URL: hub.Links[118].URL, Note: j.Notes[118]}.value(s)
	}
	if with, without := value(true), value(false); with > without-.5 {
		t.Errorf("after dead links, a similar one is worth %v, without them %v", with, without)
	}
	s := mustNew(t, "link-value").(*linkValue)
	for _, note := range [][]byte{nil, {}, []byte("hockey")} {
		mustMiss(t, s, "https://b.test/", note)
	}
	if len(s.followed) > 0 {
		t.Error("a link without a note of its own taught something")
	}
}

// TestExploreShare: the less is found, the more pages go to unseen hosts; the more hosts bring nothing, the fewer.
func TestExploreShare(t *testing.T) {
	for _, c := range []struct {
		outcome float64
		barren  int // hosts
		every   int
	}{
		{0, 0, exploreOften}, {.2, 0, exploreAtTimes}, {1, 0, exploreSeldom},
		{0, barrenHosts - 1, exploreOften}, {0, barrenHosts, 2 * exploreOften}, {.2, 2 * barrenHosts, 4 * exploreAtTimes},
		{0, 1000, exploreOften << mostHalved},
	} {
		var x explore
		for range 200 {
			x.found(c.outcome, false, false)
		}
		for range c.barren {
			x.found(c.outcome, true, false)
		}
		due := 0
		for range 480 {
			x.followed()
			if x.due() {
				due++
			}
			if x.due() {
				t.Fatal("due twice for one page")
			}
		}
		if due != 480/c.every {
			t.Errorf("with a harvest of %v after %d barren hosts, %d of 480 pages, want every %d.", c.outcome, c.barren, due, c.every)
		}
		if x.found(1, true, true); x.Barren != 0 {
			t.Error("a host's first find does not count")
		}
	}
}

// TestHostsThatBring: the first find on a host that the crawl met by itself makes exploring worth while; finds on the hosts
// of start pages do not, and each new host without a find makes it worth less.
func TestHostsThatBring(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	begin := s.explore.Barren
	read := func(url, text string) int {
		v := linkTo(t, s, url)
		v.Page = &page.Page{URL: url, Text: text}
		mustRead(s, v)
		return s.explore.Barren
	}
	const useful = "hockey puck goalie stick rink skate league playoff arena referee"
	for _, step := range []struct {
		url, text string
		want      int
	}{
		{"https://hub.test/find", useful, begin}, // the start page's host
		{"https://b.test/1", "garden flower seed soil", begin + 1},
		{"https://b.test/2", "garden flower seed soil", begin + 1},
		{"https://c.test/1", useful, 0},
		{"https://d.test/1", "garden flower seed soil", 1},
		{"https://c.test/2", useful, 1},
		{"https://b.test/3", useful, 0},
	} {
		if got := read(step.url, step.text); got != step.want {
			t.Errorf("after %s, %d hosts without a find, want %d", step.url, got, step.want)
		}
	}
}
