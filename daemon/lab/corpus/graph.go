package corpus

import (
	"context"
	"math/rand/v2"
	"slices"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/daemon/lab/recording"
)

// Graph is a recording's web graph: a page's final URL -> one link to each other page that it links to.
type Graph map[string][]edge

// edge is a link: its address in the page, and the final URL that it leads to.
type edge struct{ link, to string }

// ReadGraph parses every page of the recording. A page that cannot be parsed has no links.
func ReadGraph(ctx context.Context, replay *recording.Replay) (Graph, error) {
	g := make(Graph)
	for _, url := range replay.Pages() {
		g[url] = nil
	}
	finals := make(map[string]string)
	for _, url := range replay.Pages() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := replay.Fetch(ctx, url)
		if r.Outcome != fetch.OK {
			delete(g, url)
			continue
		}
		p, err := page.ParseFrom(r.Source(), r.Body)
		if err != nil {
			continue
		}
		for _, link := range p.Links {
			to, known := finals[link.URL]
			if !known {
				to = g.final(ctx, replay, link.URL)
				finals[link.URL] = to
			}
			same := func(e edge) bool { return e.to == to }
			if to != "" && to != url && !slices.ContainsFunc(g[url], same) {
				g[url] = append(g[url], edge{link.URL, to})
			}
		}
	}
	return g, nil
}

// final is the final URL of an address, "" when the recording lacks it.
func (g Graph) final(ctx context.Context, replay *recording.Replay, url string) string {
	url = canonical(url)
	if _, ok := g[url]; ok {
		return url
	}
	if r := replay.Fetch(ctx, url); r.Outcome == fetch.OK {
		return r.FinalURL
	}
	return ""
}

// toward is the first link of a shortest path from a page to a wanted page, without barred pages; ties are drawn. It reports
// false without such a path.
func (g Graph) toward(rng *rand.Rand, from string, wanted, barred func(url string) bool) (edge, bool) {
	first := map[string]edge{from: {}}
	for ring := []string{from}; len(ring) > 0; {
		var next []string
		for _, at := range ring {
			links := slices.Clone(g[at])
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
