package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"nightjar/crawler/weburl"
)

// minDelay is the shortest delay between two requests to a host that the settings do not open.
const minDelay = time.Second

// A host rests for restFactor times the duration of its last answer, so that we use at most a tenth of a slow host's
// time: the factor of Mercator (Heydon and Najork 1999). maxRest bounds the rest, as in Heritrix, because an answer may
// be slow for another reason, such as its size.
const (
	restFactor = 10
	maxRest    = 30 * time.Second
	// A host that fails rests for failFactor times its delay, doubled for each failure in a row.
	failFactor = 8
)

// delay is the shortest pause after a request to the URL's host: the larger of LiveOptions.Delay and Crawl-delay. It is 0
// only for hosts that the settings open.
func (l *Live) delay(url string) time.Duration {
	host := weburl.Host(url)
	delay := max(l.options.Delay, l.robots.crawlDelay(url), 0)
	if _, near := l.privateHosts.Load(host); delay < minDelay && !near && !l.guard.opened(host) {
		delay = minDelay
	}
	return delay
}

// pauseAfter is the pause after a request with that duration.
func pauseAfter(delay, took time.Duration) time.Duration {
	if delay <= 0 { // a host that the settings open, with no delay
		return 0
	}
	return max(delay, min(restFactor*took, maxRest))
}

// startRequest waits until the exchange's request may be sent. If the host's name does not resolve, it adds the failed
// exchange to res.
func (l *Live) startRequest(ctx context.Context, res *Response, x *Exchange) (*slot, error) {
	host := weburl.Host(x.URL)
	v, err := l.limiter.acquire(ctx, host)
	if _, ok := errors.AsType[*net.DNSError](err); ok && ctx.Err() == nil {
		l.limiter.failed(host, failFactor*l.delay(x.URL))
		x.At, x.Until = l.clock.Now(), l.limiter.until(host)
		_, x.Reason = reason(err, "requesting "+host)
		res.Exchanges = append(res.Exchanges, *x)
	}
	return v, err
}

// endRequest releases the slot, decides how long the host rests, and sets x.Until if that is long. header is that of the
// answer, nil if there was none; err is why the request ended early.
func (l *Live) endRequest(ctx context.Context, v *slot, x *Exchange, header http.Header, err error) {
	delay := l.delay(x.URL)
	pause := pauseAfter(delay, x.Took)
	var refused *refusal
	switch status := x.Status; {
	case errors.As(err, &refused) && status == 0: // nothing was sent
		pause = 0
	case err != nil && ctx.Err() != nil: // we gave up, not the host
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		l.limiter.silence(v.name, l.retryAfter(header))
	case status >= 500, status == 0, err != nil && isNetwork(err):
		l.limiter.failed(v.name, failFactor*delay)
	default:
		l.limiter.answered(v.name)
	}
	if wait := l.retryAfter(header); wait > 0 && x.Status >= 400 {
		l.limiter.delayNext(v.name, min(wait, maxSilence))
	}
	v.release(pause)
	x.Until = l.limiter.until(v.name)
}

// isNetwork reports whether err comes from the network, not from the content of the answer.
func isNetwork(err error) bool {
	outcome, _ := reason(err, "")
	return outcome == Network || outcome == Timeout
}

// retryAfter is the wait that a Retry-After header asks for, 0 if it is absent, past, or malformed.
func (l *Live) retryAfter(header http.Header) time.Duration {
	now := l.clock.Now()
	if at := retryAfter(header.Get("Retry-After"), now); at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// restore sets the delays and silences that an earlier fetcher knew of. A last request in the future, as after the clock
// was set back, counts as now.
func (l *Live) restore(asked, silent map[string]time.Time) {
	now := l.clock.Now()
	for host, at := range asked {
		url := "http://" + host + "/"
		if wait := l.delay(url) - max(now.Sub(at), 0); wait > 0 {
			l.limiter.delayNext(host, wait)
		}
	}
	for host, until := range silent {
		if wait := until.Sub(now); wait > 0 {
			l.limiter.delayNext(host, min(wait, maxSilence))
		}
	}
}
