package fetch

import (
	"context"
	"math/rand/v2"
	"net/http"

	"nightjar/crawler/weburl"
)

// probeLetters is the length of the path that a probe asks for: nobody has a page of that name.
const probeLetters = 20

// acceptPage is what is asked for as a page.
const acceptPage = "text/html,application/xhtml+xml;q=0.9"

// probe asks the host of a page that was fetched, once, for a page that cannot exist. What it shows as if it were one
// goes to res.NotFound. Redirects are not followed: where they lead is a page.
func (l *Live) probe(ctx context.Context, res *Response) {
	if !l.options.Probe || res.Outcome != OK || !l.probed.add(weburl.Host(res.FinalURL)) {
		return
	}
	path := make([]byte, probeLetters)
	for i := range path {
		path[i] = byte('a' + rand.IntN(26))
	}
	url := origin(res.FinalURL) + "/" + string(path)
	p := Response{URL: url, FinalURL: url}
	if l.gate(url) == nil && l.allowed(ctx, &p) {
		_, err := l.ask(ctx, &p, question{purpose: ForProbe, accept: acceptPage}, func(answer *http.Response) error {
			p.take(answer.StatusCode, answer.Header, answer.Body, l.token)
			return nil
		})
		if err == nil && p.Outcome == OK {
			res.NotFound = p.Body
		}
	}
	res.Exchanges = append(res.Exchanges, p.Exchanges...)
}
