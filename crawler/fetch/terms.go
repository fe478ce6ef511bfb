package fetch

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"nightjar/crawler/weburl"
)

// Terms are the terms on which another program lent a host for one fetch.
type Terms struct {
	// OwnHost keeps every request of the fetch on the host of its URL: a redirect to another host is not followed, but returned
	// as Response.Moved.
	OwnHost bool
	// Probe allows what LiveOptions.Probe switches on.
	Probe bool
	// Known makes the request for the URL itself conditional. Its body may be empty: after an answer 304, the other program
	// has it.
	Known Known
}

type termsKey struct{}

// OnTerms returns a context with which Live.Fetch keeps to terms.
func OnTerms(ctx context.Context, t Terms) context.Context {
	return context.WithValue(ctx, termsKey{}, &t)
}

// termsOf returns the terms of OnTerms, nil for none.
func termsOf(ctx context.Context) *Terms {
	t, _ := ctx.Value(termsKey{}).(*Terms)
	return t
}

// strange reports whether the terms forbid requests to the host of a URL, in a fetch for page.
func strange(ctx context.Context, page, url string) bool {
	t := termsOf(ctx)
	return t != nil && t.OwnHost && weburl.Host(url) != weburl.Host(page)
}

// known returns the stored copy of a page.
func (l *Live) known(ctx context.Context, res *Response) (k Known) {
	if t := termsOf(ctx); t != nil {
		if res.FinalURL == res.URL {
			k = t.Known
		}
		return k
	}
	return l.Copy(ctx, res.FinalURL)
}

// stays reports whether the redirect from a URL to res.FinalURL may be followed on the terms of ctx. If not, it returns to the URL
// and sets Moved.
func (res *Response) stays(ctx context.Context, from string) bool {
	if !strange(ctx, res.URL, res.FinalURL) {
		return true
	}
	res.Moved, res.FinalURL = res.FinalURL, from
	if n := len(res.Redirects); n > 0 && res.Redirects[n-1] == from {
		res.Redirects = res.Redirects[:n-1]
	}
	res.fail(Redirects, "redirected to the host %s", weburl.Host(res.Moved))
	return false
}

// lentWait shortens the time that a request for a page may wait after a redirect to half of what is left of a lent host.
func lentWait(ctx context.Context, p waitLimit) waitLimit {
	end, ok := ctx.Deadline()
	if t := termsOf(ctx); t != nil && t.OwnHost && ok {
		p.max = min(p.max, max(time.Until(end)/2, 0))
	}
	return p
}

// NextHop checks the redirect of a response with Moved as Fetch does before it follows one. It returns the URL to request next,
// "" with the outcome set when there were too many redirects, a loop, or one from https to http.
func (res *Response) NextHop() string {
	next, seen := *res, map[string]bool{res.URL: true, res.FinalURL: true}
	for _, u := range res.Redirects {
		seen[u] = true
	}
	if !next.Redirect(res.Moved, seen) {
		res.fail(next.Outcome, "%s", next.Reason)
		return ""
	}
	return next.FinalURL
}

// Continue returns the response to the whole chain of a page: res is that up to a redirect to another host, next that to the
// redirect's target.
func (res Response) Continue(next Response) Response {
	before := slices.Clone(res.Redirects)
	if res.FinalURL != res.URL {
		before = append(before, res.FinalURL)
	}
	if next.FinalURL != next.URL {
		before = append(before, next.URL)
	}
	exchanges := slices.Concat(res.Exchanges, next.Exchanges)
	for i := range exchanges[len(res.Exchanges):] {
		if x := &exchanges[len(res.Exchanges)+i]; x.Purpose == ForPage {
			x.Purpose = ForRedirect
		}
	}
	next.URL, next.Redirects, next.Exchanges = res.URL, append(before, next.Redirects...), exchanges
	if next.Status == 0 {
		next.Status = res.Status
	}
	next.Bytes += res.Bytes
	next.Took += res.Took
	if next.Moved == "" && len(next.Redirects) >= MaxRedirects {
		next.fail(Redirects, "more than %d redirects", MaxRedirects)
	}
	return next
}

// Prime tells what another program knows of a host that it lent: the pause between two requests, and the failures in a row.
func (l *Live) Prime(host string, delay time.Duration, busy, failed int) {
	l.limiter.change(strings.ToLower(host), func(h *hostState) { h.least, h.busyInRow, h.failsInRow = delay, busy, failed })
}

// ReadRobots reads the robots.txt of a URL's origin if it is not known, and returns the exchanges.
func (l *Live) ReadRobots(ctx context.Context, url string) []Exchange {
	res := Response{URL: url, FinalURL: url}
	if err := l.checkURL(url); err == nil {
		from := weburl.Origin(url)
		l.robots.get(ctx, from, func() *verdict { return l.robotsOf(ctx, from, &res) })
	}
	return res.Exchanges
}

// AreValidators reports whether an ETag and a Last-Modified date may be sent to a server, either of them "" for none.
func AreValidators(etag, date string) bool {
	_, err := http.ParseTime(date)
	return (etag == "" || isETag(etag)) && (date == "" || err == nil)
}

// Copy returns the stored copy of a page, the zero value if there is none; see LiveOptions.Known.
func (l *Live) Copy(ctx context.Context, url string) (k Known) {
	if l.options.Known != nil {
		k, _ = l.options.Known(ctx, url)
	}
	return k
}
