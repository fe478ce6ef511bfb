package fetch

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"nightjar/crawler/clock"
)

const (
	// maxSilence caps what a host may ask for with Retry-After or Crawl-delay.
	maxSilence = 24 * time.Hour
	// firstSilence is how long a host is left alone that says "too many requests" without saying for how long. It
	// doubles each time, up to lastSilence.
	firstSilence = 30 * time.Second
	lastSilence  = time.Hour
	// longRest is a rest that matters after a restart: shorter ones follow from when the host was last asked.
	longRest = time.Minute
	// maxTurns is how many hosts are remembered before those that are not needed are looked for.
	maxTurns = 10_000
)

// patience is how long a request waits for its turn in all.
type patience struct {
	most  time.Duration
	again bool // whoever asked can come back later
}

var (
	// shortly is for the first request for a page: a worker is not to be held by one host's silence.
	shortly = patience{500 * time.Millisecond, true}
	// persistent is for what belongs to a page that was begun: another hop, or a file that it needs.
	persistent = patience{time.Minute, false}
)

type patienceKey struct{}

func withPatience(ctx context.Context, p patience) context.Context {
	return context.WithValue(ctx, patienceKey{}, p)
}

func patienceOf(ctx context.Context) patience {
	if p, ok := ctx.Value(patienceKey{}).(patience); ok {
		return p
	}
	return persistent
}

// errLater says that a host's turn is further away than a request waits.
type errLater struct {
	host  string
	at    time.Time
	again bool
}

func (e *errLater) Error() string {
	return fmt.Sprintf("%s is to be left alone until %s", e.host, e.at.UTC().Format("2006-01-02 15:04:05 UTC"))
}

// turns lets one request at a time through to each host and each address, and keeps a distance between the end of one
// to a host and the start of the next. A token bucket such as golang.org/x/time/rate cannot do that: it counts starts,
// and knows neither the end of a request nor the silence that an answer asked for.
//
// Distances are kept by clock.Since and not by what the clock shows: a clock that is set forward, or a machine that
// slept, makes no host's turn come early, and one that is set back makes nobody wait.
type turns struct {
	clock  clock.Clock
	began  time.Time // of the machine's clock
	lookup func(ctx context.Context, host string) ([]netip.Addr, error)

	mu    sync.Mutex
	hosts map[string]*turn
	seats map[netip.Addr]*seat
	sweep int // number of hosts at which those that are not needed are forgotten
}

// turn is the state of one host. Times are since turns.began.
type turn struct {
	token   chan struct{} // holds one value while a request may start
	users   int           // who hold or wait for the token
	next    time.Duration // earliest start of the next request
	strikes int           // times in a row that the host was too busy
	fails   int           // times in a row that it did not answer, or with an error of its own

	addrs  []netip.Addr // that its name stands for, the one to ask first
	looked time.Duration
	used   time.Duration // end of the last request
}

// visit is one request's turn at a host: a hold on the host and, when it is known, on the address.
type visit struct {
	turns *turns
	host  string
	turn  *turn
	began time.Duration
	// All change under turns.mu.
	seat  *seat
	addr  netip.Addr
	ended bool
}

func newTurns(c clock.Clock) *turns {
	return &turns{clock: c, began: time.Now(), hosts: map[string]*turn{}, seats: map[netip.Addr]*seat{}, sweep: maxTurns}
}

// now is the time that distances are kept by.
func (t *turns) now() time.Duration { return clock.Since(t.clock, t.began) }

// until is when the host may next be asked, rounded up to whole seconds; zero when that is within a minute.
func (t *turns) until(host string) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := t.of(host).next
	if next-t.now() <= longRest {
		return time.Time{}
	}
	return t.wall(next).Add(time.Second).Truncate(time.Second)
}

// wall is what the clock shows at a time, as far as it runs evenly until then.
func (t *turns) wall(at time.Duration) time.Time { return t.clock.Now().Add(at - t.now()) }

// of returns the host's turn; the lock is held.
func (t *turns) of(host string) *turn {
	h := t.hosts[host]
	if h == nil {
		if len(t.hosts) >= t.sweep {
			t.forget()
			t.sweep = max(maxTurns, 2*len(t.hosts))
		}
		h = &turn{token: make(chan struct{}, 1)}
		h.token <- struct{}{}
		t.hosts[host] = h
	}
	return h
}

// forget drops hosts that nobody waits for and that may be asked at once. One that has been in trouble is remembered
// for a while longer. The lock is held.
func (t *turns) forget() {
	now := t.now()
	for name, h := range t.hosts {
		quiet := now - h.next
		if h.users == 0 && quiet >= 0 && (h.strikes+h.fails == 0 || quiet > lastSilence) {
			delete(t.hosts, name)
		}
	}
}

// acquire waits until the host may be asked, for as long as the patience in ctx lets it; the error is an errLater when
// that is not enough. After nil, release must be called.
func (t *turns) acquire(ctx context.Context, host string) (*visit, error) {
	t.mu.Lock()
	v := &visit{turns: t, host: host, turn: t.of(host)}
	v.turn.users++
	t.mu.Unlock()
	err := v.enter(ctx)
	if err == nil {
		v.began = t.now()
		return v, nil
	}
	t.mu.Lock()
	v.turn.users--
	t.mu.Unlock()
	return nil, err
}

// enter takes the host's token, waits for its time, and sits down at its address.
func (v *visit) enter(ctx context.Context) error {
	p := patienceOf(ctx)
	until := v.turns.now() + p.most
	if err := v.take(ctx, v.turn.token, until, p); err != nil {
		return err
	}
	err := v.rest(ctx, until, p)
	if err == nil {
		err = v.sit(ctx, until, p)
	}
	if err != nil {
		v.turn.token <- struct{}{}
	}
	return err
}

// take waits for a token.
func (v *visit) take(ctx context.Context, token <-chan struct{}, until time.Duration, p patience) error {
	select {
	case <-token:
		return nil
	default:
	}
	timer := v.turns.clock.NewTimer(until - v.turns.now())
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

// rest waits until the host's next request may start. A silence may be made longer meanwhile.
func (v *visit) rest(ctx context.Context, until time.Duration, p patience) error {
	t := v.turns
	for {
		t.mu.Lock()
		next := v.turn.next
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

func (v *visit) later(at time.Duration, p patience) error {
	return &errLater{v.host, v.turns.wall(at), p.again}
}

// release ends a request; the host's next one starts no earlier than rest from now.
func (v *visit) release(rest time.Duration) {
	t := v.turns
	t.mu.Lock()
	now := t.now()
	v.turn.users--
	v.turn.used = now
	v.turn.next = max(v.turn.next, now+rest)
	v.ended = true
	v.leave(now)
	t.mu.Unlock()
	v.turn.token <- struct{}{}
}

// hold moves a host's next request to no earlier than d from now.
func (t *turns) hold(host string, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.of(host)
	h.next = max(h.next, t.now()+d)
}

// silence leaves a host alone that asked for it, for d, or without d for a while that grows each time in a row.
func (t *turns) silence(host string, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.of(host)
	if d <= 0 {
		d = min(firstSilence<<min(h.strikes, 20), lastSilence)
	}
	h.strikes++
	h.next = max(h.next, t.now()+min(d, maxSilence))
}

// failed leaves a host alone that did not answer, for first and twice as long each time in a row. It returns how often
// in a row it has failed or been too busy.
func (t *turns) failed(host string, first time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.of(host)
	d := first << min(h.fails, 20)
	if first > 0 && (d > lastSilence || d <= 0) {
		d = lastSilence
	}
	h.fails++
	h.addrs = nil // another address may do better
	h.next = max(h.next, t.now()+d)
}

// answered says that a host is well.
func (t *turns) answered(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.of(host)
	h.strikes, h.fails = 0, 0
}

// troubles is how often in a row a host was too busy or did not answer.
func (t *turns) troubles(host string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h := t.hosts[host]; h != nil {
		return h.strikes + h.fails
	}
	return 0
}

// readyAt is when the host may next be asked, the zero time for now. While it is being asked, the answer is delay from
// now, before which it cannot be. It costs a look into a map or two.
func (t *turns) readyAt(host string, delay func() time.Duration) time.Time {
	t.mu.Lock()
	h := t.hosts[host]
	if h == nil {
		t.mu.Unlock()
		return time.Time{}
	}
	now := t.now()
	wait, busy := h.next-now, h.users > 0
	if !busy && wait <= 0 {
		wait = t.inLine(h, now)
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
