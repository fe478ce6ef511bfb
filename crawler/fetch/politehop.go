package fetch

import (
	"slices"
	"sync"

	"nightjar/crawler/weburl"
)

// maxHops bounds how many pages are remembered whose redirects were broken off.
const maxHops = 1000

// onward is how long the next request waits after a redirect. One to the same host can be put off: the page is ready
// when its host is. Where another host is silent, the page is given up instead, or its own host would have to wait.
func onward(res *Response) patience {
	p := persistent
	p.again = weburl.Host(res.FinalURL) == weburl.Host(res.URL)
	return p
}

// hops remembers how far the redirects of pages had been followed when their host was to be left alone.
type hops struct {
	mu sync.Mutex
	of map[string]hop
}

type hop struct {
	final     string
	redirects []string
}

// breakOff keeps how far res has come if it is to be fetched later, so that it goes on from there. seen are the addresses
// that were asked for, and perhaps the one that is to be.
func (l *Live) breakOff(res *Response, seen map[string]bool) {
	if res.Outcome != Later || len(seen) == 0 || len(seen) == 1 && seen[res.FinalURL] {
		return
	}
	h := &l.hops
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil {
		h.of = map[string]hop{}
	}
	for other := range h.of {
		if len(h.of) < maxHops {
			break
		}
		delete(h.of, other)
	}
	h.of[res.URL] = hop{res.FinalURL, slices.Clone(res.Redirects)}
}

// goOn brings res to where breakOff left it, and returns the addresses that have been asked for.
func (l *Live) goOn(res *Response) (seen map[string]bool) {
	seen = map[string]bool{}
	h := &l.hops
	h.mu.Lock()
	defer h.mu.Unlock()
	if left, ok := h.of[res.URL]; ok {
		delete(h.of, res.URL)
		seen[res.URL] = true
		for _, u := range left.redirects {
			seen[u] = true
		}
		res.FinalURL, res.Redirects = left.final, left.redirects
	}
	return seen
}
