package crawler

import (
	"fmt"
	"net/http"
	"slices"

	"nightjar/crawler/fetch"
)

// sound says whether an attempt shows that the network works.
type sound int

const (
	neither sound = iota // nothing was requested, or the result of an earlier attempt was returned again
	silence              // no answer
	answer
)

// soundOf says whether an attempt got an answer.
func soundOf(r *fetch.Response) sound {
	for _, x := range r.Exchanges {
		if x.Status != 0 {
			return answer
		}
	}
	switch {
	case r.Outcome == fetch.Network || r.Outcome == fetch.Timeout || len(r.Exchanges) > 0:
		return silence
	case r.Status != 0:
		return answer
	}
	return neither
}

// failed says in words how the host failed, "" when it did not.
func failed(r *fetch.Response) string {
	last := r.Status
	robots := r.Outcome == fetch.Robots || r.Outcome == fetch.Later
	if robots {
		last = 0
		if n := len(r.Exchanges); n > 0 && r.Exchanges[n-1].Purpose == fetch.ForRobots {
			last = r.Exchanges[n-1].Status
		}
	}
	switch {
	case r.Outcome == fetch.Network || r.Outcome == fetch.Timeout:
		return r.Reason
	case last == http.StatusTooManyRequests || last >= 500:
		return fmt.Sprintf("it answered %d", last)
	case robots && len(r.Exchanges) > 0 && soundOf(r) == silence:
		return r.Reason
	}
	return ""
}

// passes reports whether the failure may pass soon enough to retry the link.
func passes(r *fetch.Response) bool {
	s := r.Status
	return r.Outcome != fetch.Status || s == http.StatusTooManyRequests || s == http.StatusServiceUnavailable
}

// pageAsked reports whether the page itself was requested, not only robots.txt and the like.
func pageAsked(r *fetch.Response) bool {
	return slices.ContainsFunc(r.Exchanges, func(x fetch.Exchange) bool {
		return x.Purpose == fetch.ForPage || x.Purpose == fetch.ForRedirect
	})
}

// gone reports whether a host said that a page does not exist. Good sites have many dead links, so this is no sign of a
// trap. store.ResumeCrawl makes the same distinction.
func gone(r *fetch.Response) bool {
	return r.Outcome == fetch.Status && (r.Status == http.StatusNotFound || r.Status == http.StatusGone)
}
