package crawler

import (
	"fmt"
	"net/http"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

const (
	maxStrikes = 3                // failures in a row after which a host rests until the crawl ends
	maxRetries = 1                // times a link is put back because its host failed
	holdFirst  = 30 * time.Second // what a host that did not answer is left alone; it doubles with each failure
	holdShort  = time.Second      // when the fetcher does not say until when
	holdUnread = 6 * time.Minute  // the same when its robots.txt was not read: longer than the fetcher remembers that
	holdMost   = 15 * time.Minute
)

// sound says whether an attempt shows that the network works.
type sound int

const (
	neither sound = iota // nothing was asked, or what a former attempt brought was told again
	silence              // nobody answered
	answer
)

// soundOf says whether anybody answered an attempt.
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

// failed says in words how an attempt shows that its host is in trouble, "" when it does not.
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

// passes reports whether the trouble may pass soon enough to try the link again.
func passes(r *fetch.Response) bool {
	s := r.Status
	return r.Outcome != fetch.Status || s == http.StatusTooManyRequests || s == http.StatusServiceUnavailable
}

// judgeHost takes in an attempt that says something of its host: a link that brought no answer is put back once, and a
// host that failed three times in a row rests.
func (c *Crawl) judgeHost(r fetched) {
	host, why := weburl.Host(r.response.FinalURL), failed(&r.response) // a redirect may have led to another host
	if host != r.entry.Host {
		c.forgive(r)
	}
	later := r.response.Outcome == fetch.Later // the page itself was not asked for
	switch {
	case why == "" && later:
		c.forgive(r)
		c.later(r)
		return
	case why == "":
		c.forgive(r)
		c.record(r)
		return
	}
	c.strike(host, why)
	switch again := r.entry; {
	case later && host == r.entry.Host:
		c.hold(r)
		c.putBack(r, again)
	case c.failing[host].Rests != "" && c.failing[host].Strikes == maxStrikes, !passes(&r.response), again.Retries >= maxRetries:
		c.record(r)
	default:
		again.Retries++
		c.totals.Bytes += r.response.Bytes
		c.hold(r)
		c.putBack(r, again)
	}
}

// strike counts a failure of a host, and lets it rest after the third in a row.
func (c *Crawl) strike(host, why string) {
	f := c.failing[host]
	f.Strikes++
	if f.Strikes == maxStrikes {
		f.Rests = fmt.Sprintf("failed %d times in a row; the last time: %s", maxStrikes, why)
		c.rest(host)
	}
	c.failing[host] = f
	c.batch.fails(host, f)
}

// rest leaves a host alone until the crawl ends. Its links stay where they are, for whoever looks.
func (c *Crawl) rest(host string) {
	c.left += c.frontier.Close(host)
	c.resting++
}

// forgive forgets the failures of a host that answers.
func (c *Crawl) forgive(r fetched) {
	host := r.entry.Host
	if soundOf(&r.response) != answer || c.failing[host].Rests != "" {
		return
	}
	delete(c.held, host)
	if _, ok := c.failing[host]; ok {
		delete(c.failing, host)
		c.batch.fails(host, HostFailures{})
	}
}

// hold leaves a host alone for a while after it failed.
func (c *Crawl) hold(r fetched) {
	host := weburl.Host(r.response.FinalURL)
	wait := holdUnread
	if pageAsked(&r.response) || r.response.Outcome == fetch.Later {
		wait = min(holdFirst<<min(c.failing[host].Strikes, 10), holdMost)
	}
	c.held[host] = c.looked.Add(wait)
}

// later puts back a link whose host is to be left alone for longer than a fetch waits.
func (c *Crawl) later(r fetched) {
	if !c.f.ReadyAt(r.entry.URL).After(c.looked) {
		c.held[r.entry.Host] = c.looked.Add(holdShort)
	}
	c.putBack(r, r.entry)
}

// early is how long before a host's time a fetch from it is begun: that it begins is kept first, which takes as long, and
// the fetcher waits for the rest.
const early = 100 * time.Millisecond

// readyAt is when a fetch from the URL's host may begin, by the fetcher and by what it failed.
func (c *Crawl) readyAt(url string) time.Time {
	at := c.f.ReadyAt(url)
	if c.o.Live && !at.IsZero() {
		at = at.Add(-early)
	}
	if len(c.held) > 0 {
		if until := c.held[weburl.Host(url)]; until.After(at) {
			return until
		}
	}
	return at
}
