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
	"nightjar/crawler/robots"
)

// TestHostLimiter sends many requests to two hosts at once: each gets one at a time, with its delay between them, and the
// hosts run in parallel.
func TestHostLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newHostLimiter(clock.System)
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

// TestStateIsNotEarlier: however long a look at the clock takes, the state that is kept of a host lets nobody ask it sooner.
func TestStateIsNotEarlier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := clock.Func(func() time.Time {
			now := time.Now()
			time.Sleep(3 * time.Millisecond)
			return now
		})
		turns := newHostLimiter(slow)
		v, err := turns.acquire(t.Context(), "a.test")
		if err != nil {
			t.Fatal(err)
		}
		v.release(time.Second)
		wants := time.Now().Add(time.Second)
		if state, _ := turns.state("a.test"); state.NotBefore.Before(wants) {
			t.Errorf("kept %v before its time", wants.Sub(state.NotBefore))
		}
	})
}

func TestHostLimiterReadyAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newHostLimiter(clock.System)
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
		in(time.Second) // a request is running: not before it has ended and the delay has passed
		v.release(3 * time.Second)
		in(3 * time.Second)
		time.Sleep(2 * time.Second)
		in(time.Second)
		time.Sleep(time.Second)
		in(0)
	})
}

func mustAcquire(tb testing.TB, turns *hostLimiter, host string) *slot {
	tb.Helper()
	v, err := turns.acquire(tb.Context(), host)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// wait is how long the host has to rest.
func (t *hostLimiter) wait(host string) time.Duration {
	at := t.readyAt(host, func() time.Duration { return 0 })
	return max(at.Sub(t.clock.Now()), 0)
}

func TestHostLimiterSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newHostLimiter(clock.System)
		for _, want := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute, time.Hour, time.Hour} {
			turns.silence("a", 0)
			if got := turns.wait("a"); got != want {
				t.Errorf("silence %v; want %v", got, want)
			}
			time.Sleep(want)
		}
		turns.answered("a")
		turns.silence("a", 0)
		if got := turns.wait("a"); got != firstBackoff {
			t.Errorf("after an answer: silence %v", got)
		}
		turns.silence("a", 10*time.Minute)
		if got := turns.wait("a"); got != 10*time.Minute {
			t.Errorf("with Retry-After: silence %v", got)
		}
		turns.silence("a", 1000*time.Hour)
		if got := turns.wait("a"); got != maxSilence {
			t.Errorf("with too long a Retry-After: silence %v", got)
		}
		for _, p := range []waitLimit{shortWait, longWait} {
			var later *errNotReady
			if _, err := turns.acquire(withWaitLimit(t.Context(), p), "a"); !errors.As(err, &later) || later.canRetry != p.canRetry || time.Until(later.at) != maxSilence {
				t.Errorf("a host that is silent for a day: %v", err)
			}
		}
		// A request waits longer when its host gets busy meanwhile.
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
			t.Errorf("sent %v early", want.Sub(got))
		}
	})
}

func TestHostLimiterFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newHostLimiter(clock.System)
		for _, want := range []time.Duration{16 * time.Minute, 32 * time.Minute, maxBackoff, maxBackoff} {
			turns.failed("a", 16*time.Minute)
			if got := turns.wait("a"); got != want {
				t.Errorf("rests for %v; want %v", got, want)
			}
			time.Sleep(want)
		}
		for range 100 {
			turns.failed("b", 0)
			turns.failed("c", time.Nanosecond)
		}
		if b, c := turns.wait("b"), turns.wait("c"); b != 0 || c <= 0 || c > maxBackoff {
			t.Errorf("a host without delay rests for %v, another for %v", b, c)
		}
		if n := inRow(turns, "b"); n != 100 {
			t.Errorf("%d failures in a row", n)
		}
		if turns.answered("b"); inRow(turns, "b") != 0 || inRow(turns, "none") != 0 {
			t.Error("failures are not reset")
		}
	})
}

// TestHostLimiterWaitLimit waits for a host with a running request, no longer than the limit.
func TestHostLimiterWaitLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newHostLimiter(clock.System)
		v, start := mustAcquire(t, turns, "a"), time.Now()
		var later *errNotReady
		if _, err := turns.acquire(withWaitLimit(t.Context(), shortWait), "a"); !errors.As(err, &later) || time.Since(start) != shortWait.max {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		v.release(2 * time.Second)
		if _, err := turns.acquire(withWaitLimit(t.Context(), shortWait), "a"); !errors.As(err, &later) || time.Since(start) != shortWait.max {
			t.Errorf("waits although the limit cannot be kept: %v after %v", err, time.Since(start))
		}
		time.Sleep(2*time.Second - shortWait.max/2)
		if v, err := turns.acquire(withWaitLimit(t.Context(), shortWait), "a"); err != nil {
			t.Error(err)
		} else {
			v.release(0)
		}
	})
}

// TestHostLimiterCanceled cancels a wait: the host is free for the next request.
func TestHostLimiterCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newHostLimiter(clock.System)
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

// TestHostLimiterForget uses many hosts: those that are ready are forgotten, silences and recent failures are not.
func TestHostLimiterForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newHostLimiter(clock.System)
		const silent = 2 * maxHosts
		for i := range silent {
			turns.silence(fmt.Sprint("silent", i), time.Hour)
		}
		turns.failed("trouble", time.Second)
		time.Sleep(2 * time.Second)
		for i := range 10 * maxHosts {
			mustAcquire(t, turns, fmt.Sprint("quick", i)).release(0)
		}
		for i := range silent {
			if got := turns.wait(fmt.Sprint("silent", i)); got != time.Hour-2*time.Second {
				t.Fatalf("host %d: silence %v", i, got)
			}
		}
		if inRow(turns, "trouble") != 1 {
			t.Error("a failure is forgotten")
		}
		if n := len(turns.hosts); n > 2*silent+maxHosts {
			t.Errorf("%d hosts are remembered", n)
		}
		time.Sleep(3 * time.Hour)
		if turns.forget(); len(turns.hosts) != 0 || len(turns.addrs) != 0 {
			t.Errorf("%d hosts are remembered when all are ready", len(turns.hosts))
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                              0,
		"120":                           2 * time.Minute,
		" 5 ":                           5 * time.Second,
		"0":                             0,
		"-5":                            0,
		"soon":                          0,
		"999999999":                     maxSilence,
		"99999999999999999999999999":    maxSilence,
		"Thu, 05 Nov 2026 12:01:00 GMT": time.Minute,
		"Thu, 05 Nov 2020 12:01:00 GMT": 0,
	} {
		got := retryAfter(value, now)
		if got != want {
			t.Errorf("%q: %v; want %v", value, got, want)
		}
	}
}

// TestLiveDelays checks the delays of hosts, and a server that is too busy.
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
		t.Error("an opened host without delay is not ready")
	}
	if n := len(w.asked()); n != 1 {
		t.Errorf("%d requests: %v", n, w.asked())
	}
}

// TestRobotsExpires fetches robots.txt again when the cached verdict is too old: by the clock, which goes on while the machine
// sleeps, or by the time that has really passed, also when the clock was set back. Nothing expires because it was set back.
func TestRobotsExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var set time.Duration // how far the clock was set forward
		shown := clock.Func(func() time.Time { return time.Now().Add(set) })
		cache := newRobotsCache(shown)
		asked := 0
		get := func() {
			cache.get(t.Context(), "http://a.test", func() *verdict {
				asked++
				return &verdict{rules: &robots.Rules{Size: 10}, read: shown.Now(), began: clock.Since(shown, cache.began), keep: robotsTTL}
			})
		}
		for i, step := range []struct {
			set, pass time.Duration
			want      int
		}{{0, 0, 1}, {0, time.Hour, 1}, {0, 23*time.Hour - 1, 1}, {0, 1, 2}, {-48 * time.Hour, time.Hour, 2}, {0, 23*time.Hour - 1, 2}, {0, 1, 3}, {23 * time.Hour, 0, 3}, {time.Hour, 0, 4}} {
			set += step.set
			time.Sleep(step.pass)
			if get(); asked != step.want {
				t.Errorf("step %d: asked %d times; want %d", i, asked, step.want)
			}
		}
		if cache.size != 10 {
			t.Errorf("cache holds %d bytes", cache.size)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if v := cache.get(ctx, "http://b.test", func() *verdict { return &verdict{} }); v != nil || len(cache.of) != 1 {
			t.Errorf("a canceled lookup is cached: %v", v)
		}
	})
}

// inRow is how often in a row a host was too busy or failed.
func inRow(t *hostLimiter, host string) int {
	h := t.peek(host)
	return h.inRow()
}
