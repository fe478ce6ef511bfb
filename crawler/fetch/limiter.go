package fetch

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/robots"
)

const (
	// maxSilence is the longest Retry-After and Crawl-delay that is honoured.
	maxSilence = robots.MaxDelay
	// A host that is too busy and sends no Retry-After rests for firstBackoff, doubled for each such answer in a row, up
	// to maxBackoff.
	firstBackoff = 30 * time.Second
	maxBackoff   = time.Hour
	// maxHosts is how many hosts are remembered before idle ones are forgotten.
	maxHosts = 10_000
)

// waitLimit is how long a request may wait for its host and address together.
type waitLimit struct {
	max      time.Duration
	canRetry bool // the caller can try again later
}

var (
	// shortWait is for the first request for a page: one silent host must not block a worker.
	shortWait = waitLimit{500 * time.Millisecond, true}
	// longWait is for the further requests for a page: redirects, and the files that it needs.
	longWait = waitLimit{time.Minute, false}
)

type waitLimitKey struct{}

func withWaitLimit(ctx context.Context, p waitLimit) context.Context {
	return context.WithValue(ctx, waitLimitKey{}, p)
}

func waitLimitOf(ctx context.Context) waitLimit {
	if p, ok := ctx.Value(waitLimitKey{}).(waitLimit); ok {
		return p
	}
	return longWait
}

// errNotReady says that a host is ready only after the time that a request may wait.
type errNotReady struct {
	host     string
	at       time.Time
	canRetry bool
}

func (e *errNotReady) Error() string {
	return fmt.Sprintf("the next request to %s has to wait until %s", e.host, e.at.UTC().Format("2006-01-02 15:04:05 UTC"))
}

// hostLimiter allows one request at a time to each host and each address, and keeps a pause between the end of a request
// to a host and the start of the next. A token bucket such as golang.org/x/time/rate cannot do that: it counts starts,
// and knows neither the end of a request nor the silence that an answer asks for.
//
// Pauses are measured with clock.Since, not with Clock.Now: setting the clock forward, or suspending the machine, does
// not shorten them, and setting it back does not lengthen them.
type hostLimiter struct {
	clock  clock.Clock
	began  time.Time // on the machine's clock
	lookup func(ctx context.Context, host string) ([]netip.Addr, error)

	mu       sync.Mutex
	hosts    map[string]*hostState
	addrs    map[netip.Addr]*addrState
	forgetAt int // number of hosts at which idle ones are forgotten
}

// hostState is the state of one host. Times are since hostLimiter.began.
type hostState struct {
	token      chan struct{} // holds one value while a request may start
	users      int           // requests that hold or wait for the token
	next       time.Duration // earliest start of the next request
	asked      time.Duration // start of the last request
	why        Rest          // why next is later than the usual pause
	keptRest   bool          // the state that was kept last has a reason
	delay      time.Duration // Crawl-delay, as far as an earlier fetcher knew it
	least      time.Duration // pause between two requests that another program asked for; see Live.Prime
	busyInRow  int           // answers in a row that said it was too busy
	failsInRow int           // requests in a row without answer, or with a server error

	addrs  []netip.Addr // of its name, the preferred one first
	told   netip.Addr   // that another program asked; see told
	looked time.Duration
	used   time.Duration // end of the last request
}

// inRow is how often in a row the host was too busy or failed.
func (h *hostState) inRow() int { return h.busyInRow + h.failsInRow }

// slot is the right to send one request: it holds the host and, when it is known, the address.
type slot struct {
	limiter *hostLimiter
	name    string
	host    *hostState
	began   time.Duration
	// Guarded by limiter.mu.
	held  *addrState
	addr  netip.Addr
	ended bool
}

func newHostLimiter(c clock.Clock) *hostLimiter {
	return &hostLimiter{clock: c, began: time.Now(), hosts: map[string]*hostState{}, addrs: map[netip.Addr]*addrState{}, forgetAt: maxHosts}
}

// now is the time that pauses are measured with.
func (t *hostLimiter) now() time.Duration { return clock.Since(t.clock, t.began) }

// state is a host's state as a later fetcher needs it. It is urgent to keep it when the host rests, or no longer
// rests as it did by the last state.
func (t *hostLimiter) state(host string) (s HostState, urgent bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.of(host)
	urgent = h.keptRest || h.why != RestNone
	h.keptRest = h.why != RestNone
	return HostState{
		Host: host, Asked: t.wall(h.asked), Set: t.clock.Now(), NotBefore: t.wall(h.next), Why: h.why, Busy: h.busyInRow, Failed: h.failsInRow,
	}, urgent
}

// resting lists the hosts that must not be asked yet.
func (t *hostLimiter) resting() (hosts []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	for host, h := range t.hosts {
		if h.next > now {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// restore sets what an earlier fetcher knew of a host, which must wait.
func (t *hostLimiter) restore(s *HostState, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h, now := t.of(s.Host), t.now()
	h.next = max(h.next, now+wait)
	h.delay, h.keptRest = s.Delay, s.Why != RestNone
	if !s.Open {
		h.asked = now - max(t.clock.Now().Sub(s.Asked), 0)
	}
	if wait > -maxBackoff { // an older failure says nothing of today
		h.why, h.busyInRow, h.failsInRow = s.Why, s.Busy, s.Failed
	}
}

// wall converts a time to that of the clock, which it expects to run evenly until then. What passes between the two looks at
// clocks makes it later, never earlier.
func (t *hostLimiter) wall(at time.Duration) time.Time {
	left := at - t.now()
	return t.clock.Now().Add(left)
}

// of returns the host's state; the lock is held.
func (t *hostLimiter) of(host string) *hostState {
	h := t.hosts[host]
	if h == nil {
		if len(t.hosts) >= t.forgetAt {
			t.forget()
			t.forgetAt = max(maxHosts, 2*len(t.hosts))
		}
		h = &hostState{token: make(chan struct{}, 1)}
		h.token <- struct{}{}
		t.hosts[host] = h
	}
	return h
}

// forget drops hosts that nobody waits for and that are ready. It keeps one that failed for maxBackoff longer. The lock is
// held.
func (t *hostLimiter) forget() {
	now := t.now()
	for name, h := range t.hosts {
		quiet := now - h.next
		if h.users == 0 && quiet >= 0 && (h.inRow() == 0 || quiet > maxBackoff) {
			delete(t.hosts, name)
		}
	}
}

// acquire waits until a request may be sent to the host, for at most the waitLimit in ctx; beyond it, the error is an
// errNotReady. The caller must release the slot.
func (t *hostLimiter) acquire(ctx context.Context, host string) (*slot, error) {
	t.mu.Lock()
	v := &slot{limiter: t, name: host, host: t.of(host)}
	v.host.users++
	t.mu.Unlock()
	err := v.wait(ctx)
	if err == nil {
		v.began = t.now()
		t.mu.Lock()
		v.host.asked = v.began
		t.mu.Unlock()
		return v, nil
	}
	t.mu.Lock()
	v.host.users--
	t.mu.Unlock()
	return nil, err
}

// wait takes the host's token, waits for the end of its pause, and takes its address.
func (v *slot) wait(ctx context.Context) error {
	p := waitLimitOf(ctx)
	until := v.limiter.now() + p.max
	if err := v.waitToken(ctx, v.host.token, until, p); err != nil {
		return err
	}
	err := v.waitReady(ctx, until, p)
	if err == nil {
		err = v.takeAddr(ctx, until, p)
	}
	if err != nil {
		v.host.token <- struct{}{}
	}
	return err
}

func (v *slot) waitToken(ctx context.Context, token <-chan struct{}, until time.Duration, p waitLimit) error {
	select {
	case <-token:
		return nil
	default:
	}
	timer := v.limiter.clock.NewTimer(until - v.limiter.now())
	defer timer.Stop()
	select {
	case <-token:
		return nil
	case <-timer.C:
		return v.later(until, p)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// waitReady waits until the host's next request may start. Another request may move that time meanwhile.
func (v *slot) waitReady(ctx context.Context, until time.Duration, p waitLimit) error {
	t := v.limiter
	for {
		t.mu.Lock()
		next := v.host.next
		t.mu.Unlock()
		now := t.now()
		if next <= now {
			return nil
		}
		if next > until {
			return v.later(next, p)
		}
		timer := t.clock.NewTimer(next - now)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

func (v *slot) later(at time.Duration, p waitLimit) error {
	return &errNotReady{v.name, v.limiter.wall(at), p.canRetry}
}

// release ends a request; the host's next one starts no earlier than rest from now.
func (v *slot) release(rest time.Duration) {
	t := v.limiter
	t.mu.Lock()
	now := t.now()
	v.host.users--
	v.host.used = now
	v.host.next = max(v.host.next, now+rest)
	v.ended = true
	v.leaveAddr(now)
	t.mu.Unlock()
	v.host.token <- struct{}{}
}

// peek is the state of a host, the zero value for one that is not remembered.
func (t *hostLimiter) peek(host string) hostState {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h := t.hosts[host]; h != nil {
		return *h
	}
	return hostState{}
}

// change changes the state of a host.
func (t *hostLimiter) change(host string, to func(h *hostState)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	to(t.of(host))
}

// delayNext moves a host's next request to no earlier than d from now.
func (t *hostLimiter) delayNext(host string, d time.Duration) {
	t.change(host, func(h *hostState) { h.next = max(h.next, t.now()+d) })
}

// obey lets a host rest for as long as it asks.
func (t *hostLimiter) obey(host string, d time.Duration) {
	t.change(host, func(h *hostState) { h.next, h.why = max(h.next, t.now()+min(d, maxSilence)), RestAsked })
}

// silence lets a host rest that was too busy: for d, or if d is 0 for a time that doubles with each such answer in a row.
func (t *hostLimiter) silence(host string, d time.Duration) {
	t.change(host, func(h *hostState) {
		h.why = RestAsked
		if d <= 0 {
			d, h.why = min(firstBackoff<<min(h.busyInRow, 20), maxBackoff), RestBusy
		}
		h.busyInRow++
		h.next = max(h.next, t.now()+min(d, maxSilence))
	})
}

// failed lets a host rest that failed: for first, doubled for each failure in a row.
func (t *hostLimiter) failed(host string, first time.Duration) {
	t.change(host, func(h *hostState) {
		d := first << min(h.failsInRow, 20)
		if first > 0 && (d > maxBackoff || d <= 0) {
			d = maxBackoff
		}
		h.failsInRow++
		h.why = RestFailed
		h.addrs = nil // another address may answer
		h.next = max(h.next, t.now()+d)
	})
}

// answered resets a host's failures.
func (t *hostLimiter) answered(host string) {
	t.change(host, func(h *hostState) { h.busyInRow, h.failsInRow, h.why = 0, 0, RestNone })
}

// readyAt is when the next request to the host may start, the zero time for now. While a request is running, it is at
// least delay from now. It costs one or two map lookups.
func (t *hostLimiter) readyAt(host string, delay func() time.Duration) time.Time {
	t.mu.Lock()
	h := t.hosts[host]
	if h == nil {
		t.mu.Unlock()
		return time.Time{}
	}
	now := t.now()
	wait, busy := h.next-now, h.users > 0
	if !busy && wait <= 0 {
		wait = t.addrWait(h, now)
	}
	t.mu.Unlock()
	if busy {
		wait = max(wait, delay())
	}
	if wait <= 0 {
		return time.Time{}
	}
	return t.clock.Now().Add(wait)
}
