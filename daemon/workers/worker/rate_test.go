package worker

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// source is a connection that always has something to read.
type source struct {
	net.Conn
	read int // largest read
}

func (s *source) Read(b []byte) (int, error)  { s.read = max(s.read, len(b)); return len(b), nil }
func (s *source) Write(b []byte) (int, error) { return len(b), nil }
func (s *source) Close() error                { return nil }

// TestRate: all connections together read at the rate of --max-mbit, and none of them waits long.
func TestRate(t *testing.T) {
	for _, mbit := range []float64{.5, 2, 50} {
		synctest.Test(t, func(t *testing.T) {
			const span = 20 * time.Second
			limit, fetches := newThrottle(mbit), atOnce(mbit, 32)
			var mu sync.Mutex
			var all sync.WaitGroup
			var total int
			var longest time.Duration
			for range fetches {
				all.Go(func() {
					c := newConn(&source{}, limit, watch{time.Now})
					buf := make([]byte, 64<<10)
					for began := time.Now(); time.Since(began) < span; {
						at := time.Now()
						n, err := c.Read(buf)
						if err != nil {
							t.Error(err)
						}
						mu.Lock()
						total += n
						longest = max(longest, time.Since(at))
						mu.Unlock()
					}
				})
			}
			all.Wait()
			if got := float64(total) / span.Seconds() / bytesPerMbit; got < .9*mbit || got > 1.1*mbit {
				t.Errorf("%d fetches read %.2f Mbit/s with a limit of %v", fetches, got, mbit)
			}
			if longest > 2*time.Second {
				t.Errorf("with %v Mbit/s one of %d waited %v for its turn", mbit, fetches, longest)
			}
		})
	}
}

// TestAtOnce: so few fetches share a low rate that each has enough of it.
func TestAtOnce(t *testing.T) {
	for mbit, want := range map[float64]int{0: 32, 100: 32, 1: 7, .5: 3, .01: 1} {
		if got := atOnce(mbit, 32); got != want {
			t.Errorf("%v Mbit/s: %d at once, want %d", mbit, got, want)
		}
	}
}

// TestConnAfterSleep: a connection that was open while the machine slept neither sends nor returns anything more.
func TestConnAfterSleep(t *testing.T) {
	for _, d := range []time.Duration{6 * time.Second, time.Hour, -6 * time.Second} {
		n := &night{}
		c := newConn(&source{}, throttle{}, watch{n.wall})
		if _, err := c.Write([]byte("a")); err != nil {
			t.Error(err)
		}
		n.sets(4 * time.Second) // the clock is set by little
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		n.sets(d)
		if _, err := c.Write([]byte("a")); !errors.Is(err, errSlept) {
			t.Errorf("%v: a write after it: %v", d, err)
		}
	}
}

// TestCloseEndsReads: a connection that waits for its turn to read ends when it is closed.
func TestCloseEndsReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newThrottle(.001)
		c := newConn(&source{}, limit, watch{time.Now})
		done := make(chan error)
		go func() {
			_, err := io.Copy(io.Discard, c)
			done <- err
		}()
		time.Sleep(time.Minute)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; !errors.Is(err, net.ErrClosed) {
			t.Errorf("the read ended with %v", err)
		}
	})
}

// TestWatch: elapsed time is that of the clock that shows more of it.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &night{}
		w := watch{n.wall}
		for _, c := range []struct {
			runs, sleeps, want time.Duration
			jumped             bool
		}{
			{10 * time.Second, 0, 10 * time.Second, false},
			{10 * time.Second, 4 * time.Second, 14 * time.Second, false},
			{10 * time.Second, -4 * time.Second, 10 * time.Second, false},
			{time.Second, time.Hour, time.Hour + time.Second, true},
			{time.Second, -time.Hour, time.Second, true},
		} {
			m := w.now()
			time.Sleep(c.runs)
			n.sets(c.sleeps)
			if got := w.since(m); got != c.want || w.jumped(m) != c.jumped {
				t.Errorf("%v and a jump of %v: %v elapsed, jumped %t", c.runs, c.sleeps, got, w.jumped(m))
			}
		}
	})
}
