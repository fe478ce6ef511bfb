package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// Made-up lists are not better than those of real sites.
const (
	deadOf  = 5   // one address for so many recorded ones is of a page that is gone
	lyingOf = 10  // one host of so many that publish a list lists none of its pages
	lies    = 500 // addresses of such a list
)

// listing is a recording some of whose hosts publish a list of their pages.
type listing struct {
	*fetch.Replay
	of map[string][]string // by host
}

// withLists lets so many percent of the hosts of a recording publish a list, drawn with a seed.
func withLists(r *fetch.Replay, percent int, seed uint64) fetch.Fetcher {
	if percent <= 0 {
		return r
	}
	l := listing{r, make(map[string][]string)}
	for _, url := range r.Pages() {
		host := weburl.Host(url)
		l.of[host] = append(l.of[host], url)
	}
	for host, pages := range l.of {
		h := fnv.New64a()
		_, _ = h.Write([]byte(host)) // it never fails
		l.of[host] = list(pages, percent, rand.New(rand.NewPCG(seed, h.Sum64())))
	}
	return l
}

// list is what the host of some pages lists: nil for nothing.
func list(pages []string, percent int, draw *rand.Rand) (all []string) {
	switch {
	case draw.IntN(100) >= percent:
		return nil
	case draw.IntN(lyingOf) == 0:
		for i := range lies {
			all = append(all, fmt.Sprintf("%s/item/%d", weburl.Origin(pages[0]), i))
		}
		return all
	}
	for _, url := range pages {
		if all = append(all, url); draw.IntN(deadOf) == 0 {
			all = append(all, fmt.Sprintf("%s-%d", url, draw.IntN(1000)))
		}
	}
	draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// List answers with the list of a URL's host.
func (l listing) List(_ context.Context, url string) fetch.Response {
	r := fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK}
	sitemap := fetch.List{URL: weburl.Origin(url) + "/sitemap.xml"}
	for _, page := range l.of[weburl.Host(url)] {
		sitemap.Pages = append(sitemap.Pages, fetch.ListedPage{URL: page})
	}
	if len(sitemap.Pages) > 0 {
		r.Lists = []fetch.List{sitemap}
	}
	return r
}

// AddFeeds does nothing: a recording has no feeds.
func (l listing) AddFeeds(context.Context, string, []string) bool { return false }
