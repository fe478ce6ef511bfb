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
	delay := max(l.options.Delay, l.crawlDelay(url), l.limiter.peek(host).least, 0)
	if _, near := l.privateHosts.Load(host); delay < minDelay && !near && !l.guard.opened(host) {
		delay = minDelay
	}
	return delay
}

// crawlDelay is the Crawl-delay in the cached robots.txt of a URL's origin, or else as an earlier fetcher knew it; 0 for none.
func (l *Live) crawlDelay(url string) time.Duration {
	if r := l.robots.known(url); r != nil {
		return r.Delay
	}
	return l.limiter.peek(weburl.Host(url)).delay
}

// pauseAfter is the pause after a request with that duration.
func pauseAfter(delay, took time.Duration) time.Duration {
	if delay <= 0 { // a host that the settings open, with no delay
		return 0
	}
	return max(delay, min(restFactor*took, maxRest))
}

// startRequest waits until the exchange's request may be sent, and has the memory store that one may be. If the host's name
// does not resolve, it adds the failed exchange to res.
func (l *Live) startRequest(ctx context.Context, res *Response, x *Exchange) (*slot, error) {
	host := weburl.Host(x.URL)
	v, err := l.limiter.acquire(ctx, host)
	if _, ok := errors.AsType[*net.DNSError](err); ok && ctx.Err() == nil {
		l.limiter.failed(host, failFactor*l.delay(x.URL))
		x.At = l.clock.Now()
		_, x.Reason = reason(err, "requesting "+host)
		res.Exchanges = append(res.Exchanges, *x)
	}
	if err != nil {
		return nil, err
	}
	if err := l.options.Memory.Open(ctx, host); err != nil {
		v.release(0)
		return nil, &errUnstored{err}
	}
	return v, nil
}

// errUnstored says that a request was not sent since the memory could not store that it would be.
type errUnstored struct{ error }

// endRequest decides how long the host rests, has the memory keep it, and releases the slot. header is that of the answer, nil
// if there was none; err is why the request ended early.
func (l *Live) endRequest(ctx context.Context, v *slot, x *Exchange, header http.Header, err error) {
	delay := l.delay(x.URL)
	pause := pauseAfter(delay, x.Took)
	asked := retryAfter(header.Get("Retry-After"), l.clock.Now())
	var refused *refusal
	switch status := x.Status; {
	case errors.As(err, &refused) && status == 0: // nothing was sent
		pause = 0
	case err != nil && ctx.Err() != nil: // we gave up, not the host
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		l.limiter.silence(v.name, asked)
	case status >= 500, status == 0, err != nil && isNetwork(err):
		l.limiter.failed(v.name, failFactor*delay)
	default:
		l.limiter.answered(v.name)
	}
	if asked > 0 && x.Status >= 400 {
		l.limiter.obey(v.name, asked)
	}
	l.limiter.delayNext(v.name, pause)
	l.keep(ctx, v.name)
	v.release(pause)
}

// keep has the memory keep the state of a host: before the next request when the host must rest for longer than usual.
func (l *Live) keep(ctx context.Context, host string) {
	state, urgent := l.limiter.state(host)
	// After an error the memory tries again with the next state; until then the host counts as open.
	_ = l.options.Memory.Keep(context.WithoutCancel(ctx), state, urgent)
}

// isNetwork reports whether err comes from the network, not from the content of the answer.
func isNetwork(err error) bool {
	outcome, _ := reason(err, "")
	return outcome == Network || outcome == Timeout
}

// restore sets what an earlier fetcher knew of hosts.
func (l *Live) restore(hosts []HostState) {
	for i := range hosts {
		h := &hosts[i]
		delay := max(l.delay("http://"+h.Host+"/"), h.Delay)
		l.limiter.restore(h, h.wait(l.clock.Now(), delay))
		if h.Open || h.Set.After(l.clock.Now()) { // from now on it is known when it was asked, and by which clock
			l.keep(context.Background(), h.Host)
		}
	}
}
