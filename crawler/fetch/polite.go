package fetch

import (
	"context"
	"fmt"
	"sync"
	"time"

	"nightjar/crawler/clock"
)

const (
	// maxWait is how long one fetch waits for its host's turn. Hosts that ask for more are left to ReadyAt.
	maxWait = 5 * time.Minute
	// maxSilence caps what a host may ask for with Retry-After or Crawl-delay.
	maxSilence = 24 * time.Hour
	// firstSilence is how long a host is left alone that says "too many requests" without saying for how long. It
	// doubles each time, up to lastSilence.
	firstSilence = 30 * time.Second
	lastSilence  = time.Hour
)

// turns lets one request at a time through to each host, a delay between the end of one and the start of the next.
type turns struct {
	clock clock.Clock
	mu    sync.Mutex
	hosts map[string]*turn
}

type turn struct {
	token   chan struct{} // holds one value while a request may start
	users   int           // who hold or wait for the token
	next    time.Time     // earliest start of the next request
	strikes int           // times in a row that the host was too busy
}

// errLater says that a host's turn is further away than a fetch waits.
type errLater struct {
	host string
	at   time.Time
}

func (e *errLater) Error() string {
	return fmt.Sprintf("%s is to be left alone until %s", e.host, e.at.UTC().Format("2006-01-02 15:04:05 UTC"))
}

func newTurns(c clock.Clock) *turns { return &turns{clock: c, hosts: map[string]*turn{}} }

// of returns the host's turn; the lock is held.
func (t *turns) of(host string) *turn {
	h := t.hosts[host]
	if h == nil {
		if len(t.hosts) >= 10000 {
			t.forget()
		}
		h = &turn{token: make(chan struct{}, 1)}
		h.token <- struct{}{}
		t.hosts[host] = h
	}
	return h
}

// forget drops hosts that nobody waits for and that may be asked at once.
func (t *turns) forget() {
	now := t.clock.Now()
	for name, h := range t.hosts {
		if h.users == 0 && h.strikes == 0 && !h.next.After(now) {
			delete(t.hosts, name)
		}
	}
}

// acquire waits until the host may be asked. After nil, release must be called.
func (t *turns) acquire(ctx context.Context, host string) error {
	t.mu.Lock()
	h := t.of(host)
	h.users++
	t.mu.Unlock()
	err := t.wait(ctx, host, h)
	if err != nil {
		t.mu.Lock()
		h.users--
		t.mu.Unlock()
	}
	return err
}

func (t *turns) wait(ctx context.Context, host string, h *turn) error {
	select {
	case <-h.token:
	case <-ctx.Done():
		return ctx.Err()
	}
	for waited := (time.Time{}); ; {
		t.mu.Lock()
		next := h.next
		t.mu.Unlock()
		wait := next.Sub(t.clock.Now())
		if wait <= 0 || next.Equal(waited) {
			return nil
		}
		if wait > maxWait {
			h.token <- struct{}{}
			return &errLater{host, next}
		}
		timer := t.clock.NewTimer(wait)
		select {
		case <-timer.C:
			waited = next // silence may have moved it meanwhile
		case <-ctx.Done():
			timer.Stop()
			h.token <- struct{}{}
			return ctx.Err()
		}
	}
}

// release ends a request; the next one starts no earlier than delay from now.
func (t *turns) release(host string, delay time.Duration) {
	t.mu.Lock()
	h := t.of(host)
	h.users--
	if next := t.clock.Now().Add(delay); next.After(h.next) {
		h.next = next
	}
	t.mu.Unlock()
	h.token <- struct{}{}
}

// busy leaves a host alone that says it is too busy: until the time it asks for, or for a growing while.
func (t *turns) busy(host string, until time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h, now := t.of(host), t.clock.Now()
	silence := min(firstSilence<<min(h.strikes, 20), lastSilence)
	h.strikes++
	if until.After(now) {
		silence = min(until.Sub(now), maxSilence)
	}
	if next := now.Add(silence); next.After(h.next) {
		h.next = next
	}
}

// postpone moves a host's next request to no earlier than delay from now.
func (t *turns) postpone(host string, delay time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h, next := t.of(host), t.clock.Now().Add(delay); next.After(h.next) {
		h.next = next
	}
}

// answered says that a host is not too busy.
func (t *turns) answered(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of(host).strikes = 0
}

// readyAt is when the host may next be asked, the zero time for now. While it is being asked, the answer is delay from
// now, before which it cannot be.
func (t *turns) readyAt(host string, delay time.Duration) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	h, now := t.hosts[host], t.clock.Now()
	switch {
	case h == nil:
		return time.Time{}
	case h.users > 0 && now.Add(delay).After(h.next):
		return now.Add(delay)
	case h.next.After(now):
		return h.next
	}
	return time.Time{}
}
