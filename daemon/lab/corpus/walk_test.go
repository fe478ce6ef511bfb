package corpus

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/daemon/browse/protocol"
)

// campus makes a site of n pages: a tree with some links across, and every seventh page labelled.
func campus(n int, seed uint64) (s site, paths, lines []string) {
	rng := rand.New(rand.NewPCG(seed, seed))
	s = make(site)
	for i := range n {
		path := fmt.Sprintf("/p%d", i)
		paths = append(paths, path)
		if i > 0 {
			s[paths[(i-1)/3]] += " " + path
		}
		s[path] += fmt.Sprintf(" /p%d", rng.IntN(n))
		if i%7 == 6 {
			lines = append(lines, path+" course")
		}
	}
	return s, paths, lines
}

// TestWalk checks on random sites that a walk visits as many pages and marks as many as asked for, marks only pages with
// the label, follows only links that are there, and goes back now and then.
func TestWalk(t *testing.T) {
	for seed := range uint64(5) {
		s, paths, lines := campus(90, seed)
		replay := open(t, record(t, s, paths...))
		l := labels(t, lines...)
		events, summary, err := Walk(t.Context(), replay, l, WalkOptions{
			Relevant: "course", Starts: []string{host + "/p0", host + "/p2"}, Pages: 50, Targets: 6, Seed: seed,
		})
		if err != nil {
			t.Fatal(err)
		}
		if summary.Pages != 50 || summary.Useful != 6 || summary.Backs < 5 || summary.Note != "" {
			t.Errorf("seed %d: %+v", seed, summary)
		}
		checkWalk(t, events, l.With("course"))
		graph := NewGraph(replay)
		for range 2 { // walks leave a graph that they are given as it is
			again, _, err := Walk(t.Context(), replay, l, WalkOptions{
				Relevant: "course", Starts: []string{host + "/p0", host + "/p2"}, Pages: 50, Targets: 6, Seed: seed, Graph: graph,
			})
			if err != nil || written(t, again) != written(t, events) {
				t.Errorf("seed %d: another walk over a graph that was used before (%v)", seed, err)
			}
		}
	}
}

// checkWalk checks what every walk must hold to.
func checkWalk(t *testing.T, events []protocol.Event, relevant map[string]bool) {
	t.Helper()
	links := make(map[string]map[string]bool) // load -> its links
	urls := make(map[string]string)
	shown := ""
	marks := make(map[string]bool)
	for _, e := range events {
		switch e.Type {
		case protocol.Visit:
			if e.How == protocol.HowLink && (e.From != shown || !links[e.From][e.URL]) {
				t.Errorf("followed %s, which %s does not link to", e.URL, urls[e.From])
			}
			shown, urls[e.Page] = e.Page, e.URL
		case protocol.Snapshot:
			html, err := e.Unpack()
			if err != nil {
				t.Fatal(err)
			}
			p, err := page.Parse(urls[e.Page], "text/html", html)
			if err != nil {
				t.Fatal(err)
			}
			links[e.Page] = make(map[string]bool)
			for _, link := range p.Links {
				links[e.Page][link.URL] = true
			}
		case protocol.Back:
			if e.From != shown {
				t.Error("went back from a page that was not shown")
			}
			shown = e.Page
		case protocol.Useful:
			marks[urls[e.Page]] = true
			if !relevant[urls[e.Page]] || e.Page != shown {
				t.Errorf("marked %s", urls[e.Page])
			}
		}
	}
	for load := range links {
		if url := urls[load]; relevant[url] && !marks[url] {
			t.Errorf("visited %s without a mark", url)
		}
	}
}

// TestWalkEndsWhereNothingIsLeft asks for more than the site has.
func TestWalkEndsWhereNothingIsLeft(t *testing.T) {
	s := site{"/a": "/b /alias", "/b": "/a", "/c": "", "/alias": "-> /c", "/far": ""}
	replay := open(t, record(t, s, "/a", "/b", "/c", "/alias", "/far"))
	events, summary, err := Walk(t.Context(), replay, labels(t, "/c course"), WalkOptions{
		Relevant: "course", Starts: []string{host + "/a"}, Pages: 10, Targets: 2, Seed: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	if summary.Pages != 3 || summary.Useful != 1 || summary.Note == "" {
		t.Errorf("%+v: %s", summary, story(events))
	}
	for _, e := range events {
		if e.Type == protocol.Visit && e.URL == host+"/c" && e.Requested != host+"/alias" {
			t.Errorf("the alias is lost: %+v", e.Requested)
		}
	}
}

func TestWalkErrors(t *testing.T) {
	replay := open(t, record(t, wiki, wikiPaths...))
	for _, tt := range []struct{ name, label, start, want string }{
		{"unknown label", "course", "/africa", "metals"},
		{"unknown start", "metals", "/nowhere", "no start page " + host + "/nowhere"},
		{"out of reach", "islands", "/africa", "was reached"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := Walk(t.Context(), replay, labels(t, "/gold metals", "/island islands"), WalkOptions{
				Relevant: tt.label, Starts: []string{host + tt.start}, Pages: 5, Targets: 1,
			})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
		})
	}
}

func TestWalkSeed(t *testing.T) {
	s, paths, lines := campus(60, 1)
	path := record(t, s, paths...)
	made := func(seed uint64) string {
		events, _, err := Walk(t.Context(), open(t, path), labels(t, lines...), WalkOptions{
			Relevant: "course", Starts: []string{host + "/p0"}, Pages: 20, Targets: 3, Seed: seed,
		})
		if err != nil {
			t.Fatal(err)
		}
		return written(t, events)
	}
	if first, again := made(1), made(1); first != again {
		t.Error("the same seed makes other bytes")
	}
	if made(1) == made(2) {
		t.Error("another seed makes the same walk")
	}
}

// visited lists the addresses of a session's visits and marks, in order.
func visited(events []protocol.Event) (all []string) {
	for _, e := range events {
		switch e.Type {
		case protocol.Visit:
			all = append(all, e.How+" "+e.URL)
		case protocol.Back, protocol.Useful:
			all = append(all, string(e.Type))
		}
	}
	return all
}

// TestWalkMilestones checks that a walk with milestones takes the same way, and names each page with a class once.
func TestWalkMilestones(t *testing.T) {
	s, paths, lines := campus(60, 1)
	path := record(t, s, paths...)
	lines = append(lines, "/p0 department", "/p1 other", "/p2 area", "/p2 person", "/p6 area", "/p13 zone")
	made := func(milestones bool) []protocol.Event {
		events, summary, err := Walk(t.Context(), open(t, path), labels(t, lines...), WalkOptions{
			Relevant: "course", Starts: []string{host + "/p0"}, Pages: 50, Targets: 3, Milestones: milestones,
		})
		if err != nil || (summary.Named > 0) != milestones {
			t.Fatalf("%+v, %v", summary, err)
		}
		return events
	}
	plain, named := made(false), made(true)
	if !slices.Equal(visited(plain), visited(named)) {
		t.Error("milestones change the walk")
	}
	want := map[string]string{"/p0": "department", "/p2": "area"}
	for i := 6; i < 60; i += 7 {
		want[fmt.Sprintf("/p%d", i)] = "course"
	}
	urls, got := map[string]string{}, map[string]string{}
	for _, e := range named {
		url := strings.TrimPrefix(e.URL, host)
		switch e.Type {
		case protocol.Visit:
			urls[e.Page] = url
		case protocol.Label:
			if err := protocol.Validate(e); err != nil || got[urls[e.Page]] != "" || e.Name != want[urls[e.Page]] {
				t.Errorf("%s is named %q after %q, want %q (%v)", urls[e.Page], e.Name, got[urls[e.Page]], want[urls[e.Page]], err)
			}
			got[urls[e.Page]] = e.Name
		}
	}
	for _, url := range urls {
		if got[url] != want[url] {
			t.Errorf("%s is named %q, want %q", url, got[url], want[url])
		}
	}
	for _, e := range plain {
		if e.Type == protocol.Label {
			t.Fatal("a walk without milestones has a label")
		}
	}
}

func TestWalkWrongMilestone(t *testing.T) {
	s, paths, lines := campus(30, 1)
	for name, want := range map[string]error{strings.Repeat("x", 101): protocol.ErrLongName, "Goal": protocol.ErrNameTaken} {
		_, _, err := Walk(t.Context(), open(t, record(t, s, paths...)), labels(t, append(lines, "/p0 "+name)...), WalkOptions{
			Relevant: "course", Starts: []string{host + "/p0"}, Pages: 20, Targets: 3, Milestones: true,
		})
		if !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
}

// TestWalkRestart checks that a start page follows each mark, and that it does not without the option.
func TestWalkRestart(t *testing.T) {
	s, paths, lines := campus(90, 2)
	path := record(t, s, paths...)
	starts := func(restart bool) (typed, marks int) {
		events, summary, err := Walk(t.Context(), open(t, path), labels(t, lines...), WalkOptions{
			Relevant: "course", Starts: []string{host + "/p0"}, Pages: 60, Targets: 5, Restart: restart,
		})
		if err != nil || summary.Useful != 5 || summary.Pages != 60 {
			t.Fatalf("%+v, %v", summary, err)
		}
		way := visited(events)
		for i, step := range way {
			if strings.HasPrefix(step, protocol.HowTyped) {
				typed++
			}
			if step == string(protocol.Useful) && i+1 < len(way) {
				marks++
				if got := strings.HasPrefix(way[i+1], protocol.HowTyped); restart && !got {
					t.Errorf("after a mark: %s", way[i+1])
				}
			}
		}
		return typed, marks
	}
	if typed, marks := starts(true); typed != marks+1 {
		t.Errorf("%d start pages for %d marks", typed, marks)
	}
	if typed, _ := starts(false); typed != 1 {
		t.Errorf("%d start pages without restart", typed)
	}
}
