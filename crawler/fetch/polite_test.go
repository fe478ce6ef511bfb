package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler/clock"
)

// TestTurns sends many requests to two hosts at once: to each one at a time, its delay apart, the hosts side by side.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(clock.System)
		const delay, takes, n = 2 * time.Second, 300 * time.Millisecond, 10
		var mu sync.Mutex
		ended := map[string]time.Time{}
		busy := map[string]bool{}
		start := time.Now()
		var wg sync.WaitGroup
		for i := range 2 * n {
			host := []string{"a.test", "b.test"}[i%2]
			wg.Go(func() {
				v, err := turns.acquire(t.Context(), host)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if busy[host] {
					t.Errorf("two requests to %s at once", host)
				}
				if last, ok := ended[host]; ok && time.Since(last) < delay {
					t.Errorf("%s after the last request to %s", time.Since(last), host)
				}
				busy[host] = true
				mu.Unlock()
				time.Sleep(takes)
				mu.Lock()
				busy[host], ended[host] = false, time.Now()
				mu.Unlock()
				v.release(delay)
			})
		}
		wg.Wait()
		if took, want := time.Since(start), n*takes+(n-1)*delay; took != want {
			t.Errorf("took %v; want %v", took, want)
		}
	})
}

func TestTurnsReadyAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(clock.System)
		in := func(want time.Duration) {
			t.Helper()
			at := turns.readyAt("a", func() time.Duration { return time.Second })
			if at.IsZero() && want == 0 {
				return
			}
			if got := time.Until(at); got != want {
				t.Errorf("ready in %v; want %v", got, want)
			}
		}
		in(0)
		v := mustAcquire(t, turns, "a")
		in(time.Second) // being asked: not before it has ended and the delay has passed
		v.release(3 * time.Second)
		in(3 * time.Second)
		time.Sleep(2 * time.Second)
		in(time.Second)
		time.Sleep(time.Second)
		in(0)
	})
}

func mustAcquire(tb testing.TB, turns *turns, host string) *visit {
	tb.Helper()
	v, err := turns.acquire(tb.Context(), host)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// wait is how long the host is to be left alone.
func (t *turns) wait(host string) time.Duration {
	at := t.readyAt(host, func() time.Duration { return 0 })
	return max(at.Sub(t.clock.Now()), 0)
}

func TestTurnsSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(clock.System)
		for _, want := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute, time.Hour, time.Hour} {
			turns.silence("a", 0)
			if got := turns.wait("a"); got != want {
				t.Errorf("silence %v; want %v", got, want)
			}
			time.Sleep(want)
		}
		turns.answered("a")
		turns.silence("a", 0)
		if got := turns.wait("a"); got != firstSilence {
			t.Errorf("after an answer: silence %v", got)
		}
		turns.silence("a", 10*time.Minute)
		if got := turns.wait("a"); got != 10*time.Minute {
			t.Errorf("as asked: silence %v", got)
		}
		turns.silence("a", 1000*time.Hour)
		if got := turns.wait("a"); got != maxSilence {
			t.Errorf("too much asked: silence %v", got)
		}
		for _, p := range []patience{shortly, persistent} {
			var later *errLater
			if _, err := turns.acquire(withPatience(t.Context(), p), "a"); !errors.As(err, &later) || later.again != p.again || time.Until(later.at) != maxSilence {
				t.Errorf("a host that is silent for a day: %v", err)
			}
		}
		// A host that becomes busy while somebody waits for it is waited for anew.
		mustAcquire(t, turns, "b").release(time.Second)
		done := make(chan time.Time)
		go func() {
			v, err := turns.acquire(t.Context(), "b")
			if err != nil {
				t.Error(err)
			} else {
				v.release(0)
			}
			done <- time.Now()
		}()
		synctest.Wait()
		want := time.Now().Add(40 * time.Second)
		turns.silence("b", 40*time.Second)
		if got := <-done; !got.Equal(want) {
			t.Errorf("asked %v early", want.Sub(got))
		}
	})
}

func TestTurnsFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(clock.System)
		for _, want := range []time.Duration{16 * time.Minute, 32 * time.Minute, lastSilence, lastSilence} {
			turns.failed("a", 16*time.Minute)
			if got := turns.wait("a"); got != want {
				t.Errorf("left alone for %v; want %v", got, want)
			}
			time.Sleep(want)
		}
		for range 100 {
			turns.failed("b", 0)
			turns.failed("c", time.Nanosecond)
		}
		if b, c := turns.wait("b"), turns.wait("c"); b != 0 || c <= 0 || c > lastSilence {
			t.Errorf("the person's own host is left alone for %v, another for %v", b, c)
		}
		if n := turns.troubles("b"); n != 100 {
			t.Errorf("%d troubles", n)
		}
		if turns.answered("b"); turns.troubles("b") != 0 || turns.troubles("none") != 0 {
			t.Error("troubles stay")
		}
	})
}

// TestTurnsPatience waits for a host that is being asked, no longer than it has patience.
func TestTurnsPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(clock.System)
		v, start := mustAcquire(t, turns, "a"), time.Now()
		var later *errLater
		if _, err := turns.acquire(withPatience(t.Context(), shortly), "a"); !errors.As(err, &later) || time.Since(start) != shortly.most {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		v.release(2 * time.Second)
		if _, err := turns.acquire(withPatience(t.Context(), shortly), "a"); !errors.As(err, &later) || time.Since(start) != shortly.most {
			t.Errorf("what is known to be too long is waited for: %v after %v", err, time.Since(start))
		}
		time.Sleep(2*time.Second - shortly.most/2)
		if v, err := turns.acquire(withPatience(t.Context(), shortly), "a"); err != nil {
			t.Error(err)
		} else {
			v.release(0)
		}
	})
}

// TestTurnsCanceled gives waiting up: the host's turn is free for the next.
func TestTurnsCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(clock.System)
		v := mustAcquire(t, turns, "a")
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := turns.acquire(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			cancel()
		}
		v.release(time.Minute)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := turns.acquire(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		mustAcquire(t, turns, "a").release(0)
		turns.forget()
		if len(turns.hosts) != 0 {
			t.Errorf("%d hosts are remembered", len(turns.hosts))
		}
	})
}

// TestTurnsForget meets many hosts: those that may be asked at once are forgotten, no silence is, and neither that a host
// was in trouble lately.
func TestTurnsForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(clock.System)
		const silent = 2 * maxTurns
		for i := range silent {
			turns.silence(fmt.Sprint("silent", i), time.Hour)
		}
		turns.failed("trouble", time.Second)
		time.Sleep(2 * time.Second)
		for i := range 10 * maxTurns {
			mustAcquire(t, turns, fmt.Sprint("quick", i)).release(0)
		}
		for i := range silent {
			if got := turns.wait(fmt.Sprint("silent", i)); got != time.Hour-2*time.Second {
				t.Fatalf("host %d: silence %v", i, got)
			}
		}
		if turns.troubles("trouble") != 1 {
			t.Error("trouble is forgotten")
		}
		if n := len(turns.hosts); n > 2*silent+maxTurns {
			t.Errorf("%d hosts are remembered", n)
		}
		time.Sleep(3 * time.Hour)
		if turns.forget(); len(turns.hosts) != 0 || len(turns.seats) != 0 {
			t.Errorf("%d hosts are remembered when all is quiet", len(turns.hosts))
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                              -1,
		"120":                           2 * time.Minute,
		" 5 ":                           5 * time.Second,
		"0":                             0,
		"-5":                            -1,
		"soon":                          -1,
		"999999999":                     maxSilence,
		"99999999999999999999999999":    maxSilence,
		"Thu, 05 Nov 2026 12:01:00 GMT": time.Minute,
		"Thu, 05 Nov 2020 12:01:00 GMT": -1,
	} {
		got := retryAfter(value, now)
		if want < 0 && !got.IsZero() || want >= 0 && got.Sub(now) != want {
			t.Errorf("%q: %v; want in %v", value, got, want)
		}
	}
}

// TestLiveDelays looks at the delays that hosts get, and at a server that is too busy.
func TestLiveDelays(t *testing.T) {
	busy := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
	}
	w := mustWeb(t, map[string]http.HandlerFunc{
		"slow.test/robots.txt": say("User-agent: *\nCrawl-delay: 7200"), "slow.test/": say("x"),
		"a.test/": say("x"), "busy.test/": busy,
	})
	l, began := w.mustLive(t, LiveOptions{}), time.Now()
	for url, want := range map[string]time.Duration{"http://a.test/": 0, "http://www.example.com/": minDelay, "http://8.8.8.8/": minDelay} {
		if got := l.delay(url); got != want {
			t.Errorf("%s: delay %v; want %v", url, got, want)
		}
	}
	if got := w.mustLive(t, LiveOptions{Delay: 3 * time.Second}).delay("http://a.test/"); got != 3*time.Second {
		t.Errorf("delay %v as set", got)
	}
	// The first request reads robots.txt; the page would have to wait two hours, longer than a fetch does.
	if got := l.Fetch(t.Context(), "http://slow.test/"); got.Outcome != Later || got.Reason == "" || len(got.Exchanges) != 1 {
		t.Errorf("%+v", got)
	}
	in := func(wait time.Duration, url string) {
		t.Helper()
		if ready := l.ReadyAt(url).Add(-wait); ready.Before(began) || ready.After(time.Now()) {
			t.Errorf("%s is ready %v too late or too early", url, ready.Sub(began))
		}
	}
	in(7200*time.Second, "http://slow.test/x")
	if got := l.Fetch(t.Context(), "http://busy.test/"); got.Outcome != Status || got.Status != 429 {
		t.Errorf("%+v", got)
	}
	in(600*time.Second, "http://busy.test/x")
	if !l.ReadyAt("http://a.test/").IsZero() {
		t.Error("an opened host without delay has to wait")
	}
	if n := len(w.asked()); n != 1 {
		t.Errorf("asked %d times: %v", n, w.asked())
	}
}

// TestRobotsExpires asks for robots.txt again when what is known is too old, or comes from the future.
func TestRobotsExpires(t *testing.T) {
	now := time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	cache := newRobotsCache(clock.Func(func() time.Time { return now }))
	asked := 0
	get := func() {
		cache.get(t.Context(), "http://a.test", func() *verdict {
			asked++
			return &verdict{rules: &rules{size: 10}, read: now, keep: robotsKept}
		})
	}
	for _, step := range []struct {
		by   time.Duration
		want int
	}{{0, 1}, {time.Hour, 1}, {23*time.Hour - 1, 1}, {1, 2}, {-2 * time.Hour, 3}, {time.Hour, 3}} {
		now = now.Add(step.by)
		if get(); asked != step.want {
			t.Errorf("after %v: asked %d times; want %d", step.by, asked, step.want)
		}
	}
	if cache.size != 10 {
		t.Errorf("cache holds %d bytes", cache.size)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if v := cache.get(ctx, "http://b.test", func() *verdict { return &verdict{} }); v != nil || len(cache.of) != 1 {
		t.Errorf("a lookup that was broken off is kept: %v", v)
	}
}
