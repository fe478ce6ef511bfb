package worker

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
)

// night is a machine that sleeps and whose clock is set. Its monotonic clock is that of the bubble, and stands still while it sleeps.
type night struct {
	mu    sync.Mutex
	slept time.Duration // since the start
	set   time.Duration // how far the clock was set
}

// wall is what the machine's clock shows.
func (n *night) wall() time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return time.Now().Add(n.slept + n.set)
}

// real is the time of everybody else.
func (n *night) real() time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return time.Now().Add(n.slept)
}

// sleeps lets the machine sleep; it wakes in the same moment of its monotonic clock.
func (n *night) sleeps(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.slept += d
}

// sets sets the machine's clock.
func (n *night) sets(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.set += d
}

// lease is what the daemon knows of a task that it granted.
type lease struct{ granted, until time.Time }

// site is a web server that checks that each request comes within the lease of its task.
type site struct {
	t      *testing.T
	night  *night
	mu     sync.Mutex
	leases map[string]lease
	hits   int
}

// request takes a request for a task.
func (s *site) request(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hits++
	l, ok := s.leases[id]
	if now := s.night.real(); !ok || now.After(l.until) || now.Before(l.granted) {
		s.t.Errorf("task %s: a request %v after its lease", id, now.Sub(l.until))
	}
}

// socket is a connection to the site.
type socket struct {
	net.Conn
	site *site
}

func (c *socket) Write(b []byte) (int, error) {
	c.site.request(string(b))
	return len(b), nil
}

func (c *socket) Close() error { return nil }

func (c *socket) Read([]byte) (int, error) { return 0, io.EOF }

// TestNoFetchAfterItsLease: whatever delays answers and fetches, however the machine sleeps and its clock is set, no request
// reaches a site outside the lease of its task, which the daemon measures by its own clock.
func TestNoFetchAfterItsLease(t *testing.T) {
	hits, late, slept := 0, 0, 0
	for seed := range uint64(200) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			n := &night{}
			s := &site{t: t, night: n, leases: map[string]lease{}}
			w := simulate(t, r, n, s)
			hits += s.hits
			late += int(w.late)
			slept += int(w.slept)
		})
	}
	if hits < 1000 || late < 50 || slept < 50 {
		t.Errorf("%d requests, %d late grants, %d sleeps over 5 s: too little happened to prove anything", hits, late, slept)
	}
}

// happened counts what a simulation came by.
type happened struct{ late, slept int64 }

// slack is what a lease has besides the two times of its task. The real ones have 10 s: a sleep too short to be noticed as one, and
// the time until the next look at the clock, are less.
const slack = maxJump + 2*checkEvery

// simulate lets a worker work for some minutes on a troubled machine and network.
func simulate(t *testing.T, r *rand.Rand, n *night, s *site) (what happened) {
	var mu sync.Mutex // of r
	chance := func(p float64) bool { mu.Lock(); defer mu.Unlock(); return r.Float64() < p }
	upTo := func(d time.Duration) time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return time.Duration(r.Int64N(int64(d)))
	}
	d := newDaemon()
	var number int
	d.grant = func(free int) (g work.Grant, _ error) {
		time.Sleep(upTo(2 * time.Second)) // on the way there
		for range free {
			number++
			k := task(fmt.Sprint(number), fmt.Sprintf("h%d.example", number))
			now := n.real()
			s.mu.Lock()
			s.leases[k.ID] = lease{now, now.Add(k.StartWithin + k.FetchTimeout + slack)}
			s.mu.Unlock()
			g.Tasks = append(g.Tasks, k)
		}
		if chance(.3) { // and back
			delay := upTo(40 * time.Second)
			time.Sleep(delay)
			if delay > 10*time.Second {
				what.late++
			}
		}
		return g, nil
	}
	o := optionsOf(d, nil)
	o.Wall = n.wall
	o.Hands = func(l fetch.LiveOptions) Hands {
		return doing(func(ctx context.Context, k work.Task) (res work.Result) {
			var c net.Conn
			for range 1 + upTo(8) { // the last of them stubborn: they go on though ctx has ended
				if c == nil || chance(.3) {
					var err error
					if c, err = l.Conn(ctx, &socket{site: s}); err != nil {
						return res
					}
				}
				if ctx.Err() == nil {
					_, _ = c.Write([]byte(k.ID))
				}
				select {
				case <-time.After(upTo(12 * time.Second)):
				case <-ctx.Done():
					if chance(.5) {
						return res
					}
				}
			}
			return res
		})
	}
	drain, done := run(t.Context(), o)
	for range 30 {
		time.Sleep(upTo(10 * time.Second))
		switch {
		case chance(.15):
			n.sleeps(upTo(time.Hour))
			what.slept++
		case chance(.3):
			n.sleeps(upTo(4 * time.Second))
		case chance(.1):
			n.sets(upTo(2*time.Hour) - time.Hour)
		}
	}
	close(drain)
	if err := <-done; err != nil {
		t.Error(err)
	}
	return what
}
