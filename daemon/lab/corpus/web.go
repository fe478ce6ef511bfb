package corpus

import (
	"cmp"
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/recording"
)

// Web is the web graph of the part of a recording that a crawl can reach. Redirects are followed, so a link to an alias is a
// link to its page. Links that the recording lacks are left out.
type Web struct {
	urls  []string // final URLs in breadth-first order; urls[root] is ""
	links [][]int  // page -> distinct pages that it links to; root -> start pages
}

// root is the state before the first fetch.
const root = 0

// ReadWeb reads the start pages and all pages that a crawl without budget reaches from them. It parses pages of equal
// distance in parallel; the result does not depend on that.
func ReadWeb(ctx context.Context, replay *recording.Replay, starts []string) (*Web, error) {
	b := &webBuilder{
		replay: replay, web: &Web{urls: []string{""}, links: [][]int{nil}},
		number: make(map[string]int), asked: make(map[string]*asked),
	}
	var addresses []string
	for _, s := range starts {
		if !weburl.Secret(s) {
			addresses = append(addresses, canonical(s))
		}
	}
	for ring := []linked{{root, addresses}}; len(ring) > 0; {
		if err := b.ask(ctx, ring); err != nil {
			return nil, err
		}
		ring = b.join(ring)
	}
	return b.web, nil
}

// Pages are the final URLs of the pages, nearest to the start pages first.
func (w *Web) Pages() []string { return w.urls[root+1:] }

// Count is the number of relevant pages.
func (w *Web) Count(relevant func(url string) bool) int {
	n := 0
	for _, url := range w.Pages() {
		if relevant(url) {
			n++
		}
	}
	return n
}

// From is the part of the web that can be reached from other start pages, given as final URLs; unknown ones are ignored. It
// equals what ReadWeb reads from them.
func (w *Web) From(starts []string) *Web {
	number := make(map[string]int, len(w.urls))
	for i, url := range w.urls {
		number[url] = i
	}
	part := &Web{urls: []string{""}, links: [][]int{nil}}
	renumbered := make(map[int]int)
	visit := func(page int) int {
		to, known := renumbered[page]
		if !known {
			to = len(part.urls)
			renumbered[page] = to
			part.urls, part.links = append(part.urls, w.urls[page]), append(part.links, nil)
		}
		return to
	}
	seen := make(map[string]bool)
	for _, url := range starts {
		if page, ok := number[url]; ok && url != "" && !seen[url] {
			seen[url] = true
			part.links[root] = append(part.links[root], visit(page))
		}
	}
	for i := root + 1; i < len(part.urls); i++ { // pages are numbered in breadth-first order
		for _, to := range w.links[number[part.urls[i]]] {
			next := visit(to)
			part.links[i] = append(part.links[i], next)
		}
	}
	return part
}

// webBuilder builds a Web, one ring of a breadth-first search after the other.
type webBuilder struct {
	replay *recording.Replay
	web    *Web
	number map[string]int    // final URL -> index in web
	asked  map[string]*asked // address -> result
}

// asked is what the recording answered for an address.
type asked struct {
	final string // "" when the recording lacks the page
	links []string
}

// linked is a page of the web with the addresses it links to.
type linked struct {
	page      int
	addresses []string
}

// ask fetches the new addresses that the pages of a ring link to, on all processors.
func (b *webBuilder) ask(ctx context.Context, ring []linked) error {
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for _, l := range ring {
		for _, address := range l.addresses {
			if b.asked[address] == nil && ctx.Err() == nil {
				answer := new(asked)
				b.asked[address] = answer
				workers.Go(func() error {
					b.one(ctx, address, answer)
					return ctx.Err()
				})
			}
		}
	}
	return cmp.Or(workers.Wait(), ctx.Err())
}

// one fetches an address. It does not parse pages that were reached before.
func (b *webBuilder) one(ctx context.Context, address string, a *asked) {
	r := b.replay.Fetch(ctx, address)
	if r.Outcome != fetch.OK {
		return
	}
	a.final = r.FinalURL
	if _, known := b.number[r.FinalURL]; !known {
		a.links = crawler.Follows(r)
	}
}

// join numbers the new pages, adds the ring's links, and returns the new pages.
func (b *webBuilder) join(ring []linked) []linked {
	var fresh []linked
	for _, l := range ring {
		seen := make(map[int]bool, len(l.addresses))
		for _, address := range l.addresses {
			a := b.asked[address]
			if a.final == "" {
				continue
			}
			to, known := b.number[a.final]
			if !known {
				to = len(b.web.urls)
				b.number[a.final] = to
				b.web.urls = append(b.web.urls, a.final)
				b.web.links = append(b.web.links, nil)
				fresh = append(fresh, linked{to, a.links})
			}
			a.links = nil
			if to != l.page && !seen[to] {
				seen[to] = true
				b.web.links[l.page] = append(b.web.links[l.page], to)
			}
		}
	}
	return fresh
}
