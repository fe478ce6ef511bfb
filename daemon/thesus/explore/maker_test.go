package explore

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/thesus/ontologies"
)

// held is a world whose making of a grouping waits: reached is closed when WordNet is asked for, and release lets it go on.
func held(t *testing.T) (w *world, reached <-chan struct{}, release func()) {
	t.Helper()
	w = newWorld(t, musicians())
	gate, open := make(chan struct{}), make(chan struct{})
	once, free := sync.OnceFunc(func() { close(gate) }), sync.OnceFunc(func() { close(open) })
	w.net.ask = func() { once(); <-open }
	t.Cleanup(free)
	return w, gate, free
}

// A grouping that was in the making when the program was killed is made by the next one, from the beginning.
func TestKilled(t *testing.T) {
	t.Parallel()
	w, reached, release := held(t)
	m := w.bare()
	ctx, kill := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- m.Run(ctx) }()
	g := must(m.Group(t.Context(), Request{}))(t)
	<-reached
	kill() // in the middle
	release()
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	if g = must(GroupingByID(t.Context(), w.st.DB, g.ID))(t); g.State != GroupingWorks {
		t.Fatalf("%+v", g)
	}
	if _, err := m.View(t.Context(), g.ID); !errors.Is(err, ErrNotReady) {
		t.Errorf("%v", err)
	}
	if err := w.st.Close(); err != nil {
		t.Fatal(err)
	}
	w.open(t)
	m, _ = w.maker(t)
	if g = ended(t, m, g.ID); g.State != GroupingDone {
		t.Fatalf("%+v", g)
	}
	golden(t, "words.txt", must(m.View(t.Context(), g.ID))(t).text())
}

// While it is made again, a grouping shows its earlier result, which stays when the person stops it.
func TestAgainAndStop(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	m, _ := w.maker(t)
	g := made(t, m, Request{Options: GroupingOptions{MinDocs: 2}})
	gate, open := make(chan struct{}), make(chan struct{})
	once := sync.OnceFunc(func() { close(gate) })
	w.net.mu.Lock()
	w.net.ask = func() { once(); <-open }
	w.net.mu.Unlock()
	again := must(m.Group(t.Context(), Request{Options: GroupingOptions{Words: 1}}))(t)
	<-gate
	if again.ID != g.ID || again.Options.Words != 1 {
		t.Errorf("%+v after %+v", again, g)
	}
	if p := m.Progress(g.ID); p.Step != "" {
		t.Errorf("%+v before the first step", p)
	}
	v := must(m.View(t.Context(), g.ID))(t)
	if v.Grouping.State != GroupingWorks || v.Grouping.Options.MinDocs != 2 {
		t.Errorf("%+v", v.Grouping)
	}
	stopped := make(chan error)
	go func() { stopped <- m.Stop(t.Context(), g.ID) }()
	for must(GroupingByID(t.Context(), w.st.DB, g.ID))(t).State == GroupingWorks {
		time.Sleep(time.Millisecond)
	}
	close(open)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if g = must(GroupingByID(t.Context(), w.st.DB, g.ID))(t); g.State != GroupingFailed || g.Problem != Stopped || g.EndedAt.IsZero() {
		t.Errorf("%+v", g)
	}
	if v = must(m.View(t.Context(), g.ID))(t); v.Grouping.Options.MinDocs != 2 || len(v.Pages) != 15 {
		t.Errorf("%+v", v.Grouping)
	}
	if g = made(t, m, Request{Options: GroupingOptions{Words: 1}}); g.State != GroupingDone || g.Problem != "" {
		t.Errorf("%+v", g)
	}
	if v = must(m.View(t.Context(), g.ID))(t); len(v.Pages[0].Concepts) != 1 {
		t.Errorf("%+v", v.Pages[0])
	}
}

// A grouping can be deleted while it is made; others are made then.
func TestDeleteWhileMade(t *testing.T) {
	t.Parallel()
	w, reached, release := held(t)
	m, _ := w.maker(t)
	g := must(m.Group(t.Context(), Request{}))(t)
	<-reached
	deleted := make(chan error)
	go func() { deleted <- m.Delete(t.Context(), g.ID) }()
	for {
		if _, err := GroupingByID(t.Context(), w.st.DB, g.ID); errors.Is(err, store.ErrNotFound) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	release()
	if err := <-deleted; err != nil {
		t.Fatal(err)
	}
	if err := m.Delete(t.Context(), g.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if _, err := m.View(t.Context(), g.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if g = made(t, m, Request{Ontology: musicID}); g.State != GroupingDone {
		t.Errorf("%+v", g)
	}
}

// An ontology that is deleted while its grouping is made takes the grouping with it.
func TestOntologyDeleted(t *testing.T) {
	t.Parallel()
	w, reached, release := held(t)
	m, _ := w.maker(t)
	g := must(m.Group(t.Context(), Request{Ontology: musicID}))(t)
	<-reached
	if err := ontologies.Delete(t.Context(), w.st.DB, musicID); err != nil {
		t.Fatal(err)
	}
	delete(w.shelf.trees, musicID)
	release()
	if g = made(t, m, Request{}); g.State != GroupingDone { // the one after it
		t.Errorf("%+v", g)
	}
	if all := must(Groupings(t.Context(), w.st.DB))(t); len(all) != 1 {
		t.Errorf("%+v", all)
	}
	if _, err := m.Group(t.Context(), Request{Ontology: musicID}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// WordNet that goes while pages are described does not mix two kinds of descriptions: all of them are made again.
func TestWordNetGoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	w.net.set(tiny())
	asked := 0
	w.net.ask = func() {
		if asked++; asked == 2 { // at the end of the describing
			w.net.mu.Lock()
			w.net.net = nil
			w.net.mu.Unlock()
		}
	}
	m, _ := w.maker(t)
	g := made(t, m, Request{})
	golden(t, "words.txt", must(m.View(t.Context(), g.ID))(t).text())
	if asked != 4 {
		t.Errorf("WordNet was asked for %d times, want twice in each of two runs", asked)
	}
}

// With WordNet and no ontology, senses describe pages.
func TestSenses(t *testing.T) {
	t.Parallel()
	var said []say
	for i, words := range []string{"dog hound", "hound beast", "dog hunter", "dog friend", "gale wind", "wind weather", "gale weather", "gale"} {
		for s := range 3 {
			said = append(said, say{"http://s" + string(rune('0'+s)) + ".test/", "http://p" + string(rune('0'+i)) + ".test/", words})
		}
	}
	w := newWorld(t, said)
	w.net.set(tiny())
	m, _ := w.maker(t)
	g := made(t, m, Request{Options: GroupingOptions{MinDocs: 2}})
	golden(t, "senses.txt", must(m.View(t.Context(), g.ID))(t).text())
}

// What is erased while a grouping is made is not in it. Afterwards its result is gone until it is made again.
func TestErased(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	m, _ := w.maker(t)
	erase := func(host string) {
		if _, err := erasing.Host(t.Context(), w.st, wings.Erasing, host); err != nil {
			t.Error(err)
		}
	}
	asked := 0
	w.net.ask = func() {
		if asked++; asked == 2 {
			erase("jazz.test")
		}
	}
	g := made(t, m, Request{})
	v := must(m.View(t.Context(), g.ID))(t)
	if g.State != GroupingDone || g.Stale != "" || len(v.Pages) != 11 || strings.Contains(v.text(), "jazz.test") {
		t.Fatalf("%+v: %s", g, v.text())
	}
	result := must(StoredResult(t.Context(), w.st.DB, g.ID))(t)
	for _, text := range []string{"guitars.test", "soup"} {
		if strings.Contains(string(result), text) {
			t.Errorf("the stored result has %q", text)
		}
	}
	erase("few.test") // no page of the grouping
	if again := must(m.View(t.Context(), g.ID))(t); again.text() != v.text() {
		t.Errorf("got\n%s\nwant\n%s", again.text(), v.text())
	}
	erase("guitars.test")
	if _, err := m.View(t.Context(), g.ID); !errors.Is(err, ErrNotReady) {
		t.Error(err)
	}
	if g = must(GroupingByID(t.Context(), w.st.DB, g.ID))(t); g.State != GroupingFailed || g.Stale == "" {
		t.Errorf("%+v", g)
	}
	if g = made(t, m, Request{}); g.Stale != "" {
		t.Errorf("%+v", g)
	}
}

// Pages that are gone, since nothing links to them any more, are not shown, and the places of the others are right.
func TestPagesGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	m, _ := w.maker(t)
	g := made(t, m, Request{})
	for _, table := range []string{"link WHERE dst IN (SELECT id FROM link_page WHERE url LIKE 'http://cook.test/%')", "link_page WHERE url LIKE 'http://cook.test/%'"} {
		storetest.Exec(t, w.path, "DELETE FROM "+table)
	}
	v := must(w.bare().View(t.Context(), g.ID))(t)
	if len(v.Pages) != 11 || strings.Contains(v.text(), "soup") {
		t.Fatal(v.text())
	}
	for i, l := range v.Levels {
		seen := map[int]bool{}
		for _, p := range l.Apart {
			seen[p] = true
		}
		for _, c := range l.Clusters {
			for _, p := range c.Pages {
				if seen[p] {
					t.Errorf("page %d is there twice", p)
				}
				seen[p] = true
			}
			if c.Parent >= 0 && v.Levels[i+1].Clusters[c.Parent].Label[:4] != c.Label[:4] {
				t.Errorf("%s is below %s", c.Label, v.Levels[i+1].Clusters[c.Parent].Label)
			}
			if strings.HasPrefix(c.Label, "jazz") != strings.HasPrefix(v.Pages[c.Pages[0]].URL, "http://jazz") {
				t.Errorf("%s has %s", c.Label, v.Pages[c.Pages[0]].URL)
			}
		}
		if len(seen) != len(v.Pages) {
			t.Errorf("%d of %d pages", len(seen), len(v.Pages))
		}
	}
}

// An empty world gives an empty grouping, not an error.
func TestNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	m, _ := w.maker(t)
	for _, r := range []Request{{}, {Ontology: musicID}, {Ontology: musicID, Options: GroupingOptions{Cobweb: true}}} {
		g := made(t, m, r)
		v, err := m.View(t.Context(), g.ID)
		if err != nil || g.State != GroupingDone || v.Pages == nil || v.Levels == nil || v.Warnings == nil {
			t.Errorf("%+v: %+v, %v", g, v, err)
		}
		if a := must(m.Ask(t.Context(), g.ID, "guitar"))(t); len(a.Groups) > 0 {
			t.Errorf("%+v", a)
		}
	}
}

// Wrong requests say what is wrong.
func TestWrongRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	m := w.bare()
	for _, o := range []GroupingOptions{{Words: -1}, {Words: 33}, {MinSimilarity: 1.1}, {MinSimilarity: -1}, {MinDocs: 1001}} {
		if _, err := m.Group(t.Context(), Request{Options: o}); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, r := range []Request{{Scope: links.PagesOfTopic, ScopeID: 7}, {Scope: links.PagesOfCrawl, ScopeID: 7}, {Scope: links.PagesOfSession}, {Ontology: 7}, {ScopeID: 1}} {
		if _, err := m.Group(t.Context(), r); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := m.Group(t.Context(), Request{Scope: "planet"}); err == nil {
		t.Error("a scope that there is not")
	}
	if all := must(Groupings(t.Context(), w.st.DB))(t); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

// A change of the ontology while its grouping is made leaves the grouping out of date.
func TestStaleMeanwhile(t *testing.T) {
	t.Parallel()
	w, reached, release := held(t)
	m, _ := w.maker(t)
	g := must(m.Group(t.Context(), Request{Ontology: musicID}))(t)
	<-reached
	storetest.Exec(t, w.path, `UPDATE groupings SET stale = 'its ontology was changed'`)
	release()
	if g = ended(t, m, g.ID); g.State != GroupingDone || g.Stale != "its ontology was changed" {
		t.Errorf("%+v", g)
	}
}

// Progress and news tell the steps in order.
func TestProgress(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	news, end := w.bus.Listen()
	defer end()
	m, stop := w.maker(t)
	g := made(t, m, Request{Ontology: musicID})
	stop()
	var steps []string
	for len(news) > 0 {
		n := <-news
		p, ok := n.Data.(Progress)
		if n.Kind != "groupings" || n.ID != "1" || !ok || p.Done > p.Of {
			t.Errorf("%+v", n)
		}
		if len(steps) == 0 || steps[len(steps)-1] != p.Step {
			steps = append(steps, p.Step)
		}
	}
	if len(steps) > 0 && steps[0] == "" {
		steps = steps[1:] // Run may have begun before Group told that the grouping waits
	}
	want := []string{"Reading words", "Describing pages", "Comparing pages", "Grouping pages", "Naming groups", "Storing", ""}
	if !slices.Equal(steps, want) {
		t.Errorf("%q, want %q", steps, want)
	}
	if p := m.Progress(g.ID); p != (Progress{}) {
		t.Errorf("%+v", p)
	}
}
