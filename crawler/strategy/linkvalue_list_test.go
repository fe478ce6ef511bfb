package strategy

import (
	"fmt"
	"slices"
	"testing"

	"nightjar/crawler/page"
)

// onList are the addresses of n pages in a folder, as a list has them.
func onList(folder string, n int) (links []page.Link) {
	for i := range n {
		links = append(links, page.Link{URL: fmt.Sprintf("https://b.test/%s/%d", folder, 1000+i), Path: "list"})
	}
	return links
}

// TestLinkValueLists: the addresses of a list are worth what Priority says of their notes, and those with the words of links that led to
// useful pages most. Valuing them teaches nothing.
func TestLinkValueLists(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	branchOut(s, 60)
	before := string(s.Snapshot())
	links := append(onList("other/reports", 2), onList("other/diaries", 2)...)
	j := s.List("https://b.test/sitemap.xml", links)
	if string(s.Snapshot()) != before {
		t.Error("valuing a list changed what was learned")
	}
	if len(j.Priorities) != len(links) || len(j.Notes) != len(links) {
		t.Fatalf("%d priorities and %d notes of %d addresses", len(j.Priorities), len(j.Notes), len(links))
	}
	for i, l := range links {
		if got := s.Priority(l.URL, j.Notes[i]); got.Compare(j.Priorities[i]) != 0 {
			t.Errorf("%s: %v, and %v by its note", l.URL, j.Priorities[i], got)
		}
		if p, ok := s.Chance(l.URL, j.Notes[i]); !ok || p <= 0 || p >= 1 {
			t.Errorf("%s promises %v, %v", l.URL, p, ok)
		}
	}
	if j.Priorities[0].Compare(j.Priorities[2]) <= 0 {
		t.Errorf("a report is worth %v, a diary %v", j.Priorities[0], j.Priorities[2])
	}
}

// TestLinkValueFeeds: an entry of a feed is worth more with a title like the texts of useful pages than with another one, or without.
func TestLinkValueFeeds(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	branchOut(s, 60)
	links := onList("other/diaries", 3)
	links[0].Anchor, links[1].Anchor = "Hockey puck and goalie at the rink", "Garden flower and rose"
	j := s.List("https://b.test/rss", links)
	if j.Priorities[0].Compare(j.Priorities[1]) <= 0 || j.Priorities[0].Compare(j.Priorities[2]) <= 0 {
		t.Errorf("worth %v, %v without its words and %v without a title", j.Priorities[0], j.Priorities[1], j.Priorities[2])
	}
	for i, l := range links {
		if got := s.Priority(l.URL, j.Notes[i]); got.Compare(j.Priorities[i]) != 0 {
			t.Errorf("%q: %v, and %v by its note", l.Anchor, j.Priorities[i], got)
		}
	}
}

// TestLinkValueLearnsOfLists: what pages of a list brought counts for the other addresses in it more than for those of other lists.
func TestLinkValueLearnsOfLists(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	links, other := onList("x", 40), []page.Link{{URL: "https://c.test/x/2000", Path: "list"}}
	j, apart := s.List("https://b.test/sitemap.xml", links), s.List("https://c.test/sitemap.xml", other)
	lead := func() int32 {
		return s.Priority(links[39].URL, j.Notes[39])[0] - s.Priority(other[0].URL, apart.Notes[0])[0]
	}
	before := lead()
	for i := range 30 {
		v := visit("hockey puck goalie stick rink skate league", 0)
		v.URL, v.Page.URL, v.Note, v.Start = links[i].URL, links[i].URL, j.Notes[i], true
		mustRead(s, v)
	}
	if after := lead(); after <= before {
		t.Errorf("after 30 useful pages of a list, its addresses lead others by %d, and by %d before", after, before)
	}
}

// TestListedStandBack: while addresses of lists bring less than links, they are worth less, more so than the same link would be. The
// reasons shown to a person name the words of addresses.
func TestListedStandBack(t *testing.T) {
	s := mustNew(t, "link-value").(*linkValue)
	branchOut(s, 60)
	links := onList("other/reports", 40)
	j := s.List("https://b.test/sitemap.xml", links)
	for i, l := range links[:30] {
		v := visit("garden flower seed soil plant rose", 0)
		v.URL, v.Page.URL, v.Note, v.Start = l.URL, l.URL, j.Notes[i], true
		mustRead(s, v)
	}
	n, _ := readNote(j.Notes[39])
	keys := keysOf(links[39].URL)
	x := s.signals(&keys, &n)
	back, _ := s.worthOf(&keys, &n, &x)
	beside := n
	beside.place = 0 // the same, if it were no address of a list
	if link, _ := s.worthOf(&keys, &beside, &x); back >= link || behind(&n, &x) >= 0 {
		t.Errorf("an address of lists that bring nothing is worth %v, a link %v", back, link)
	}
	others := onList("papers", 1)
	w, o := Waiting{URL: links[39].URL, Note: j.Notes[39]}, Waiting{URL: others[0].URL, Note: s.List("https://b.test/sitemap.xml", others).Notes[0]}
	e, ok := s.Explain(w, []Waiting{o})
	if !ok || e.Others != 1 || !slices.ContainsFunc(e.Reasons, func(r Reason) bool { return r.Name == "its address contains “reports”" }) {
		t.Errorf("%+v, %v", e, ok)
	}
}
