package fetch

import (
	"context"
	"math/rand/v2"
	"net/http"

	"nightjar/crawler/weburl"
)

// probeLetters is the length of a probe's random path, which no site has.
const probeLetters = 20

// acceptPage is the Accept header of a request for a page.
const acceptPage = "text/html,application/xhtml+xml;q=0.9"

// probe requests, once a host and at most once in probeTTL, a page that cannot exist, after a page of the host was fetched. A
// page that comes back with status 200 goes to res.NotFound. Redirects are not followed: they may lead to a real page.
func (l *Live) probe(ctx context.Context, res *Response) {
	host := weburl.Host(res.FinalURL)
	if t := termsOf(ctx); !l.options.Probe || t != nil && !t.Probe || res.Outcome != OK {
		return
	}
	if known, _ := l.probedHosts.ContainsOrAdd(host, struct{}{}); known {
		return
	}
	if missing, at, ok := l.options.Memory.Probe(ctx, host); ok && recent(at, l.clock.Now(), probeTTL) {
		res.NotFound = missing
		return
	}
	path := make([]byte, probeLetters)
	for i := range path {
		path[i] = byte('a' + rand.IntN(26))
	}
	url := weburl.Origin(res.FinalURL) + "/" + string(path)
	p := Response{URL: url, FinalURL: url}
	if l.checkURL(url) == nil && l.allowed(ctx, &p) {
		_, err := l.roundTrip(ctx, &p, requestSpec{purpose: ForProbe, accept: acceptPage}, func(answer *http.Response) error {
			p.readAnswer(answer.StatusCode, answer.Header, answer.Body, l.token)
			return nil
		})
		if err == nil && p.Outcome == OK {
			res.NotFound = p.Body
		}
		if p.Status != 0 { // after an error the next fetcher asks again
			_ = l.options.Memory.PutProbe(context.WithoutCancel(ctx), host, res.NotFound, l.clock.Now())
		}
	}
	res.Exchanges = append(res.Exchanges, p.Exchanges...)
}
