package farm

import (
	"net/http"
	"testing"
	"time"
)

// outcomes requests each host's front page n times and returns the statuses, 0 for none.
func outcomes(t *testing.T, f *Farm, n int) (all []int) {
	t.Helper()
	for _, url := range f.Starts() {
		for range n {
			answer, _, err := ask(f, url)
			if err != nil {
				all = append(all, 0)
			} else {
				all = append(all, answer.StatusCode)
			}
		}
	}
	return all
}

func count(all []int, status int) (n int) {
	for _, s := range all {
		n += one(s == status)
	}
	return n
}

// TestFaults checks the shares of faults, and that two farms with the same seed behave the same.
func TestFaults(t *testing.T) {
	o := Options{Hosts: 10, Pages: 10, Seed: 5, Faults: Faults{Errors: 1, Resets: .1}}
	a := outcomes(t, mustOpen(t, o), 60)
	b := outcomes(t, mustOpen(t, o), 60)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("request %d: %d, and by the same seed %d", i, a[i], b[i])
		}
	}
	bad := count(a, 500) + count(a, 503)
	if resets := count(a, 0); resets < 30 || resets > 90 || bad < 20 || bad > 120 || count(a, 200)+resets+bad != 600 {
		t.Errorf("of 600 requests %d were reset, %d errors, %d good", resets, bad, count(a, 200))
	}
	f := mustOpen(t, Options{Hosts: 4, Pages: 4, Faults: Faults{Dead: 1}})
	if got := outcomes(t, f, 2); count(got, 0) != 8 || settled(f).Resets != 8 {
		t.Errorf("dead hosts answer %v; counted %+v", got, settled(f))
	}
}

// TestLimits requests pages until a host answers 429: it does so until Retry-After has ended, and counts early requests.
func TestLimits(t *testing.T) {
	clock := &shownClock{now: time.Date(2026, 11, 5, 1, 0, 0, 0, time.UTC)}
	f := mustOpen(t, Options{Hosts: 1, Pages: 1, Clock: clock, Faults: Faults{Limits: 1, RetryAfter: time.Minute}})
	front := f.Starts()[0]
	for i := 0; ; i++ {
		answer, _ := mustAsk(t, f, front)
		if answer.StatusCode == http.StatusTooManyRequests {
			if got := answer.Header.Get("Retry-After"); got != "60" {
				t.Errorf("Retry-After %q", got)
			}
			break
		}
		if i > 100*limitEvery {
			t.Fatal("no limit in so many requests")
		}
	}
	clock.now = clock.now.Add(59500 * time.Millisecond)
	answer, _ := mustAsk(t, f, front)
	if answer.StatusCode != http.StatusTooManyRequests || answer.Header.Get("Retry-After") != "1" || settled(f).Early != 1 {
		t.Errorf("half a second early: %d, Retry-After %q, %+v", answer.StatusCode, answer.Header.Get("Retry-After"), settled(f))
	}
	clock.now = clock.now.Add(500 * time.Millisecond)
	mustAsk(t, f, front)
	if s := settled(f); s.Early != 1 || s.Limits < 2 {
		t.Errorf("after the time was over: %+v", s)
	}
}

// TestLatency checks the mean latency, which is ten times as long for slow hosts.
func TestLatency(t *testing.T) {
	for _, slow := range []float64{0, 1} {
		o := Options{Faults: Faults{Latency: time.Second, Slow: slow}}
		h := newHost(1, &o)
		var sum time.Duration
		const n = 4000
		for i := range uint64(n) {
			sum += h.plan(i, time.Time{}, &o.Faults).wait
		}
		mean, want := sum/n, time.Second*time.Duration(1+9*slow)
		if mean < want*9/10 || mean > want*11/10 { // the mean of 4,000 draws is within 5 % in 999 of 1,000 cases
			t.Errorf("mean %v, want about %v", mean, want)
		}
	}
	f := mustOpen(t, Options{Hosts: 1, Pages: 1, Faults: Faults{Latency: time.Microsecond}})
	mustAsk(t, f, f.Starts()[0])
}
