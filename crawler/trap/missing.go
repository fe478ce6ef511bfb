package trap

import (
	"nightjar/crawler/page"
)

// alikeShare is the share of common shingles (Jaccard) from which a page is what its host shows for a missing one.
const alikeShare = 0.8

// isMissing reports whether a page looks like its host's page for addresses that do not exist.
func (g *Guard) isMissing(url string, k page.Sketch) bool {
	sample, ok := g.missing[page.Host(url)]
	if !ok || sample.Words == 0 {
		return false
	}
	return page.SameText(sample.Simhash, k.Simhash) || alike(sample.Shingles, k.Shingles) >= alikeShare
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
