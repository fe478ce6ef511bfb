package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/model/webgraph"
)

// twoBrowsers makes what two browsers record together: a few pages each, some of them the same with other words in them.
func twoBrowsers(t *testing.T, rng *rand.Rand) []protocol.Event {
	t.Helper()
	var all []protocol.Event
	var first string
	for i := range 2 {
		site := map[string]string{}
		script := []string{}
		for range 2 + rng.IntN(4) {
			page := string(rune('a' + rng.IntN(5)))
			site[page] = fmt.Sprintf("<title>%s in %d</title><p>words %d<a href=/%c>next</a>", page, i, rng.IntN(9), 'a'+rune(rng.IntN(5)))
			verb := []string{"typed=", "link=", "tab="}[rng.IntN(3)]
			script = append(script, verb+page)
			if rng.IntN(3) == 0 {
				script = append(script, []string{"useful", "not-useful", "label=step"}[rng.IntN(3)])
			} else if verb == "link=" && len(script) > 1 && rng.IntN(2) == 0 {
				script = append(script, "back")
			}
		}
		script[0] = "typed=" + script[0][strings.Index(script[0], "=")+1:]
		events, err := sessiontest.Script(rng.Uint64(), time.Date(2026, 11, 21, 10, i, 0, 0, time.UTC), site, strings.Join(script, " "))
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = events[0].Session
		} else {
			events[0].Joins = first
		}
		all = append(all, events...)
	}
	return all
}

// unionOf writes out the web graph of all sessions that events make, and what belongs together.
func unionOf(t *testing.T, events []protocol.Event) string {
	t.Helper()
	sessions, err := Fold(events)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, whole := range Together(sessions) {
		var loads []webgraph.Load
		for _, s := range whole {
			fmt.Fprintln(&out, "session", s.ID, s.Topic, s.Moves)
			loads = append(loads, s.Loads()...)
		}
		g := webgraph.Build(loads)
		for _, p := range g.Pages {
			fmt.Fprintln(&out, p.URL, p.Title, p.Text, p.Target, p.Loads)
		}
		fmt.Fprintln(&out, g.Edges)
	}
	return out.String()
}

// However the events of two browsers arrive, the web graph is the one of those in order.
func TestShuffledBrowsersGiveTheSameGraph(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 21))
	shared := 0
	for range 50 {
		events := twoBrowsers(t, rng)
		want := unionOf(t, slices.Clone(events))
		if strings.Count(want, "session ") != 2 || strings.Count(want, "[[")+strings.Count(want, "[]") == 0 {
			t.Fatalf("not one graph of two sessions:\n%s", want)
		}
		if strings.Contains(want, "in 0") && strings.Contains(want, "in 1") {
			shared++
		}
		for range 20 {
			rng.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
			if got := unionOf(t, slices.Clone(events)); got != want {
				t.Fatalf("shuffled\n%s\nin order\n%s", got, want)
			}
		}
	}
	if shared < 10 {
		t.Errorf("only %d of the graphs have pages of both browsers", shared)
	}
}

func TestTogether(t *testing.T) {
	s := func(id, joins string) *Session { return &Session{ID: id, Joins: joins} }
	for _, tt := range []struct {
		all  []*Session
		want string
	}{
		{[]*Session{s("a", ""), s("b", ""), s("c", "a")}, "ac b"},
		{[]*Session{s("c", "b"), s("b", "a"), s("a", "")}, "abc"},
		{[]*Session{s("b", "gone"), s("a", ""), s("c", "gone")}, "bc a"},
		{[]*Session{s("a", "b"), s("b", "a")}, "ab"},
		{[]*Session{s("a", "a")}, "a"},
	} {
		var got []string
		for _, group := range Together(tt.all) {
			ids := ""
			for _, one := range group {
				ids += one.ID
			}
			got = append(got, ids)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestBegan(t *testing.T) {
	const results = "https://www.google.com/search?q=goalie+pads&hl=en"
	pads := weburl.Search{Query: "goalie pads", Engine: "Google"}
	v := func(load, url, from string) Visit { return Visit{Load: load, URL: url, From: from} }
	for name, tt := range map[string]struct {
		visits []Visit
		want   weburl.Search
	}{
		"from results":         {[]Visit{v("1", results, ""), v("2", "http://ice.test/", "1")}, pads},
		"results only":         {[]Visit{v("1", results, "")}, pads},
		"the last search":      {[]Visit{v("1", "https://duckduckgo.com/?q=pads", ""), v("2", results, "1"), v("3", "http://ice.test/", "2")}, pads},
		"the one it came from": {[]Visit{v("1", results, ""), v("2", "https://duckduckgo.com/?q=pads", ""), v("3", "http://ice.test/", "1")}, pads},
		"typed after a search": {[]Visit{v("1", results, ""), v("2", "http://ice.test/", "")}, weburl.Search{}},
		"searched later":       {[]Visit{v("1", "http://ice.test/", ""), v("2", results, "1"), v("3", "http://b.test/", "2")}, weburl.Search{}},
		"requested":            {[]Visit{{Load: "1", URL: "http://ice.test/", Requested: results}}, pads},
		"no visit":             {nil, weburl.Search{}},
	} {
		if got, ok := Began(tt.visits); got != tt.want || ok != (tt.want != weburl.Search{}) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, ok, tt.want)
		}
	}
}
