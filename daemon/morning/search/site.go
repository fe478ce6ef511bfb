package search

import (
	"context"
	"slices"

	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
	"nightjar/daemon/morning/search/words"
)

// leastOfSite is how many stored pages of a site show what most of its pages say.
const leastOfSite = 8

// WordsOfSite returns those of some words that more than half of the stored pages on the host of an address or on its whole site
// have, as far as they can be searched. A host or site of fewer than 8 pages shows nothing.
func WordsOfSite(ctx context.Context, d *db.DB, address string, some []string) (common []string, err error) {
	hosts := []string{hostOnly(address), hostOnly("http://" + weburl.Site(address))}
	for _, host := range slices.Compact(hosts) {
		of, err := wordsOf(ctx, d, host, some)
		if err != nil {
			return nil, err
		}
		common = append(common, of...)
	}
	return slices.Compact(slices.Sorted(slices.Values(common))), nil
}

func wordsOf(ctx context.Context, d *db.DB, host string, some []string) (common []string, err error) {
	site := "tags : " + siteTag(host)
	pages, err := countWord(ctx, d, site)
	if err != nil || pages < leastOfSite {
		return nil, db.Wrap(err, "count the pages of a site")
	}
	for _, w := range some {
		for _, t := range words.Parse(w).With {
			n, err := countWord(ctx, d, site+" AND "+inText+phrase(t.Words))
			if err != nil {
				return nil, db.Wrap(err, "count the pages of a site that have a word")
			}
			if n > pages/2 {
				common = append(common, w)
			}
		}
	}
	return common, nil
}
