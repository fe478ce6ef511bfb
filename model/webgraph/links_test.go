package webgraph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// links writes a page's links as "b:to b, -:to gone".
func links(g *Graph, page int) string {
	var out []string
	for _, l := range g.Pages[page].Links {
		to := "-"
		if l.To >= 0 {
			u := g.Pages[l.To].URL
			to = u[strings.LastIndex(u, "/")+1:]
		}
		out = append(out, to+":"+l.Anchor)
	}
	return strings.Join(out, ", ")
}

func TestLinks(t *testing.T) {
	silent := Load{ID: "a", URL: site("a"), Links: []Link{{URL: site("b")}, {URL: site("x")}, {URL: site("b"), Anchor: "words"}, {URL: site("b"), Anchor: "later"}, {URL: site("x"), Anchor: "gone"}}}
	tests := []struct {
		name  string
		loads []Load
		want  string // of the first page
	}{
		{"in order, visited or not", []Load{loadOf("a", "x", "b", "y"), loadOf("b")}, "-:to x, b:to b, -:to y"},
		{"the first anchor that says something", []Load{silent, loadOf("b")}, "b:words, -:gone"},
		{"not to itself", []Load{with(loadOf("a", "a", "old", "b"), func(l *Load) { l.Aliases = []string{site("old")} }), loadOf("b")}, "b:to b"},
		{"an alias and the page are one", []Load{loadOf("a", "old", "b"), with(loadOf("b"), func(l *Load) { l.Aliases = []string{site("old")} })}, "b:to old"},
		{"every load's links", []Load{loadOf("a", "b"), loadOf("b"), loadOf("c"), with(loadOf("a2", "c", "b"), func(l *Load) { l.URL = site("a") })}, "b:to b, c:to c"},
		{"a frameset is each of its frames", []Load{loadOf("a", "set", "n"), loadOf("set"), with(loadOf("n"), frame("set", Frame)), with(loadOf("c"), frame("set", Frame))}, "n:to set, c:to set"},
		{"a followed link that the HTML lacks is none", []Load{loadOf("a"), with(loadOf("b"), func(l *Load) { l.From = "a" })}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := links(Build(tt.loads), 0); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestLinksKeepTheirPlace: of several links to one page the words, the heading and the elements are those of the link
// whose anchor is kept, whether it leads to a visited page or not.
func TestLinksKeepTheirPlace(t *testing.T) {
	picture := Link{URL: site("b"), Around: "a picture", Heading: "Top", Path: "nav"}
	first := Link{URL: site("b"), Anchor: "words", Around: "some words here", Heading: "News", Path: "ul>li"}
	later := Link{URL: site("b"), Anchor: "later", Around: "below", Path: "footer"}
	for name, tt := range map[string]struct {
		links []Link
		want  Link
	}{
		"the first that says something": {[]Link{picture, first, later}, first},
		"none says anything":            {[]Link{picture, {URL: site("b"), Path: "p"}}, picture},
		"one":                           {[]Link{later}, later},
	} {
		for to, loads := range map[int][]Load{1: {loadOf("b")}, -1: nil} {
			g := Build(append([]Load{{ID: "a", URL: site("a"), Links: tt.links}}, loads...))
			if got := g.Pages[0].Links; !slices.Equal(got, []NodeLink{{To: to, Link: tt.want}}) {
				t.Errorf("%s: %+v, want one link to %d, %+v", name, got, to, tt.want)
			}
		}
	}
}

// randomLoads are plain pages, pages visited again, framesets with their frames, bare iframes, redirects, and followed
// links, over few enough addresses that links meet pages, aliases and framesets.
func randomLoads(rng *rand.Rand) []Load {
	var loads []Load
	address := func() string { return site(fmt.Sprint(rng.IntN(14))) }
	for i := range 1 + rng.IntN(12) {
		l := Load{ID: fmt.Sprint("load ", i), URL: address(), Site: "a.test", Text: enough}
		for k := range rng.IntN(8) {
			l.Links = append(l.Links, Link{URL: address(), Anchor: []string{"", fmt.Sprint("anchor ", k)}[rng.IntN(2)]})
		}
		if rng.IntN(3) == 0 {
			l.Aliases = []string{address()}
		}
		if i > 0 && rng.IntN(2) == 0 {
			l.From = loads[rng.IntN(i)].ID
		}
		if i > 0 && loads[i-1].Kind != Iframe && rng.IntN(4) == 0 {
			l.Parent, l.Kind, l.From = loads[i-1].ID, Frame, ""
			if rng.IntN(3) == 0 {
				l.Kind, l.Text = Iframe, ""
			}
		}
		loads = append(loads, l)
	}
	return loads
}

// resolve finds the pages an address leads to from what Build says of the loads alone: those of a load of that address,
// else those of the last load that claims it.
func resolve(g *Graph, loads []Load, address string) []int {
	var alias []int
	for _, l := range loads {
		if l.Kind == Iframe {
			continue // without text: no page
		}
		if l.URL == address {
			return g.ByLoad[l.ID]
		}
		if slices.Contains(l.Aliases, address) {
			alias = g.ByLoad[l.ID]
		}
	}
	return alias
}

// TestLinksProperties holds that the links to visited pages are exactly the edges that the HTML shows, found apart from
// it; that each place is named once and never the page itself; and that followed links change nothing of them.
func TestLinksProperties(t *testing.T) {
	edges := 0
	for seed := range uint64(3000) {
		loads := randomLoads(rand.New(rand.NewPCG(seed, 7)))
		g := Build(loads)
		var want, got [][2]int
		gone := make([]map[string]bool, len(g.Pages))
		for from, p := range g.Pages {
			gone[from] = map[string]bool{}
			for _, l := range loads {
				if !slices.Contains(p.Loads, l.ID) {
					continue
				}
				for _, link := range l.Links {
					to := resolve(g, loads, link.URL)
					if len(to) == 0 {
						gone[from][link.URL] = true
					}
					for _, v := range to {
						if e := [2]int{from, v}; v != from && !slices.Contains(want, e) {
							want = append(want, e)
						}
					}
				}
			}
			unvisited := 0
			for _, l := range p.Links {
				if l.To < 0 {
					unvisited++
					continue
				}
				got = append(got, [2]int{from, l.To})
			}
			if unvisited != len(gone[from]) {
				t.Fatalf("seed %d: page %s has %d links to pages that were not visited, want %v", seed, p.URL, unvisited, gone[from])
			}
		}
		byPlace := func(x, y [2]int) int { return slices.Compare(x[:], y[:]) }
		slices.SortFunc(want, byPlace)
		slices.SortFunc(got, byPlace)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: links %v, want %v", seed, got, want)
		}
		bare := slices.Clone(loads)
		for i := range bare {
			bare[i].From = ""
		}
		if h := Build(bare); !slices.Equal(h.Edges, want) || !slices.EqualFunc(h.Pages, g.Pages, func(x, y Node) bool { return slices.Equal(x.Links, y.Links) }) {
			t.Fatalf("seed %d: without followed links the edges are %v, want %v", seed, h.Edges, want)
		}
		edges += len(want)
	}
	if edges < 3000 {
		t.Errorf("only %d links between visited pages: the inputs prove little", edges)
	}
}
