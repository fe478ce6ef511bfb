package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/frontier"
	"nightjar/crawler/robots"
)

// nightHost is a host of the simulated web, and the pauses that it must get.
type nightHost struct {
	name  string
	addr  netip.Addr
	delay time.Duration // Crawl-delay
	mean  time.Duration // of an answer
	alone bool          // nobody shares its address
	seed  uint64
	rng   *rand.Rand

	ended, gap time.Duration // last request, and what must lie between it and the next
	strikes    int
	fails      int
	busy       bool
	n          int
	possible   int // requests that fit into the time
}

// answer is how the host answers its n-th request.
type answer struct {
	took   time.Duration
	status int
	retry  string
	err    error
}

// draw is the host's next answer. A date in Retry-After is in the time of the clock.
func (h *nightHost) draw(now time.Time) answer {
	a := answer{took: time.Duration((0.2 + h.rng.ExpFloat64()) * float64(h.mean)), status: 200}
	switch p := h.rng.Float64(); {
	case p < .01:
		a.status, a.retry = 429, fmt.Sprint(1+h.rng.IntN(60))
	case p < .015:
		a.status, a.retry = 503, now.Add(time.Duration(30+h.rng.IntN(60))*time.Second).UTC().Format(http.TimeFormat)
	case p < .02:
		a.status = 503
	case p < .025:
		a.status, a.retry = 429, "soon"
	case p < .03:
		a.status, a.err = 0, io.ErrUnexpectedEOF
	case p < .035:
		a.status, a.took, a.err = 0, DefaultTimeout, context.DeadlineExceeded
	case p < .04:
		a.status = 500
	}
	return a
}

// owed is how long the host must rest after an answer that ended now, calculated independently of the code under test.
func (h *nightHost) owed(a answer, setting time.Duration, now time.Time) time.Duration {
	base := max(setting, h.delay, time.Second)
	gap := max(base, min(10*a.took, 30*time.Second))
	switch {
	case a.status == 429 || a.status == 503:
		var seconds int
		if at, err := http.ParseTime(a.retry); err == nil {
			gap = max(gap, at.Sub(now))
		} else if _, err := fmt.Sscan(a.retry, &seconds); err == nil {
			gap = max(gap, time.Duration(seconds)*time.Second)
		} else {
			gap = max(gap, min(30*time.Second<<h.strikes, time.Hour))
		}
		h.strikes++
	case a.status != 200:
		gap = max(gap, min(8*base<<h.fails, time.Hour))
		h.fails++
	default:
		h.strikes, h.fails = 0, 0
	}
	return gap
}

// night is a crawl of many hosts on a clock that jumps.
type night struct {
	t       *testing.T
	live    *Live
	began   time.Time
	setting time.Duration
	hosts   map[string]*nightHost

	mu     sync.Mutex
	shift  time.Duration // of the clock
	addrs  map[netip.Addr]string
	starts map[int]int // by second
	done   int
}

func (n *night) now() time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return time.Now().Add(n.shift)
}

const nightLasts = 75 * time.Second

func newNight(t *testing.T, hosts int) *night {
	n := &night{t: t, began: time.Now(), setting: time.Second, hosts: map[string]*nightHost{}, addrs: map[netip.Addr]string{}, starts: map[int]int{}}
	n.live = NewLive(LiveOptions{Delay: n.setting, Clock: clock.Func(n.now)})
	t.Cleanup(func() { n.live.Close() })
	n.live.limiter.lookup = func(_ context.Context, host string) ([]netip.Addr, error) {
		time.Sleep(10 * time.Millisecond)
		return []netip.Addr{n.hosts[host].addr}, nil
	}
	for i := range hosts {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		h := &nightHost{name: fmt.Sprintf("h%d.example.com", i), seed: uint64(i), rng: rand.New(rand.NewPCG(uint64(i), 1)), mean: time.Duration(10+r.IntN(300)) * time.Millisecond}
		at := i
		if i%10 == 0 { // some share an address with nine others
			at = i / 100 * 100
		}
		h.alone = i%10 != 0
		h.addr = netip.AddrFrom4([4]byte{8, 8, byte(at >> 8), byte(at)})
		rules := &robots.Rules{}
		if p := r.Float64(); p < .1 {
			h.delay = time.Duration(r.IntN(20_000)) * time.Millisecond
			rules.Delay = h.delay
		}
		n.live.robots.of["http://"+h.name] = &robotsLookup{v: &verdict{rules: rules}}
		n.hosts[h.name] = h
		h.possible = possible(*h, n.setting)
	}
	return n
}

// possible is how many requests to the host fit into the night, each at the first moment that it may be sent.
func possible(h nightHost, setting time.Duration) (count int) {
	h.rng = rand.New(rand.NewPCG(h.seed, 1))
	for at, now := time.Duration(0), time.Now(); at < nightLasts; count++ {
		a := h.draw(now.Add(at))
		at += a.took
		at += h.owed(a, setting, now.Add(at))
	}
	return count
}

// ask sends one request to a host, and checks that it may be sent.
func (n *night) ask(e frontier.Entry) (later bool) {
	h, x := n.hosts[e.Host], &Exchange{URL: e.URL}
	ctx := withWaitLimit(n.t.Context(), shortWait)
	v, err := n.live.startRequest(ctx, &Response{}, x)
	if _, ok := errors.AsType[*errNotReady](err); ok {
		return true
	}
	if err != nil {
		n.t.Error(err)
		return true
	}
	at := time.Since(n.began)
	n.mu.Lock()
	if h.busy {
		n.t.Errorf("two requests to %s at once", h.name)
	}
	if h.n > 0 && at < h.ended+h.gap {
		n.t.Errorf("%s asked %v early, after %v", h.name, h.ended+h.gap-at, at)
	}
	if other := n.addrs[h.addr]; other != "" {
		n.t.Errorf("%s and %s asked at once at %s", h.name, other, h.addr)
	}
	h.busy, n.addrs[h.addr] = true, h.name
	n.starts[int(at/time.Second)]++
	n.mu.Unlock()

	a := h.draw(n.now())
	time.Sleep(a.took)
	x.Status, x.Took = a.status, a.took
	header := http.Header{}
	if a.retry != "" {
		header.Set("Retry-After", a.retry)
	}
	ended := n.now()
	n.mu.Lock()
	h.busy, h.ended, h.gap = false, time.Since(n.began), h.owed(a, n.setting, ended)
	h.n++
	n.done++
	delete(n.addrs, h.addr)
	n.mu.Unlock()
	n.live.endRequest(ctx, v, x, header, a.err)
	return false
}

// jumps are when the clock is set, and by how much: after a suspend, by a person, by a year.
var jumps = map[time.Duration]time.Duration{
	25 * time.Second: 8 * time.Hour,
	40 * time.Second: -24 * time.Hour,
	55 * time.Second: 365 * 24 * time.Hour,
}

// run crawls like the crawl's loop: with a frontier and workers, and pages put back after Later.
func (n *night) run() {
	f := frontier.New(0, n.live.ReadyAt)
	page := map[string]int{}
	add := func(host string) {
		page[host]++
		f.Add(frontier.Entry{URL: fmt.Sprintf("http://%s/%d", host, page[host]), Host: host})
	}
	for host := range n.hosts {
		add(host)
		add(host)
	}
	for at, by := range jumps {
		time.AfterFunc(at, func() {
			n.mu.Lock()
			n.shift += by
			n.mu.Unlock()
		})
	}
	type result struct {
		e     frontier.Entry
		later bool
	}
	results := make(chan result, 100)
	const workers = 2000
	for flying := 0; ; {
		wait := time.Second
		for flying < workers && time.Since(n.began) < nightLasts {
			now := n.now()
			e, next, ok := f.Pop(0, now)
			if !ok {
				wait = min(wait, max(next.Sub(now), time.Millisecond))
				break
			}
			flying++
			go func() { results <- result{e, n.ask(e)} }()
		}
		if flying == 0 && time.Since(n.began) >= nightLasts {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case r := <-results:
			flying--
			if r.later {
				f.Return(r.e)
			} else {
				add(r.e.Host)
			}
			f.Release(r.e.Host)
		case <-timer.C:
		}
		timer.Stop()
	}
}

// TestNight crawls 5,000 hosts with more than 100,000 requests, slow answers, Crawl-delays, Retry-Afters, failures and a
// clock that jumps. No pause of a host is cut short, no host or address gets two requests at once, no jump causes a burst,
// and hosts get nearly as many requests as they allow.
func TestNight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hosts := 5000
		if testing.Short() { // for the race detector, which makes this test ten times as slow
			hosts = 1000
		}
		n := newNight(t, hosts)
		n.run()
		done, possible := 0, 0
		for _, h := range n.hosts {
			if h.alone {
				done += h.n
				possible += h.possible
			}
		}
		if share := float64(done) / float64(possible); share < .95 {
			t.Errorf("%d requests; %d were possible", done, possible)
		}
		if n.done < 20*hosts {
			t.Errorf("%d requests are too few to tell", n.done)
		}
		normal := 0 // most in a second once all hosts were asked for the first time
		for s := 8; s < 25; s++ {
			normal = max(normal, n.starts[s])
		}
		for s := 25; s < int(nightLasts/time.Second); s++ {
			if n.starts[s] > normal*11/10 {
				t.Errorf("%d requests in second %d; at most %d before the clock jumped", n.starts[s], s, normal)
			}
		}
		t.Logf("%d requests to %d hosts, %d of %d possible where nobody shares an address, at most %d a second", n.done, len(n.hosts), done, possible, normal)
	})
}
