package trap

import (
	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
	"nightjar/crawler/pagekind"
	"nightjar/crawler/weburl"
)

// alikeShare is the Jaccard similarity from which a page counts as its host's page for missing addresses.
const alikeShare = 0.8

// sample is a host's page for addresses that do not exist.
type sample struct {
	sketch      neardup.Sketch
	title       string
	saysMissing bool // its text says that the page does not exist
}

// isMissing reports whether a page is its host's page for addresses that do not exist. The front page never is: many hosts
// show it for missing addresses.
func (g *Guard) isMissing(p *page.Page, k neardup.Sketch) bool {
	s, ok := g.missing[weburl.Host(p.URL)]
	if !ok || s.sketch.Words == 0 || pathOf(p.URL) == "/" {
		return false
	}
	return neardup.SameText(s.sketch.Simhash, k.Simhash) || alike(s.sketch.Shingles, k.Shingles) >= alikeShare ||
		s.saysMissing && s.title == p.Title && pagekind.SaysMissing(p)
}

// alike is the Jaccard similarity of two lists of shingles, 0 for empty ones.
func alike(a, b []uint64) float64 {
	in := make(map[uint64]bool, len(a))
	for _, h := range a {
		in[h] = true
	}
	all, both := len(in), 0
	counted := make(map[uint64]bool, len(b))
	for _, h := range b {
		if counted[h] {
			continue
		}
		counted[h] = true
		if in[h] {
			both++
		} else {
			all++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}
