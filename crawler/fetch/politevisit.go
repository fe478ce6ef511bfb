package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"nightjar/crawler/weburl"
)

// minDelay is the shortest delay between two requests to a host that the person did not open.
const minDelay = time.Second

// A host is left alone for restFactor times as long as its last answer took, so that we take at most a tenth of the time
// of one that is slow: the factor of Mercator (Heydon and Najork 1999). maxRest bounds it, as in Heritrix: an answer that
// is slow for a reason of its own, like its size, does not hold a host up for long.
const (
	restFactor = 10
	maxRest    = 30 * time.Second
	// failFactor times its delay is how long a host is left alone that did not answer; it doubles each time in a row.
	failFactor = 8
)

// delay is the pause after a request to the URL's host that does not depend on how the host does: the larger of what the
// person set and what robots.txt asks for. It is 0 only for hosts that the person opened.
func (l *Live) delay(url string) time.Duration {
	host := weburl.Host(url)
	delay := max(l.options.Delay, l.robots.crawlDelay(url), 0)
	if _, near := l.near.Load(host); delay < minDelay && !near && !l.guard.opened(host) {
		delay = minDelay
	}
	return delay
}

// rest is the pause after a request that took so long.
func rest(delay, took time.Duration) time.Duration {
	if delay <= 0 { // the person's own host, and no pause wanted
		return 0
	}
	return max(delay, min(restFactor*took, maxRest))
}

// enter waits for a turn to send the exchange's request. A host whose name leads nowhere is noted in res as one that
// was asked in vain.
func (l *Live) enter(ctx context.Context, res *Response, x *Exchange) (*visit, error) {
	host := weburl.Host(x.URL)
	v, err := l.turns.acquire(ctx, host)
	if _, ok := errors.AsType[*net.DNSError](err); ok && ctx.Err() == nil {
		l.turns.failed(host, failFactor*l.delay(x.URL))
		x.At, x.Until = l.clock.Now(), l.turns.until(host)
		_, x.Reason = reason(err, "asking "+host)
		res.Exchanges = append(res.Exchanges, *x)
	}
	return v, err
}

// conclude ends a turn, settles when the host may be asked next, and notes in x when that is far away. header is of the answer, nil without one; err is
// what ended the request early.
func (l *Live) conclude(ctx context.Context, v *visit, x *Exchange, header http.Header, err error) {
	delay := l.delay(x.URL)
	pause := rest(delay, x.Took)
	var refused *refusal
	switch status := x.Status; {
	case errors.As(err, &refused) && status == 0: // nothing was sent
		pause = 0
	case err != nil && ctx.Err() != nil: // we gave up, not the host
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		l.turns.silence(v.host, l.retryAfter(header))
	case status >= 500, status == 0, err != nil && isNetwork(err):
		l.turns.failed(v.host, failFactor*delay)
	default:
		l.turns.answered(v.host)
	}
	if wait := l.retryAfter(header); wait > 0 && x.Status >= 400 {
		l.turns.hold(v.host, min(wait, maxSilence))
	}
	v.release(pause)
	x.Until = l.turns.until(v.host)
}

// isNetwork reports whether an answer that began did not end because of the network, and not because of what is in it.
func isNetwork(err error) bool {
	outcome, _ := reason(err, "")
	return outcome == Network || outcome == Timeout
}

// retryAfter is how long a Retry-After header asks for, 0 without one that can be read and lies ahead.
func (l *Live) retryAfter(header http.Header) time.Duration {
	now := l.clock.Now()
	if at := retryAfter(header.Get("Retry-After"), now); at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// remember takes in what an earlier fetcher knew of hosts: when they were last asked, and until when they are to be left
// alone. A time that lies ahead, as after the clock was set back, counts as now.
func (l *Live) remember(asked, silent map[string]time.Time) {
	now := l.clock.Now()
	for host, at := range asked {
		url := "http://" + host + "/"
		if wait := l.delay(url) - max(now.Sub(at), 0); wait > 0 {
			l.turns.hold(host, wait)
		}
	}
	for host, until := range silent {
		if wait := until.Sub(now); wait > 0 {
			l.turns.hold(host, min(wait, maxSilence))
		}
	}
}
