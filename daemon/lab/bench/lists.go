package bench

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
)

// Made-up lists are not better than those of real sites.
const (
	lacksOf = 10     // one recorded page of so many is not in its host's list
	goneOf  = 5      // one address for so many recorded pages is of a page that is gone
	lyingOf = 10     // one host of so many with a list lists none of its pages,
	lies    = 500    // but so many addresses that lead nowhere
	hugeOf  = 30     // one host of so many with a list lists an old archive as well,
	huge    = 30_000 // so many pages that are gone
	oldest  = 3000   // days that the oldest page did not change
)

// withLists lets so many percent of the hosts of a recording publish a robots.txt and the sitemap that it names, drawn with a seed.
func withLists(replay *recording.Replay, percent int, seed uint64) recording.Listing {
	pages := make(map[string][]string)
	for _, url := range replay.Pages() {
		host := weburl.Host(url)
		pages[host] = append(pages[host], url)
	}
	l := recording.Listing{Replay: replay, MadeUp: make(map[string][]byte), Now: corpus.Epoch}
	for host, pages := range pages {
		h := fnv.New64a()
		_, _ = h.Write([]byte(host)) // it never fails
		draw := rand.New(rand.NewPCG(seed, h.Sum64()))
		if draw.IntN(100) >= percent {
			continue
		}
		list := sitemap(listed(weburl.Origin(pages[0]), pages, draw), draw)
		for _, scheme := range []string{"http://", "https://"} {
			l.MadeUp[scheme+host+"/robots.txt"] = []byte("User-agent: *\nDisallow:\nSitemap: /pages.xml\n")
			l.MadeUp[scheme+host+"/pages.xml"] = list
		}
	}
	return l
}

// listed are the addresses that a host lists.
func listed(origin string, pages []string, draw *rand.Rand) (all []string) {
	if draw.IntN(lyingOf) == 0 {
		for i := range lies {
			all = append(all, fmt.Sprintf("%s/item/%d", origin, i))
		}
		return all
	}
	if draw.IntN(hugeOf) == 0 {
		for i := range huge {
			all = append(all, fmt.Sprintf("%s/archive/%d/%d", origin, i/100, i))
		}
	}
	for _, url := range pages {
		if draw.IntN(lacksOf) > 0 {
			all = append(all, url)
		}
		if draw.IntN(goneOf) == 0 {
			all = append(all, fmt.Sprintf("%s-%d", url, draw.IntN(1000)))
		}
	}
	draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// sitemap is a sitemap of addresses. When their pages changed last says nothing about them.
func sitemap(urls []string, draw *rand.Rand) []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, url := range urls {
		b.WriteString("<url><loc>")
		_ = xml.EscapeText(&b, []byte(url)) // writing to a buffer never fails
		changed := corpus.Epoch.AddDate(0, 0, -draw.IntN(oldest))
		fmt.Fprintf(&b, "</loc><lastmod>%s</lastmod></url>\n", changed.Format(time.DateOnly))
	}
	b.WriteString("</urlset>")
	return b.Bytes()
}
