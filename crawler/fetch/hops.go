package fetch

import (
	"slices"

	"nightjar/crawler/weburl"
)

// hopWaitLimit is how long the next request may wait after a redirect or refresh. On the same host, the page can be
// fetched later, when the host is ready. When another host must rest, the attempt fails: ReadyAt knows only the page's
// own host.
func hopWaitLimit(res *Response) waitLimit {
	p := longWait
	p.canRetry = weburl.Host(res.FinalURL) == weburl.Host(res.URL)
	return p
}

// hop is how far the redirects of a page were followed before their host had to rest.
type hop struct {
	final     string
	redirects []string
}

// saveHops remembers the redirects of res if it is to be fetched later, so that the next attempt continues from there.
// seen are the URLs requested so far, and perhaps the next one.
func (l *Live) saveHops(res *Response, seen map[string]bool) {
	if res.Outcome != Later || len(seen) == 0 || len(seen) == 1 && seen[res.FinalURL] {
		return
	}
	l.hops.Add(res.URL, hop{res.FinalURL, slices.Clone(res.Redirects)})
}

// resumeHops restores what saveHops remembered, and returns the URLs that were requested.
func (l *Live) resumeHops(res *Response) (seen map[string]bool) {
	seen = map[string]bool{}
	if left, ok := l.hops.Get(res.URL); ok {
		l.hops.Remove(res.URL)
		seen[res.URL] = true
		for _, u := range left.redirects {
			seen[u] = true
		}
		res.FinalURL, res.Redirects = left.final, left.redirects
	}
	return seen
}
