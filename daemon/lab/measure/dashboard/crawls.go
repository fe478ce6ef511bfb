package dashboard

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
)

// makeCrawls makes the fetched pages: one crawl a night, the topics in turn.
func (g *generator) makeCrawls(ctx context.Context) error {
	visited := g.o.Pages / visitedShare / pagesOfSession * pagesOfSession
	crawls := (g.o.Pages - visited) / pagesOfCrawl
	why, err := json.Marshal([]strategy.Reason{{Name: "words of the link: tidal, barrage", Value: -1.2}, {Name: "the page it stands on", Value: -.8},
		{Name: "other links of this folder", Value: .4}, {Name: "its place on the page", Value: -.1}, {Name: "your ways", Value: .2}})
	if err != nil {
		return err
	}
	for k := range crawls {
		if err := g.makeCrawl(ctx, k, visited+k*pagesOfCrawl, 1-float64(k+1)/float64(crawls), string(why)); err != nil {
			return err
		}
		if (k+1)%20 == 0 || k+1 == crawls {
			fmt.Fprintf(g.log, "%d crawls of %d\n", k+1, crawls)
		}
	}
	return nil
}

func (g *generator) makeCrawl(ctx context.Context, k, firstPage int, ago float64, why string) error {
	id, t := int64(1000+k), k%len(g.topics)
	start := time.UnixMilli(g.past(ago)).Add(-6 * time.Hour).UTC()
	night := start.Format(time.DateOnly)
	err := g.put(ctx, "crawls", "id, topic_id, model_id, night, strategy, options, status, stop_reason, fetched, relevant, bytes, spent_ms, created_at, started_at, ended_at",
		id, g.topics[t], g.models[t], night, "link-value", fmt.Sprintf(`{"starts":[%q],"budget":{"pages":%d,"per_host":100}}`, address(k), pagesOfCrawl),
		"ended", "the budget of pages is spent", pagesOfCrawl, pagesOfCrawl/fetchesOfFind, pagesOfCrawl*9000, 3_600_000, start.UnixMilli(), start.UnixMilli(), start.Add(3*time.Hour).UnixMilli())
	for n := 1; n <= pagesOfCrawl && err == nil; n++ {
		err = g.makeFetch(ctx, id, g.topics[t], n, firstPage+n-1, start.Add(time.Duration(n)*5*time.Second).UnixMilli(), why)
	}
	for h := 0; h <= pagesOfCrawl/pagesOfHost && err == nil; h++ {
		host := weburl.Host(address(firstPage + h*pagesOfHost))
		for _, purpose := range []string{"page", "robots"} {
			if err == nil {
				err = g.put(ctx, "contacts", "crawl_id, host, purpose, requests, failed, bytes, first_at, last_at",
					id, host, purpose, 200, 3, 2_000_000, start.UnixMilli(), start.Add(time.Hour).UnixMilli())
			}
		}
	}
	return err
}

// makeFetch makes the n-th fetch of a crawl: a tree of links from the start page.
func (g *generator) makeFetch(ctx context.Context, crawl, topic int64, n, number int, at int64, why string) error {
	id := crawl*10_000 + int64(n)
	var parent any
	depth := 0
	if n > 1 {
		p := max(1, n/7)
		parent, depth = crawl*10_000+int64(p), 1+n/500
	}
	if n%13 == 0 { // failed
		if err := g.put(ctx, "fetches", "id, crawl_id, n, url, final_url, host, outcome, reason, http_status, at, parent_id, depth, anchor, why",
			id, crawl, n, address(number), address(number), weburl.Host(address(number)), "status", "the server answered 404 Not Found", 404, at, parent, depth, "a link", why); err != nil {
			return err
		}
		return g.put(ctx, "frontier", "crawl_id, url, status, priority, seq", crawl, address(number), "done", "[]", 0)
	}
	links := make([]int, g.o.Links)
	for j := range links {
		links[j] = number - number%pagesOfHost + g.rand.IntN(pagesOfHost)
		if j%4 == 0 {
			links[j] = g.rand.IntN(g.o.Pages)
		}
	}
	d := g.words.newDocument(number, links)
	find := n%fetchesOfFind == 0
	useful, relevant, tags, findID := g.rand.Float64()*.3, 0, "kc", int64(0)
	if find {
		useful, relevant, tags, findID = .5+g.rand.Float64()*.5, 1, "kc kf", id
	}
	err := g.put(ctx, "contents", "hash, gzip", d.hash[:], d.gzip)
	if err == nil {
		err = g.put(ctx, "fetches", "id, crawl_id, n, url, final_url, host, outcome, http_status, bytes, at, parent_id, depth, anchor, title, cluster, states, similarity, relevant, useful, evidence, why, text_hash, simhash, content_hash",
			id, crawl, n, d.url, d.url, weburl.Host(d.url), "ok", 200, 9000, at, parent, depth, g.words.written[n%5000], d.title, n%5, "[0.11,0.23,0.31,0.35]", useful/2, relevant, useful,
			"[-1.25,-2.5,-3.125,-2.25]", why, id*7919, id*104_729, d.hash[:])
	}
	if err == nil && find {
		snippet := d.body
		if len(snippet) > 300 {
			snippet = snippet[:300]
		}
		err = g.put(ctx, "finds", "id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful",
			findID, topic, crawl, id, d.url, d.title, snippet, useful/2, at, useful)
		if mark := []string{"useful", "not-useful", ""}[n/fetchesOfFind%3]; err == nil && mark != "" {
			err = g.put(ctx, "feedback", "find_id, mark, at", findID, mark, at+30_000_000)
			if mark == "useful" {
				tags += " ku"
			}
		}
	}
	if err == nil {
		err = g.put(ctx, "frontier", "crawl_id, url, status, priority, seq", crawl, d.url, "done", "[]", 0)
	}
	for j := 0; j < queuedOfFetch && err == nil; j++ {
		err = g.put(ctx, "frontier", "crawl_id, url, status, priority, seq, parent_n, depth, anchor", crawl, d.url+fmt.Sprint("/more-", j), "queued",
			"[500000]", n*queuedOfFetch+j, n, depth+1, g.words.written[(n+j)%5000])
	}
	if err == nil {
		err = g.index(ctx, d, at, topic, tags, 0, id, findID)
	}
	return err
}

// index writes what the daemon's indexer writes for a page.
func (g *generator) index(ctx context.Context, d *document, at, topic int64, tags string, pageID, fetchID, findID int64) error {
	g.entries++
	id := g.entries
	host := weburl.Host(d.url)
	all := []string{time.UnixMilli(at).UTC().Format("m200601"), fmt.Sprintf("t%d", topic), tags}
	for rest := host; rest != ""; {
		all = append(all, "s"+hex.EncodeToString([]byte(rest)))
		_, rest, _ = strings.Cut(rest, ".")
	}
	err := g.put(ctx, "search_entries", "id, url, title, hash, at, topic_id, page_id, fetch_id, find_id", id, d.url, d.title, d.hash[:], at, topic, pageID, fetchID, findID)
	if err != nil {
		return err
	}
	return g.put(ctx, "search_words", "rowid, title, address, body, tags", id, d.titleWords, strings.ReplaceAll(host, ".", " "), d.titleWords+" "+d.bodyWords, strings.Join(all, " "))
}
