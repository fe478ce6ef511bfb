package corpus

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/daemon/lab/recording"
)

// Graph is a recording's web graph: the links from page to page, by final URLs. A page is parsed when its links are first asked for,
// since a walk sees a small part of a large recording. Several walks may use a graph at the same time.
type Graph struct {
	replay *recording.Replay
	pages  map[string]bool // all pages of the recording

	mu     sync.Mutex
	links  map[string][]edge // of the pages that were parsed: one link to each other page
	finals map[string]string // final URLs of the addresses in these, "" for those that the recording lacks
}

// edge is a link: its address in the page, and the final URL that it leads to.
type edge struct{ link, to string }

// NewGraph returns the graph of a recording, which must stay open.
func NewGraph(replay *recording.Replay) *Graph {
	g := &Graph{replay: replay, pages: make(map[string]bool), links: make(map[string][]edge), finals: make(map[string]string)}
	for _, url := range replay.Pages() {
		g.pages[url] = true
	}
	return g
}

// from returns the links of a page. One that cannot be parsed has none.
func (g *Graph) from(url string) []edge {
	g.mu.Lock()
	defer g.mu.Unlock()
	links, read := g.links[url]
	if !read {
		links = g.parse(url)
		g.links[url] = links
	}
	return links
}

func (g *Graph) parse(url string) (links []edge) {
	r := g.replay.Fetch(context.Background(), url)
	if r.Outcome != fetch.OK {
		return nil
	}
	p, err := page.ParseFrom(r.Source(), r.Body)
	if err != nil {
		return nil
	}
	led := map[string]bool{url: true, "": true}
	for _, link := range p.Links {
		to, known := g.finals[link.URL]
		if !known {
			to = g.final(link.URL)
			g.finals[link.URL] = to
		}
		if !led[to] {
			led[to] = true
			links = append(links, edge{link.URL, to})
		}
	}
	return links
}

// final is the final URL of an address, "" when the recording lacks it.
func (g *Graph) final(url string) string {
	url = canonical(url)
	if g.pages[url] {
		return url
	}
	if r := g.replay.Fetch(context.Background(), url); r.Outcome == fetch.OK {
		return r.FinalURL
	}
	return ""
}

// toward is the first link of a shortest path from a page to a wanted page, without barred pages; ties are drawn. It reports
// false without such a path.
func (g *Graph) toward(rng *rand.Rand, from string, wanted, barred func(url string) bool) (edge, bool) {
	first := map[string]edge{from: {}}
	for ring := []string{from}; len(ring) > 0; {
		var next []string
		for _, at := range ring {
			links := slices.Clone(g.from(at))
			rng.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
			for _, e := range links {
				if _, seen := first[e.to]; seen || barred(e.to) {
					continue
				}
				first[e.to] = first[at]
				if at == from {
					first[e.to] = e
				}
				if wanted(e.to) {
					return first[e.to], true
				}
				next = append(next, e.to)
			}
		}
		ring = next
	}
	return edge{}, false
}
