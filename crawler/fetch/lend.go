package fetch

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/robots"
	"nightjar/crawler/weburl"
)

// busyAgain is when to try again to lend a host that a request is running to.
const busyAgain = 100 * time.Millisecond

// Loan is the right of another program to fetch one page from a host. Until its end, this fetcher sends no request to the host, nor
// to its address as far as that is known.
type Loan struct {
	URL   string // canonical
	Host  string
	Delay time.Duration // pause between two requests to the host
	Known Known         // stored copy of the page, the zero value for none

	// What this fetcher knows of the host. Its robots.txt allows the page, or is not known.
	Busy, Failed int
	Probed       bool // a page that cannot exist needs no request

	live *Live
	slot *slot
	once sync.Once
}

// Unlent says why a host was not lent.
type Unlent struct {
	Answer *Response // the page must not be requested at all; nil if it may later
	At     time.Time // when to try again, if Answer is nil
}

// Lend lends the host of a URL to another program, if a request could be sent to it now. It does not wait, and returns either a
// loan or the reason for refusing one. It checks the URL as Fetch does, as far as that needs no request. Before the other program hears of the
// loan, the caller stores that requests may go to the host; see Memory.Open.
func (l *Live) Lend(ctx context.Context, raw string) (*Loan, *Unlent) {
	res := Response{URL: raw, FinalURL: raw}
	if u, err := weburl.Canonical(raw); err != nil {
		res.fail(Refused, "%v", err)
		return nil, &Unlent{Answer: &res}
	} else if u = weburl.Document(u); u != raw {
		res.URL, res.FinalURL = u, u
	}
	if err := l.checkURL(res.URL); err != nil {
		res.fail(Refused, "%v", err)
		return nil, &Unlent{Answer: &res}
	}
	if asking := l.knownRobots(ctx, res.URL); asking {
		return nil, &Unlent{At: l.clock.Now().Add(busyAgain)}
	}
	if v := l.robots.verdict(weburl.Origin(res.URL)); v != nil && !v.allows(&res) {
		return nil, &Unlent{Answer: &res}
	}
	host := weburl.Host(res.URL)
	_, ruled := l.guard.resolve(host)
	slot, wait := l.limiter.try(host, !ruled)
	if slot == nil {
		return nil, &Unlent{At: l.clock.Now().Add(wait)}
	}
	loan := &Loan{URL: res.URL, Host: host, Delay: l.delay(res.URL), live: l, slot: slot}
	l.describe(ctx, loan)
	return loan, nil
}

// describe adds what is known of the page and its host.
func (l *Live) describe(ctx context.Context, loan *Loan) {
	loan.Known = l.Copy(ctx, loan.URL)
	h := l.limiter.peek(loan.Host)
	loan.Busy, loan.Failed = h.busyInRow, h.failsInRow
	loan.Probed = !l.options.Probe || l.probedHosts.Contains(loan.Host)
	if !loan.Probed {
		_, at, ok := l.options.Memory.Probe(ctx, loan.Host)
		loan.Probed = ok && recent(at, l.clock.Now(), probeTTL)
	}
}

// Robots returns the stored robots.txt of the page's origin, and whether it is still valid.
func (n *Loan) Robots(ctx context.Context) (f RobotsFile, ok bool) {
	return n.live.storedRobots(ctx, weburl.Origin(n.URL))
}

// storedRobots returns the stored robots.txt of an origin, and whether it is still valid.
func (l *Live) storedRobots(ctx context.Context, origin string) (f RobotsFile, ok bool) {
	f, ok = l.options.Memory.Robots(ctx, origin)
	age := l.clock.Now().Sub(f.Read)
	return f, ok && age >= 0 && age < f.Keep
}

// knownRobots loads the stored robots.txt of a URL's origin, if it is still valid. It reports whether the file is being read at
// present.
func (l *Live) knownRobots(ctx context.Context, url string) (asking bool) {
	from := weburl.Origin(url)
	if known, asking := l.robots.peek(from); known || asking {
		return asking
	}
	if f, ok := l.storedRobots(ctx, from); ok {
		l.takeRobots(ctx, f)
	}
	return false
}

// takeRobots makes a robots.txt known that another program read, or an earlier fetcher.
func (l *Live) takeRobots(ctx context.Context, f RobotsFile) {
	l.robots.replace(ctx, f.Origin, l.verdictOf(f, clock.Since(l.clock, l.robots.began)-max(l.clock.Now().Sub(f.Read), 0)))
}

// Facts is what another program learned of a host while it fetched a page.
type Facts struct {
	Exchanges []Exchange // all its requests; those to other hosts do not count
	GaveUp    bool       // the last one was ended by the program itself, through no fault of the host
	Robots    []RobotsFile
	Probed    bool
	Missing   []byte
	Rest      time.Duration // how long the host must be left alone from now on
	Why       Rest
}

// Return ends a loan whose page was fetched. The facts count as if this fetcher had learned them.
func (n *Loan) Return(ctx context.Context, f Facts) {
	n.once.Do(func() { n.live.learn(ctx, n.Host, n.URL, &f, n.slot) })
}

// Lost ends a loan that was never returned. The host then rests for its usual delay: it may have been asked until now.
func (n *Loan) Lost(ctx context.Context) {
	n.once.Do(func() {
		n.live.limiter.delayNext(n.Host, n.Delay)
		n.live.keep(ctx, n.Host)
		n.slot.release(n.Delay)
	})
}

// Back ends a loan that was never used.
func (n *Loan) Back() { n.once.Do(func() { n.slot.release(0) }) }

// Learn takes what another program learned of a host that an earlier fetcher lent.
func (l *Live) Learn(ctx context.Context, url string, f Facts) {
	l.learn(ctx, weburl.Host(url), url, &f, nil)
}

// Hold leaves a host alone for d, and its usual delay after that: an earlier fetcher lent it.
func (l *Live) Hold(ctx context.Context, url string, d time.Duration) {
	l.limiter.delayNext(weburl.Host(url), d+l.delay(url))
	l.keep(ctx, weburl.Host(url))
}

// learn applies facts by the rules of endRequest, and releases the slot, if there is one.
func (l *Live) learn(ctx context.Context, host, url string, f *Facts, v *slot) {
	ctx = context.WithoutCancel(ctx)
	l.learnFiles(ctx, host, f)
	delay := l.delay(url)
	pause := delay
	for i, x := range f.Exchanges {
		if weburl.Host(x.URL) != host {
			continue
		}
		pause = pauseAfter(delay, x.Took)
		switch status := x.Status; {
		case f.GaveUp && i == len(f.Exchanges)-1:
		case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
			l.limiter.silence(host, restAsked(f))
		case status >= 500, status == 0, x.Cut == Network || x.Cut == Timeout:
			l.limiter.failed(host, failFactor*delay)
		default:
			l.limiter.answered(host)
		}
		l.limiter.told(host, x.Addr)
		if x.Status != 0 && len(x.URL) > 8 && x.URL[:8] == "https://" && weburl.Origin(x.URL) == "https://"+host {
			l.httpsHosts.Add(host, struct{}{})
		}
	}
	if f.Rest > delay {
		l.limiter.rest(host, min(f.Rest, maxSilence), f.Why)
	}
	l.limiter.delayNext(host, pause)
	l.keep(ctx, host)
	if v != nil {
		v.release(pause)
	}
}

// restAsked is for how long the host asked to be left alone, 0 if it did not say.
func restAsked(f *Facts) time.Duration {
	if f.Why == RestAsked {
		return min(f.Rest, maxSilence)
	}
	return 0
}

// learnFiles takes what the files of a host say.
func (l *Live) learnFiles(ctx context.Context, host string, f *Facts) {
	for _, r := range f.Robots {
		if weburl.Host(r.Origin) != host || len(r.Body) > robots.MaxBytes || r.Keep <= 0 {
			continue
		}
		r.Keep = min(r.Keep, robotsTTL)
		l.storeRobots(ctx, r)
		l.takeRobots(ctx, r)
		if known := l.robots.known(r.Origin); known != nil {
			l.limiter.delayNext(host, known.Delay)
		}
	}
	if !f.Probed {
		return
	}
	if known, _ := l.probedHosts.ContainsOrAdd(host, struct{}{}); !known {
		_ = l.options.Memory.PutProbe(ctx, host, f.Missing, l.clock.Now()) // after an error the host is asked again
	}
}

// try takes the slot of a host and, if it is known, of its address, when a request could start now. Otherwise it returns after what
// time to try again.
func (t *hostLimiter) try(host string, byAddr bool) (v *slot, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h, now := t.of(host), t.now()
	if h.next > now {
		return nil, h.next - now
	}
	select {
	case <-h.token:
	default:
		return nil, busyAgain
	}
	v = &slot{limiter: t, name: host, host: h, began: now}
	if addr, ok := h.lentAddr(); ok && byAddr {
		s := t.addrOf(addr)
		s.users++
		select {
		case <-s.token:
			v.held, v.addr = s, addr
		default:
			t.releaseAddr(addr, s)
			wait := max(t.addrWait(h, now), minAddrWait)
			h.token <- struct{}{}
			return nil, min(wait, busyAgain)
		}
	}
	h.users++
	h.asked = now
	return v, 0
}

// lentAddr is the address that a loan of the host holds: one that this fetcher looked up, or else one that another program told.
func (h *hostState) lentAddr() (netip.Addr, bool) {
	if len(h.addrs) > 0 {
		return h.addrs[0], true
	}
	return h.told, h.told.IsValid()
}

// told notes the address of a host as another program saw it. It says which hosts must not be asked at once, and never where a
// connection goes.
func (t *hostLimiter) told(host, addr string) {
	ip, err := netip.ParseAddr(addr)
	if err != nil {
		return
	}
	t.change(host, func(h *hostState) { h.told = plain(ip) })
}

// rest lets a host rest for d from now, for a reason that another program gives.
func (t *hostLimiter) rest(host string, d time.Duration, why Rest) {
	t.change(host, func(h *hostState) {
		h.next = max(h.next, t.now()+d)
		if why != RestNone {
			h.why = why
		}
	})
}

// peek reports whether a verdict that holds is cached for an origin, or is being asked for.
func (c *robotsCache) peek(origin string) (known, asking bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.of[origin]
	if l == nil || l.v != nil && !c.holds(l.v) {
		return false, false
	}
	return l.v != nil, l.v == nil
}

// verdict returns the cached verdict of an origin that holds, nil for none.
func (c *robotsCache) verdict(origin string) *verdict {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.of[origin]; l != nil && l.v != nil && c.holds(l.v) {
		return l.v
	}
	return nil
}

// replace caches a verdict in place of another one, unless the file is being read at present.
func (c *robotsCache) replace(ctx context.Context, origin string, v *verdict) {
	c.mu.Lock()
	switch l := c.of[origin]; {
	case l != nil && l.v == nil:
		c.mu.Unlock()
		return
	case l != nil:
		c.drop(origin)
	}
	l := &robotsLookup{done: make(chan struct{})}
	c.of[origin] = l
	c.mu.Unlock()
	c.fill(ctx, origin, l, func() *verdict { return v })
}
