package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/weburl"
)

// How long what is known of a robots.txt holds (RFC 9309, 2.4: at most 24 hours).
const (
	robotsKept       = 24 * time.Hour
	robotsErrorKept  = time.Hour       // the server had an error
	robotsNoNetKept  = 5 * time.Minute // the server was not reached
	robotsCacheBytes = 64 << 20
)

// verdict is what is known of the robots.txt of one origin.
type verdict struct {
	rules   *rules  // nil: nothing may be fetched
	outcome Outcome // why not, and in words
	reason  string
	read    time.Time
	keep    time.Duration
}

// lookup is a verdict that is there, or on its way until done is closed.
type lookup struct {
	done chan struct{}
	v    *verdict // nil when the one who asked gave up
}

// robotsCache holds verdicts by origin and asks for each once.
type robotsCache struct {
	clock clock.Clock
	mu    sync.Mutex
	of    map[string]*lookup
	size  int
}

func newRobotsCache(c clock.Clock) *robotsCache {
	return &robotsCache{clock: c, of: map[string]*lookup{}}
}

// get returns the verdict for an origin, by ask when there is none that still holds. It is nil when ctx ends first.
func (c *robotsCache) get(ctx context.Context, origin string, ask func() *verdict) *verdict {
	for ctx.Err() == nil {
		c.mu.Lock()
		l := c.of[origin]
		if l != nil && l.v != nil && !c.holds(l.v) {
			c.drop(origin)
			l = nil
		}
		if l == nil {
			l = &lookup{done: make(chan struct{})}
			c.of[origin] = l
			c.mu.Unlock()
			return c.fill(ctx, origin, l, ask)
		}
		c.mu.Unlock()
		select {
		case <-l.done:
			if l.v != nil {
				return l.v
			}
		case <-ctx.Done():
		}
	}
	return nil
}

// fill asks for a verdict and wakes those who wait for it. One that was broken off is not kept.
func (c *robotsCache) fill(ctx context.Context, origin string, l *lookup, ask func() *verdict) *verdict {
	v := ask()
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(l.done)
	if ctx.Err() != nil || v.keep <= 0 {
		delete(c.of, origin)
		if ctx.Err() != nil {
			return nil
		}
		return v
	}
	l.v = v
	c.size += v.size()
	for other, o := range c.of {
		if c.size <= robotsCacheBytes && len(c.of) <= 10000 {
			break
		}
		if o.v != nil && o != l {
			c.drop(other)
		}
	}
	return v
}

// drop forgets a verdict; the lock is held.
func (c *robotsCache) drop(origin string) {
	c.size -= c.of[origin].v.size()
	delete(c.of, origin)
}

// holds reports whether a verdict is young enough; one from the future was read before the clock was set back.
func (c *robotsCache) holds(v *verdict) bool {
	age := c.clock.Now().Sub(v.read)
	return age >= -time.Minute && age < v.keep
}

func (v *verdict) size() int {
	if v.rules == nil {
		return 0
	}
	return v.rules.size
}

// askRobots fetches and reads the robots.txt of an origin (RFC 9309, 2.3). The exchanges are added to those of the fetch
// that needs it.
func (l *Live) askRobots(ctx context.Context, origin string, cause *Response) *verdict {
	v := &verdict{read: l.clock.Now(), keep: robotsKept, rules: &rules{}}
	no := func(keep time.Duration, outcome Outcome, reason string) *verdict {
		v.rules, v.keep, v.outcome, v.reason = nil, keep, outcome, reason
		return v
	}
	res := Response{URL: origin + "/robots.txt", FinalURL: origin + "/robots.txt"}
	defer func() { cause.Exchanges = append(cause.Exchanges, res.Exchanges...) }()
	for seen := map[string]bool{}; ; {
		if err := l.gate(res.FinalURL); err != nil {
			return no(robotsErrorKept, Refused, "robots.txt leads elsewhere: "+err.Error())
		}
		seen[res.FinalURL] = true
		var location string
		status, err := l.ask(ctx, &res, question{purpose: ForRobots, accept: "text/plain,*/*;q=0.5"}, func(answer *http.Response) error {
			location = answer.Header.Get("Location")
			if answer.StatusCode/100 != 2 {
				return nil
			}
			body, cut, err := readBody(onWire(answer.Body), answer.Header.Values("Content-Encoding"), maxRobots)
			if err == nil {
				if cut { // in the middle of a line, which would be another rule
					body = body[:bytes.LastIndexAny(body, "\r\n")+1]
				}
				v.rules = parseRobots(body, l.token)
				l.turns.hold(weburl.Host(origin), v.rules.delay) // the very next request must heed it
			}
			return err
		})
		switch {
		case err != nil:
			res.failNetwork(err, "reading robots.txt")
			keep := l.robotsKept(ctx, &res, err, robotsNoNetKept)
			return no(keep, res.Outcome, res.Reason)
		case status/100 == 2:
			l.turns.hold(weburl.Host(origin), v.rules.delay) // now that the answer has ended
			res.Exchanges[len(res.Exchanges)-1].Until = l.turns.until(weburl.Host(origin))
			return v
		case redirects(status) && location != "":
			if len(seen) > maxRedirects {
				return v // 2.3.1.2: after five redirects it may be taken for missing
			}
			if !res.redirect(location, seen) {
				return no(robotsErrorKept, Robots, "robots.txt: "+res.Reason)
			}
		case status/100 == 4 && status != http.StatusTooManyRequests, status/100 == 3:
			return v // 2.3.1.3: missing, so nothing is forbidden
		default:
			res.fail(Robots, "the server answered %d when asked for robots.txt", status)
			keep := l.robotsKept(ctx, &res, nil, robotsErrorKept)
			return no(keep, res.Outcome, res.Reason)
		}
	}
}

// robotsTries is how many times in a row a host may fail before its robots.txt counts as one that forbids everything.
const robotsTries = 3

// robotsKept settles for how long it holds that a robots.txt could not be read: not at all when the host is only to be
// asked again later. A host that is in trouble for a moment would lose all its pages otherwise. err is what went wrong
// on the way, if it did; a host that does not exist will not do so later.
func (l *Live) robotsKept(ctx context.Context, res *Response, err error, keep time.Duration) time.Duration {
	url := res.FinalURL
	dns, ok := errors.AsType[*net.DNSError](err)
	switch {
	case ok && dns.IsNotFound:
	case res.Outcome == Later:
		return 0
	case patienceOf(ctx).again && l.delay(url) > 0 && res.Outcome != Refused && l.turns.troubles(weburl.Host(url)) < robotsTries:
		res.Outcome = Later
		return 0
	}
	return keep
}

// origin is the part of a canonical URL before the path.
func origin(url string) string {
	i := strings.Index(url, "://") + 3
	if j := strings.IndexByte(url[i:], '/'); j >= 0 {
		return url[:i+j]
	}
	return url
}

// allowed asks the robots.txt of the URL that res has come to; false with the outcome set when it says no.
func (l *Live) allowed(ctx context.Context, res *Response) bool {
	from := origin(res.FinalURL)
	v := l.robots.get(ctx, from, func() *verdict { return l.askRobots(ctx, from, res) })
	switch {
	case v == nil:
		res.fail(Canceled, "the crawl was stopped")
		return false
	case v.rules == nil:
		res.fail(v.outcome, "%s", v.reason)
		return false
	}
	if !v.rules.allows(pathOf(res.FinalURL)) {
		res.fail(Robots, "robots.txt of %s forbids it", weburl.Host(res.FinalURL))
		return false
	}
	return true
}

// crawlDelay is what the robots.txt of a URL asks for, as far as it is known.
func (c *robotsCache) crawlDelay(url string) time.Duration {
	if r := c.known(url); r != nil {
		return r.delay
	}
	return 0
}

// known is what the robots.txt of a URL says, as far as it is known; else nil.
func (c *robotsCache) known(url string) *rules {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.of[origin(url)]; l != nil && l.v != nil {
		return l.v.rules
	}
	return nil
}

// drain reads a little of a body that is not wanted, so that its connection can be used again.
func drain(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, 4<<10) // only the connection is at stake
	body.Close()
}
