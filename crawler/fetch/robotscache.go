package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/robots"
	"nightjar/crawler/weburl"
)

// How long a verdict is cached (RFC 9309, 2.4: at most 24 hours).
const (
	robotsTTL            = 24 * time.Hour
	robotsErrorTTL       = time.Hour       // after a server error
	robotsUnreachableTTL = 5 * time.Minute // after a network error
	robotsCacheBytes     = 64 << 20
)

// verdict is the result of fetching the robots.txt of one origin.
type verdict struct {
	rules   *robots.Rules // nil if nothing may be fetched
	outcome Outcome       // why nothing may be fetched
	reason  string
	read    time.Time
	began   time.Duration // the same on the clock that cannot be set; see hostLimiter.now
	keep    time.Duration
	body    []byte // of the file, until it is stored
}

// robotsLookup is a cached verdict, or one that is being fetched until done is closed.
type robotsLookup struct {
	done chan struct{}
	v    *verdict // nil if the fetch was canceled
}

// robotsCache caches verdicts by origin and fetches each once.
type robotsCache struct {
	clock clock.Clock
	began time.Time // on the machine's clock
	mu    sync.Mutex
	of    map[string]*robotsLookup
	size  int
}

func newRobotsCache(c clock.Clock) *robotsCache {
	return &robotsCache{clock: c, began: time.Now(), of: map[string]*robotsLookup{}}
}

// get returns the verdict for an origin, and calls ask if none is fresh. It returns nil if ctx ends first.
func (c *robotsCache) get(ctx context.Context, origin string, ask func() *verdict) *verdict {
	for ctx.Err() == nil {
		c.mu.Lock()
		l := c.of[origin]
		if l != nil && l.v != nil && !c.holds(l.v) {
			c.drop(origin)
			l = nil
		}
		if l == nil {
			l = &robotsLookup{done: make(chan struct{})}
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

// fill calls ask and wakes those who wait for the verdict. It does not cache the verdict if ctx has ended.
func (c *robotsCache) fill(ctx context.Context, origin string, l *robotsLookup, ask func() *verdict) *verdict {
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

// drop removes a verdict; the lock is held.
func (c *robotsCache) drop(origin string) {
	c.size -= c.of[origin].v.size()
	delete(c.of, origin)
}

// holds reports whether a verdict is fresh, by the clock and by the time that has really passed: the first counts while the
// machine sleeps, the second when the clock was set back.
func (c *robotsCache) holds(v *verdict) bool {
	return c.clock.Now().Sub(v.read) < v.keep && clock.Since(c.clock, c.began)-v.began < v.keep
}

func (v *verdict) size() int {
	if v.rules == nil {
		return 0
	}
	return v.rules.Size
}

// robotsOf returns the verdict for an origin: the stored one if it holds, otherwise it asks and stores the answer. It adds its
// exchanges to those of cause.
func (l *Live) robotsOf(ctx context.Context, origin string, cause *Response) *verdict {
	began := clock.Since(l.clock, l.robots.began)
	if f, ok := l.options.Memory.Robots(ctx, origin); ok {
		age := l.clock.Now().Sub(f.Read)
		if age < 0 { // the clock was set back: how old the file is is not known, and it counts as new once
			age, f.Read = 0, l.clock.Now()
			l.storeRobots(ctx, f)
		}
		if age < f.Keep {
			return l.verdictOf(f, began-age)
		}
	}
	v := l.fetchRobots(ctx, origin, cause)
	v.began = began
	if v.keep > 0 && ctx.Err() == nil {
		f := RobotsFile{Origin: origin, Read: v.read, Keep: v.keep, Body: v.body, Outcome: v.outcome, Reason: v.reason}
		if v.rules != nil {
			f.Delay = v.rules.Delay
		}
		l.storeRobots(ctx, f)
	}
	v.body = nil
	return v
}

// verdictOf is the verdict of a stored robots.txt that was read at a time on the clock that cannot be set.
func (l *Live) verdictOf(f RobotsFile, began time.Duration) *verdict {
	v := &verdict{read: f.Read, began: began, keep: f.Keep, outcome: f.Outcome, reason: f.Reason}
	if f.Outcome == "" {
		v.rules = robots.Parse(f.Body, l.token)
	}
	return v
}

// storeRobots has the memory store a robots.txt. After an error it is requested again after a restart of the program.
func (l *Live) storeRobots(ctx context.Context, f RobotsFile) {
	_ = l.options.Memory.PutRobots(context.WithoutCancel(ctx), f)
}

// fetchRobots fetches and parses the robots.txt of an origin (RFC 9309, 2.3). It adds its exchanges to those of cause.
func (l *Live) fetchRobots(ctx context.Context, origin string, cause *Response) *verdict {
	v := &verdict{read: l.clock.Now(), keep: robotsTTL, rules: &robots.Rules{}}
	no := func(keep time.Duration, outcome Outcome, reason string) *verdict {
		v.rules, v.body, v.keep, v.outcome, v.reason = nil, nil, keep, outcome, reason
		return v
	}
	res := Response{URL: origin + "/robots.txt", FinalURL: origin + "/robots.txt"}
	defer func() { cause.Exchanges = append(cause.Exchanges, res.Exchanges...) }()
	for seen := map[string]bool{}; ; {
		if err := l.checkURL(res.FinalURL); err != nil {
			return no(robotsErrorTTL, Refused, "robots.txt redirects to an address that is not allowed: "+err.Error())
		}
		seen[res.FinalURL] = true
		var location string
		status, err := l.roundTrip(ctx, &res, requestSpec{purpose: ForRobots, accept: "text/plain,*/*;q=0.5"}, func(answer *http.Response) error {
			location = answer.Header.Get("Location")
			if answer.StatusCode/100 != 2 {
				return nil
			}
			body, cut, err := readBody(asWire(answer.Body), answer.Header.Values("Content-Encoding"), robots.MaxBytes)
			if err == nil {
				if cut { // drop the last line, which is incomplete
					body = body[:bytes.LastIndexAny(body, "\r\n")+1]
				}
				v.rules, v.body = robots.Parse(body, l.token), body
				l.limiter.delayNext(weburl.Host(origin), v.rules.Delay) // for the next request
			}
			return err
		})
		switch {
		case err != nil:
			res.failNetwork(err, "reading robots.txt")
			keep := l.robotsFailureTTL(ctx, &res, err, robotsUnreachableTTL)
			return no(keep, res.Outcome, res.Reason)
		case status/100 == 2:
			l.limiter.delayNext(weburl.Host(origin), v.rules.Delay) // counted from the end of the answer
			return v
		case IsRedirect(status) && location != "":
			if len(seen) > MaxRedirects {
				return v // 2.3.1.2: after five redirects it may be treated as missing
			}
			if !res.Redirect(location, seen) {
				return no(robotsErrorTTL, Robots, "robots.txt: "+res.Reason)
			}
			if strange(ctx, origin, res.FinalURL) {
				cause.RobotsAt = res.FinalURL
				return no(0, Later, "robots.txt is on the host "+weburl.Host(res.FinalURL))
			}
		case status/100 == 4 && status != http.StatusTooManyRequests, status/100 == 3:
			return v // 2.3.1.3: missing, so nothing is forbidden
		default:
			res.fail(Robots, "the server answered %d to the request for robots.txt", status)
			keep := l.robotsFailureTTL(ctx, &res, nil, robotsErrorTTL)
			return no(keep, res.Outcome, res.Reason)
		}
	}
}

// robotsTries is how many times in a row a host may fail before its robots.txt counts as forbidding everything.
const robotsTries = 3

// robotsFailureTTL is how long a failed fetch of robots.txt is cached: 0 if it should be retried later, so that a host
// that fails for a moment does not lose all its pages. err is the network error, if any; a host that does not exist is not
// retried.
func (l *Live) robotsFailureTTL(ctx context.Context, res *Response, err error, keep time.Duration) time.Duration {
	url := res.FinalURL
	host := l.limiter.peek(weburl.Host(url))
	dns, ok := errors.AsType[*net.DNSError](err)
	switch {
	case ok && dns.IsNotFound:
	case res.Outcome == Later, res.Outcome == Canceled:
		return 0
	case waitLimitOf(ctx).canRetry && l.delay(url) > 0 && res.Outcome != Refused && host.inRow() < robotsTries:
		res.Outcome = Later
		return 0
	}
	return keep
}

// allowed reports whether robots.txt allows res.FinalURL. If not, it sets the outcome.
func (l *Live) allowed(ctx context.Context, res *Response) bool {
	from := weburl.Origin(res.FinalURL)
	v := l.robots.get(ctx, from, func() *verdict { return l.robotsOf(ctx, from, res) })
	if v == nil {
		res.fail(Canceled, "the crawl was stopped")
		return false
	}
	return v.allows(res)
}

// allows reports whether res.FinalURL may be fetched. If not, it sets the outcome.
func (v *verdict) allows(res *Response) bool {
	if v.rules == nil {
		res.fail(v.outcome, "%s", v.reason)
		return false
	}
	if by := v.rules.Forbids(robots.PathOf(res.FinalURL)); by != nil {
		res.fail(Robots, "%s", by.Why(res.FinalURL))
		return false
	}
	return true
}

// known returns the cached rules of a URL's origin, else nil.
func (c *robotsCache) known(url string) *robots.Rules {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.of[weburl.Origin(url)]; l != nil && l.v != nil {
		return l.v.rules
	}
	return nil
}

// drain reads a little of an unwanted body, so that its connection can be reused.
func drain(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, 4<<10) // on an error, only the connection is lost
	body.Close()
}
