package cli

import (
	"maps"
	"slices"

	"nightjar/crawler"
)

// explained counts, for the links that were chosen by one rule, how many the strategy compared with others that waited, and how
// many of them were worth more than the typical one.
type explained struct {
	How   crawler.How `json:"how"`
	Links int         `json:"links"`
	For   int         `json:"for"` // the reasons add up to more than 0
}

// explanations counts the explanations of a crawl by rule.
type explanations map[crawler.How]explained

func (e explanations) add(c *crawler.Choice) {
	if c == nil || c.Compared == 0 {
		return
	}
	of := e[c.How]
	of.How = c.How
	of.Links++
	if c.Worth > c.Typical {
		of.For++
	}
	e[c.How] = of
}

// list is the counts in the order of the rules' names.
func (e explanations) list() []explained {
	var all []explained
	for _, how := range slices.Sorted(maps.Keys(e)) {
		all = append(all, e[how])
	}
	return all
}
