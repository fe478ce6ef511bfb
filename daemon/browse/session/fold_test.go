package session

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/model/webgraph"
)

func mustFold(tb testing.TB, events ...protocol.Event) *Session {
	tb.Helper()
	all, err := Fold(events)
	if err != nil || len(all) != 1 {
		tb.Fatalf("%d sessions, %v", len(all), err)
	}
	return all[0]
}

func TestFold(t *testing.T) {
	m := maker(1)
	start := m.Start("Hockey")
	a := m.Visit("http://ice.test/a", "A", protocol.HowTyped, "")
	b := m.Visit("http://ice.test/b", "B", protocol.HowLink, a.Page)
	label := m.Of(protocol.Label, b.Page, "")
	label.Name = "milestone"
	events := []protocol.Event{start, a, b, m.Of(protocol.Useful, a.Page, ""), m.Of(protocol.Useful, b.Page, ""), m.Of(protocol.NotUseful, b.Page, ""),
		m.Of(protocol.Back, a.Page, b.Page), m.Of(protocol.Forward, b.Page, a.Page), label, m.Of(protocol.Useful, m.UUID(), ""), m.Event(protocol.Submit)}
	r := mustFold(t, events...)
	if r.Topic != "Hockey" || r.ID != m.Session || !r.Submitted || !r.LastEvent.Equal(events[len(events)-1].At) {
		t.Errorf("got %+v", r)
	}
	if len(r.Visits) != 2 || !r.Visits[0].Useful || r.Visits[1].Useful || r.Visits[1].From != a.Page || r.Visits[0].Milestone != "" || r.Visits[1].Milestone != "milestone" {
		t.Errorf("visits %+v %+v", r.Visits[0], r.Visits[1])
	}
	if want := []Move{{protocol.Visit, a.Page, b.Page}, {protocol.Back, b.Page, a.Page}, {protocol.Forward, a.Page, b.Page}}; !slices.Equal(r.Moves, want) {
		t.Errorf("moves %v", r.Moves)
	}
	// Order is by seq, and twice is once.
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		mixed := append(slices.Clone(events), events[:rng.IntN(len(events))]...)
		rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if got := mustFold(t, mixed...); !reflect.DeepEqual(got, r) {
			t.Fatalf("shuffled: %+v", got)
		}
	}
}

func TestFoldSessions(t *testing.T) {
	a, b, c := maker(1), maker(2), maker(3)
	v := c.Visit("http://ice.test/", "", protocol.HowTyped, "")
	all, err := Fold([]protocol.Event{b.Start("Two"), a.Start("One"), c.Start("Three"), v, b.Event(protocol.SessionPause), c.Event(protocol.Discard)})
	if err != nil || len(all) != 2 || all[0].Topic != "Two" || all[1].Topic != "One" || all[0].Submitted {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := Fold([]protocol.Event{a.Event(protocol.Submit)}); err == nil || !strings.Contains(err.Error(), a.Session) {
		t.Errorf("without a start: %v", err)
	}
	foreign := a.Event(protocol.Submit)
	foreign.Client = b.Client
	if _, err := Fold([]protocol.Event{a.Start("One"), foreign}); err == nil {
		t.Error("two browsers in one session: no error")
	}
	if all, err := Fold(nil); err != nil || len(all) != 0 {
		t.Errorf("nothing: %v, %v", all, err)
	}
}

// A mark belongs to the page: the last one counts, on whichever load it was made.
func TestMarkIsThePages(t *testing.T) {
	m := maker(1)
	start := m.Start("Hockey")
	a := m.Visit("http://ice.test/a", "", protocol.HowTyped, "")
	again := m.Visit("http://ICE.test/a#part", "", protocol.HowReload, "")
	r := mustFold(t, start, a, again, m.Of(protocol.Useful, a.Page, ""))
	if !r.Visits[0].Useful || !r.Visits[1].Useful {
		t.Error("a mark on one load does not count for the other")
	}
	r = mustFold(t, start, a, again, m.Of(protocol.Useful, a.Page, ""), m.Of(protocol.NotUseful, again.Page, ""))
	if r.Visits[0].Useful || r.Visits[1].Useful {
		t.Error("removing the mark on the other load does not remove it")
	}
}

// texts that say something, with about 20 different words each.
var (
	hockey  = strings.Repeat("The goalkeeper stopped every puck while forwards skated around defenders across frozen rinks during winter tournaments. ", 3)
	sailing = strings.Repeat("Sailors hoisted canvas against strong westerly winds before steering their yacht towards distant harbours beyond reefs. ", 3)
)

func TestLoads(t *testing.T) {
	m := maker(1)
	start := m.Start("Hockey")
	a := m.Visit("http://ice.test/a?utm_source=x#top", "by the tab", protocol.HowTyped, "")
	a.Requested = "http://ICE.test/old"
	b := m.Visit("http://ice.test/b", "B", protocol.HowLink, a.Page)
	f := m.Frame(b.Page, "http://ice.test/f", protocol.KindFrame)
	c := m.Visit("http://ice.test/c", "C", protocol.HowReload, b.Page)
	login := m.Visit("http://ice.test/login", "Log in", protocol.HowLink, a.Page)
	inLogin := m.Frame(login.Page, "http://ice.test/inner", protocol.KindIframe)
	inInner := m.Frame(inLogin.Page, "http://ice.test/inmost", protocol.KindIframe)
	r := mustFold(t, start, a,
		m.Snapshot(a.Page, []byte("<title>First</title><a href=/x>x</a>before<a href=/z></a>")), m.Snapshot(a.Page, []byte("<title>Last</title><a href=/x></a><h2>Rinks</h2><p class=m><a href=/y>y</a>after<a href=/z>z</a>")),
		b, f, m.Of(protocol.Useful, f.Page, ""), c, login, m.Snapshot(login.Page, []byte("<input type=password>")), m.Snapshot(login.Page, []byte("harmless now")), inLogin, inInner)
	want := []webgraph.Load{
		{ID: a.Page, URL: "http://ice.test/a", Site: "ice.test", Aliases: []string{"http://ice.test/old"}, Title: "Last", Links: []webgraph.Link{
			{URL: "http://ice.test/x", Anchor: "x", Around: "before", Path: "body"},
			{URL: "http://ice.test/z", Anchor: "z", Around: "Rinks y after", Heading: "Rinks", Path: "p.m"}, // where it first said something
			{URL: "http://ice.test/y", Anchor: "y", Around: "Rinks after z", Heading: "Rinks", Path: "p.m"},
		}},
		{ID: b.Page, URL: "http://ice.test/b", Site: "ice.test", Title: "B", From: a.Page},
		{ID: f.Page, URL: "http://ice.test/f", Site: "ice.test", Parent: b.Page, Kind: webgraph.Frame, Target: true},
		{ID: c.Page, URL: "http://ice.test/c", Site: "ice.test", Title: "C"}, // reloaded: no link was followed
	}
	got := r.Loads()
	if len(got) != len(want) {
		t.Fatalf("%d loads: %+v", len(got), got)
	}
	if !strings.Contains(got[0].Text, "after") || strings.Contains(got[0].Text, "before") {
		t.Errorf("the text is %q, not the last snapshot's", got[0].Text)
	}
	for i := range want {
		got[i].Text = ""
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("load %d: %+v\nwant %+v", i, got[i], want[i])
		}
	}
}

func TestFromOnlyWhenALinkWasFollowed(t *testing.T) {
	for how, follows := range map[string]bool{protocol.HowLink: true, protocol.HowForm: true, protocol.HowNewTab: true,
		protocol.HowTyped: false, protocol.HowBookmark: false, protocol.HowReload: false, protocol.HowOther: false} {
		m := maker(1)
		start, a := m.Start("Hockey"), m.Visit("http://ice.test/a", "", protocol.HowTyped, "")
		r := mustFold(t, start, a, m.Visit("http://ice.test/b", "", how, a.Page))
		if got := r.Loads()[1].From; (got == a.Page) != follows {
			t.Errorf("%s: from %q", how, got)
		}
	}
}

func TestRelCanonical(t *testing.T) {
	for name, c := range map[string]struct {
		url, canonical, mainText, text string
		same                           bool
	}{
		"same text":          {"http://ice.test/a?print=1", "http://ice.test/a", hockey, hockey, true},
		"a menu differs":     {"http://ice.test/a?print=1", "/a", hockey, "Print this. " + hockey, true},
		"another host":       {"http://m.ice.test/a", "http://ice.test/a", hockey, hockey, false}, // for .test the site is the host
		"subdomain":          {"http://m.example.com/a", "http://www.example.com/a", hockey, hockey, true},
		"another site":       {"http://copy.example.net/a", "http://www.example.com/a", hockey, hockey, false},
		"another text":       {"http://ice.test/sail", "http://ice.test/a", hockey, sailing, false},
		"not visited":        {"http://ice.test/a?print=1", "http://ice.test/other", hockey, hockey, false},
		"itself":             {"http://ice.test/a?print=1", "http://ice.test/a?print=1", hockey, hockey, false},
		"nothing to compare": {"http://ice.test/a?print=1", "http://ice.test/a", hockey, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := maker(1)
			main := "http://ice.test/a"
			if strings.Contains(c.canonical, "example.com") {
				main = "http://www.example.com/a"
			}
			start, a := m.Start("Hockey"), m.Visit(main, "", protocol.HowTyped, "")
			b := m.Visit(c.url, "", protocol.HowTyped, "")
			r := mustFold(t, start, a, b, m.Snapshot(a.Page, []byte("<p>"+c.mainText)),
				m.Snapshot(b.Page, []byte("<link rel=canonical href='"+c.canonical+"'><p>"+c.text)), m.Of(protocol.Useful, b.Page, ""))
			g := webgraph.Build(r.Loads())
			if merged := len(g.Pages) == 1; merged != c.same {
				t.Errorf("%d pages: %+v", len(g.Pages), g.Pages)
			}
			if c.same && (g.Pages[0].URL != main || !g.Pages[0].Target) {
				t.Errorf("page %+v", g.Pages[0])
			}
		})
	}
}

// Pages whose rel=canonical form a circle keep their addresses; a chain leads to its last page.
func TestRelCanonicalChains(t *testing.T) {
	build := func(canonical map[string]string) []string {
		m := maker(1)
		events := []protocol.Event{m.Start("Hockey")}
		for _, p := range []string{"a", "b", "c"} {
			v := m.Visit("http://ice.test/"+p, "", protocol.HowTyped, "")
			events = append(events, v, m.Snapshot(v.Page, []byte("<link rel=canonical href=/"+canonical[p]+"><p>"+hockey)))
		}
		var urls []string
		for _, p := range webgraph.Build(mustFold(t, events...).Loads()).Pages {
			urls = append(urls, strings.TrimPrefix(p.URL, "http://ice.test/"))
		}
		return urls
	}
	for range 20 { // over the orders in which maps come
		if got := build(map[string]string{"a": "b", "b": "c", "c": "c"}); !slices.Equal(got, []string{"c"}) {
			t.Errorf("chain: %v", got)
		}
		if got := build(map[string]string{"a": "b", "b": "a", "c": "a"}); !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("circle: %v", got)
		}
	}
}

func TestEntryPages(t *testing.T) {
	m := maker(1)
	start := m.Start("Hockey")
	typed := m.Visit("http://ice.test/", "", protocol.HowTyped, "")
	followed := m.Visit("http://ice.test/rules", "", protocol.HowLink, typed.Page)
	frame := m.Frame(followed.Page, "http://ice.test/frame", protocol.KindFrame)
	search := m.Visit("https://www.google.com/search?q=hockey", "", protocol.HowTyped, "")
	found := m.Visit("http://rinks.test/", "", protocol.HowLink, search.Page)
	deeper := m.Visit("http://rinks.test/deep", "", protocol.HowLink, found.Page)
	login := m.Visit("http://ice.test/login", "", protocol.HowTyped, "")
	r := mustFold(t, start, typed, followed, frame, search, found, deeper, login, m.Snapshot(login.Page, []byte("<input type=password>")),
		m.Visit("http://ice.test/?access_token=abc", "", protocol.HowTyped, ""),
		m.Visit("http://ice.test/?access_token=redacted", "", protocol.HowTyped, ""),
		m.Visit("http://ice.test/?x=redacted", "", protocol.HowTyped, ""),
		m.Visit("http://ice.test/reset/redacted", "", protocol.HowTyped, ""),
		m.Visit("http://joe:pw@ice.test/private", "", protocol.HowTyped, ""),
		m.Visit("http://ice.test/rules", "", protocol.HowReload, ""), // where a link had led
		m.Visit("http://restored.test/", "", protocol.HowReload, ""), // a tab of last time
		m.Visit("http://ice.test/#again", "", protocol.HowBookmark, ""),
		m.Visit("http://marked.test/", "", protocol.HowBookmark, ""))
	want := []string{"http://ice.test/", "http://rinks.test/", "http://restored.test/", "http://marked.test/"}
	if got := r.EntryPages(); !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}
