package farm

import (
	"math"
	"net/http"
	"time"
)

const (
	defaultRetry = 30 * time.Second
	burstEvery   = 40 // mean number of requests between two bursts of a host
	limitEvery   = 50 // mean number of requests between two rate limits of a host
	longestBurst = 6
	slowness     = 10 // latency of slow hosts, relative to the others
	longestWait  = 10 // relative to the mean latency
)

// plan is what happens to a request.
type plan struct {
	wait       time.Duration
	status     int           // 0 for a normal response
	retryAfter time.Duration // with status 429
	reset      bool          // the connection is reset before the response
	cut        bool          // the connection is reset during the response
}

// plan draws what happens to the host's request n. The caller holds h.mu.
func (h *host) plan(n uint64, now time.Time, f *Faults) plan {
	var p plan
	if f.Latency > 0 {
		mean := float64(f.Latency)
		if h.slow {
			mean *= slowness
		}
		waits := -math.Log(1 - share(mixed(h.seed, drawLatency, n)))
		p.wait = time.Duration(mean * min(waits, longestWait))
	}
	lot := share(mixed(h.seed, drawReset, n))
	switch {
	case h.dead || lot < f.Resets/2:
		p.reset = true
	case lot < f.Resets:
		p.cut = true
	case now.Before(h.silent):
		p.status, p.retryAfter = http.StatusTooManyRequests, h.silent.Sub(now)
	case h.limits && share(mixed(h.seed, drawLimits, n)) < 1.0/limitEvery:
		p.status, p.retryAfter = http.StatusTooManyRequests, retry(f)
		h.silent = now.Add(p.retryAfter)
	case h.errors:
		p.status = h.inBurst(n)
	}
	return p
}

// inBurst is the status of a request during a burst of errors, 0 outside of one. The caller holds h.mu.
func (h *host) inBurst(n uint64) int {
	lot := mixed(h.seed, drawBurst, n)
	if n >= h.burst && share(lot) < 1.0/burstEvery {
		h.burst = n + 1 + lot%longestBurst
	}
	switch {
	case n >= h.burst:
		return 0
	case lot%2 == 0:
		return http.StatusInternalServerError
	}
	return http.StatusServiceUnavailable
}

// retry is the time of Retry-After, in whole seconds and at least one.
func retry(f *Faults) time.Duration {
	if f.RetryAfter <= 0 {
		return defaultRetry
	}
	return max(f.RetryAfter.Truncate(time.Second), time.Second)
}
