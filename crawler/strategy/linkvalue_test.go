package strategy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"nightjar/crawler/page"
	"nightjar/model/online"
)

// branch is a link of a page whose text says nothing of where it leads.
func branch(i int, anchor, folder string) page.Link {
	return page.Link{URL: fmt.Sprintf("https://b.test/%s/%d", folder, i), Anchor: anchor, Path: "body>ul>li"}
}

// branchOut has a strategy read a page with links of two kinds, and then follows most of each in turn: those called "match
// report" lead to hockey, those called "diary" to gardens. It gives the links that were not followed.
func branchOut(s *linkValue, pages int) (reports, diaries []Visit) {
	rng := rand.New(rand.NewPCG(4, 2))
	hub := &page.Page{URL: "https://b.test/", Text: words(rng, 1, 30)}
	for i := range pages {
		hub.Links = append(hub.Links, branch(i, "match report", "reports"), branch(i, "diary", "diaries"))
	}
	j := mustRead(s, Visit{Page: hub, URL: hub.URL, Start: true})
	for i, l := range hub.Links {
		v := Visit{URL: l.URL, Note: j.Notes[i], Parent: j.Path}
		if i >= len(hub.Links)-6 {
			if i%2 == 0 {
				reports = append(reports, v)
			} else {
				diaries = append(diaries, v)
			}
			continue
		}
		topic := 0
		if i%2 == 1 {
			topic = 3
		}
		v.Page = &page.Page{URL: l.URL, Text: words(rng, topic, 30)}
		mustRead(s, v)
	}
	return reports, diaries
}

// TestLinkValueLearnsInTheCrawl: the yield of links with the same words and folder decides the value of the next ones.
func TestLinkValueLearnsInTheCrawl(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	few, diaries := branchOut(s, 5) // nothing was fitted yet
	if gap := few[0].value(s) - diaries[0].value(s); math.Abs(gap) > 4 {
		t.Errorf("after ten pages reports are worth %v more", gap)
	}
	s = mustNew(t, "link-value").(*linkValue)
	reports, diaries := branchOut(s, 60)
	for i := range reports {
		if a, b := reports[i].value(s), diaries[i].value(s); a < b+2 {
			t.Errorf("a report is worth %v, a diary %v", a, b)
		}
	}
}

func (v Visit) value(s *linkValue) float64 { return float64(s.Priority(v.URL, v.Note)[0]) / fineSteps }

// TestLinkValueSeesAhead: links to pages that are not useful, but hold new links that are, are worth more than links to
// pages that lead nowhere.
func TestLinkValueSeesAhead(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	rng := rand.New(rand.NewPCG(6, 2))
	root := &page.Page{URL: "https://b.test/", Text: words(rng, 2, 30)}
	for i := range 42 {
		root.Links = append(root.Links, branch(i, "person", "x"), branch(i, "paper", "y"))
	}
	j := mustRead(s, Visit{Page: root, URL: root.URL, Start: true})
	for i, l := range root.Links[:80] {
		p := &page.Page{URL: l.URL, Text: words(rng, 2, 30)}
		if i%2 == 0 {
			p.Links = append(p.Links, branch(i, "match report", "reports"))
		}
		r := mustRead(s, Visit{Page: p, URL: l.URL, Note: j.Notes[i], Parent: j.Path})
		for k, l := range p.Links {
			mustRead(s, Visit{Page: &page.Page{URL: l.URL, Text: words(rng, 0, 30)}, URL: l.URL, Note: r.Notes[k], Parent: r.Path})
		}
	}
	person := Visit{URL: root.Links[82].URL, Note: j.Notes[82]}
	paper := Visit{URL: root.Links[83].URL, Note: j.Notes[83]}
	if a, b := person.value(s), paper.value(s); a < b+.3 {
		t.Errorf("the link to a person is worth %v, to a paper %v", a, b)
	}
}

// TestPromise: the pages beyond the next never lower a link's value, and raise a link of low value most.
func TestPromise(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	for range 1000 {
		x, y, ahead := rng.NormFloat64()*3, rng.NormFloat64()*3, rng.NormFloat64()*3
		lower, higher := min(x, y), max(x, y)
		a, b := promise(lower, ahead), promise(higher, ahead)
		if b < 0 || a < b-1e-9 || promise(x, ahead+1) < promise(x, ahead)-1e-9 || lower+a > higher+b+1e-9 {
			t.Fatalf("%v gains %v, %v gains %v by %v ahead", lower, a, higher, b, ahead)
		}
	}
}

// TestLinkValueHearsThePerson: the person's mark overrides the judge, also in the values of similar links.
func TestLinkValueHearsThePerson(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	reports, diaries := branchOut(s, 60)
	before := diaries[0].value(s) - reports[0].value(s)
	for i := range 57 {
		s.Teach(Mark{URL: fmt.Sprintf("https://b.test/diaries/%d", i), Useful: true})
		s.Teach(Mark{URL: fmt.Sprintf("https://b.test/reports/%d", i)})
	}
	rng := rand.New(rand.NewPCG(5, 2))
	for i := range 150 { // until the judge is due
		mustRead(s, visit(words(rng, 2, 20), i%2))
	}
	if after := diaries[0].value(s) - reports[0].value(s); after < before+3 {
		t.Errorf("diaries were worth %v more than reports, and are worth %v after the person marked them Useful", before, after)
	}
	for _, c := range []struct {
		topic int
		want  bool
	}{{3, true}, {0, false}} {
		if j := mustRead(s, visit(words(rng, c.topic, 30), 1)); (j.Useful > .5) != c.want {
			t.Errorf("pages about %v are useful with %.2f after the person's marks", topics[c.topic][0], j.Useful)
		}
	}
}

// TestLinkValueRemembersSoMuch: even a long crawl learns from a bounded number of links.
func TestLinkValueRemembersSoMuch(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	f := followedLink{Example: online.Example{Signals: make([]float32, signalCount), Weight: 1}}
	for range maxFollowed {
		s.followed = append(s.followed, f)
	}
	for url := range uint64(maxLinked) {
		s.linked.Set(url, linkedFrom{1, 0, 0})
	}
	v := visit("hockey rink", 40)
	v.URL, v.Note = v.Page.URL, (&note{}).bytes()
	mustRead(s, v)
	if len(s.followed) != maxFollowed || s.followed[maxFollowed-1].URL != v.Page.URL || s.linked.Len() != maxLinked {
		t.Errorf("%d links followed, %d known", len(s.followed), s.linked.Len())
	}
}

// FuzzNote: a note is read as what it was written from, or not at all.
func FuzzNote(f *testing.F) {
	f.Add((&note{holder: 1, place: 2, depth: 3, parent: 1.5, tokens: []uint32{7, 8}}).bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		n, ok := readNote(b)
		if ok && string(n.bytes()) != string(b) {
			t.Errorf("%x became %x", b, n.bytes())
		}
	})
}

func TestFolder(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.test/": "https://a.test", "https://a.test/x": "https://a.test", "https://a.test/x/y?q=/z": "https://a.test/x",
		"https://a.test/x/": "https://a.test", "https://a.test/event/x/": "https://a.test/event", "https://a.test/event/x/?q=1": "https://a.test/event",
		"https://a.test/event/": "https://a.test", "https://a.test": "https://a.test", "": "",
	} {
		if got := folder(url); got != want {
			t.Errorf("the folder of %q is %q, want %q", url, got, want)
		}
	}
}
