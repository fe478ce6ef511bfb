package search

import (
	"context"

	"nightjar/daemon/db"
	"nightjar/daemon/morning/search/words"
)

// leastOfSite is how many stored pages of a host show what most of its pages say.
const leastOfSite = 8

// WordsOfSite returns those of some words that more than half of the stored pages on the host of an address have, as far as they
// can be searched; none when fewer than 8 can.
func WordsOfSite(ctx context.Context, d *db.DB, address string, some []string) (common []string, err error) {
	site := "tags : " + siteTag(hostOnly(address))
	pages, err := countWord(ctx, d, site)
	if err != nil || pages < leastOfSite {
		return nil, db.Wrap(err, "count the pages of a host")
	}
	for _, w := range some {
		for _, t := range words.Parse(w).With {
			n, err := countWord(ctx, d, site+" AND "+inText+phrase(t.Words))
			if err != nil {
				return nil, db.Wrap(err, "count the pages of a host that have a word")
			}
			if n > pages/2 {
				common = append(common, w)
			}
		}
	}
	return common, nil
}
