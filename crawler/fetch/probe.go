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

// probe requests, once a host, a page that cannot exist, after a page of the host was fetched. A page that comes back with
// status 200 goes to res.NotFound. Redirects are not followed: they may lead to a real page.
func (l *Live) probe(ctx context.Context, res *Response) {
	if !l.options.Probe || res.Outcome != OK || !l.probedHosts.add(weburl.Host(res.FinalURL)) {
		return
	}
	path := make([]byte, probeLetters)
	for i := range path {
		path[i] = byte('a' + rand.IntN(26))
	}
	url := origin(res.FinalURL) + "/" + string(path)
	p := Response{URL: url, FinalURL: url}
	if l.checkURL(url) == nil && l.allowed(ctx, &p) {
		_, err := l.roundTrip(ctx, &p, requestSpec{purpose: ForProbe, accept: acceptPage}, func(answer *http.Response) error {
			p.readAnswer(answer.StatusCode, answer.Header, answer.Body, l.token)
			return nil
		})
		if err == nil && p.Outcome == OK {
			res.NotFound = p.Body
		}
	}
	res.Exchanges = append(res.Exchanges, p.Exchanges...)
}
