package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
)

// run starts a worker and returns what ends it: drain, then done with Run's error.
func run(ctx context.Context, o Options) (drain chan struct{}, done chan error) {
	drain, done = make(chan struct{}), make(chan error, 1)
	go func() { done <- Run(ctx, drain, o) }()
	return drain, done
}

// TestWorks: a worker does what it is granted, asks for as many as it can start, and ends without error after a drain.
func TestWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDaemon()
		var tasks []work.Task
		for i := range 10 {
			tasks = append(tasks, task(fmt.Sprint(i), fmt.Sprintf("h%d.example", i)))
		}
		d.grant = queue(tasks...)
		drain, done := run(t.Context(), optionsOf(d, after(time.Second)))
		time.Sleep(20 * time.Second)
		close(drain)
		if err := <-done; err != nil {
			t.Errorf("after a drain: %v", err)
		}
		if len(d.results) != 10 {
			t.Errorf("%d results of 10 tasks", len(d.results))
		}
		for _, n := range d.asks {
			if n < 1 || n > 4 {
				t.Errorf("asked for %d tasks with 4 at once", n)
			}
		}
		if got := d.last(); got.Done != 10 || got.Running != 0 || got.Waiting != 0 {
			t.Errorf("the last beat says %+v", got)
		}
		if h := d.hellos[0]; h.Name != "attic" || h.Version != work.Version || h.Parallel != 4 || h.Program != "1.0" || h.Parser != 1 {
			t.Errorf("hello %+v", h)
		}
	})
}

// TestDrainWaits: an order to drain lets running fetches end and their results go out, and asks for nothing more.
func TestDrainWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDaemon()
		d.grant = queue(task("a", "a.example"), task("b", "b.example"))
		_, done := run(t.Context(), optionsOf(d, after(10*time.Second)))
		time.Sleep(2 * time.Second)
		d.controls <- work.Control{Do: "drain"}
		synctest.Wait()
		asks, _ := d.count()
		if err := <-done; err != nil {
			t.Errorf("drained: %v", err)
		}
		if now, results := d.count(); results != 2 || now > asks+1 { // one request may have been under way
			t.Errorf("%d results of 2; %d requests after the order", results, now-asks)
		}
	})
}

// TestStops: when its context ends, or the daemon says stop, the worker ends at once and nothing is published.
func TestStops(t *testing.T) {
	for _, by := range []string{"context", "daemon", "broker"} {
		t.Run(by, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDaemon()
				d.grant = queue(task("a", "a.example"))
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				_, done := run(ctx, optionsOf(d, after(10*time.Second)))
				time.Sleep(time.Second)
				began := time.Now()
				switch by {
				case "context":
					stop()
				case "daemon":
					d.controls <- work.Control{Do: "stop", Why: "it was removed"}
				case "broker":
					d.why = errors.New("the invitation was revoked")
					close(d.ended)
				}
				err := <-done
				var refused *RefusedError
				if want := by != "context"; errors.As(err, &refused) != want || err == nil {
					t.Errorf("ended with %v", err)
				}
				if took := time.Since(began); took > time.Second || len(d.results) != 0 {
					t.Errorf("it ended after %v with %d results", took, len(d.results))
				}
			})
		})
	}
}

// TestRefused: a worker that may not work says why and what to do.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name    string
		welcome work.Welcome
		version int
		want    string
	}{
		{"by the daemon", work.Welcome{Version: 1, Refused: "the invitation was revoked; make another one"}, 1, "make another one"},
		{"old worker", work.Welcome{Version: 2, Program: "9.0"}, 1, "update Nightjar on this machine"},
		{"old daemon", work.Welcome{Version: 1, Program: "0.1"}, 2, "update the daemon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDaemon()
				d.welcome = c.welcome
				o := optionsOf(d, after(0))
				o.Version = c.version
				_, done := run(t.Context(), o)
				err := <-done
				var refused *RefusedError
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v; want words with %q", err, c.want)
				}
				if len(d.asks) > 0 {
					t.Error("it asked for tasks")
				}
			})
		})
	}
}

// TestComesBack: while the daemon does not answer, a worker tries again ever more seldom, and says hello before it works again.
func TestComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDaemon()
		var down atomic.Bool
		down.Store(true)
		tasks := queue(task("a", "a.example"))
		d.grant = func(n int) (work.Grant, error) {
			if down.Load() {
				return work.Grant{}, errDown
			}
			return tasks(n)
		}
		drain, done := run(t.Context(), optionsOf(d, after(time.Second)))
		time.Sleep(10 * time.Minute)
		if asks, _ := d.count(); asks < 20 || asks > 40 { // 30 s at most, less a quarter at most
			t.Errorf("%d requests in 10 minutes without an answer", asks)
		}
		if b := d.last(); !strings.Contains(b.Trouble, "no responders") {
			t.Errorf("the beat says %q", b.Trouble)
		}
		down.Store(false)
		time.Sleep(time.Minute)
		close(drain)
		if err := <-done; err != nil || len(d.results) != 1 {
			t.Errorf("%v, %d results", err, len(d.results))
		}
		if len(d.hellos) < 20 {
			t.Errorf("%d hellos: one is due after each failed request", len(d.hellos))
		}
	})
}

// TestGreetsAgain: when the connection or the daemon is a new one, a worker says hello again, and takes a new user agent.
func TestGreetsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDaemon()
		d.grant = queue(task("a", "a.example"))
		o := optionsOf(d, after(0))
		var agents []string
		o.Hands = func(l fetch.LiveOptions) Hands {
			d.mu.Lock()
			defer d.mu.Unlock()
			agents = append(agents, l.UserAgent)
			return after(20 * time.Second)
		}
		drain, done := run(t.Context(), o)
		time.Sleep(5 * time.Second)
		d.mu.Lock()
		d.welcome.UserAgent = "Nightjar/2.0"
		d.mu.Unlock()
		d.again <- struct{}{}
		time.Sleep(10 * time.Second)
		d.mu.Lock()
		made := len(agents)
		d.mu.Unlock()
		if made != 1 {
			t.Error("the hands changed in the middle of a task")
		}
		time.Sleep(time.Minute)
		close(drain)
		if err := <-done; err != nil || len(d.hellos) != 2 || len(agents) != 2 || agents[1] != "Nightjar/2.0" || len(d.results) != 1 {
			t.Errorf("%v: %d hellos, agents %q, %d results", err, len(d.hellos), agents, len(d.results))
		}
	})
}

// TestStreamFull: while results cannot be stored, a worker keeps at most as many as it does at once and asks for nothing. What is
// not stored within ten minutes is dropped.
func TestStreamFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDaemon()
		var granted atomic.Int64
		d.grant = func(free int) (g work.Grant, _ error) {
			for range free {
				n := granted.Add(1)
				g.Tasks = append(g.Tasks, task(fmt.Sprint(n), fmt.Sprintf("h%d.example", n)))
			}
			return g, nil
		}
		var full atomic.Bool
		full.Store(true)
		d.full = func() error {
			if full.Load() {
				return errors.New("maximum messages exceeded")
			}
			return nil
		}
		drain, done := run(t.Context(), optionsOf(d, after(time.Second)))
		time.Sleep(9 * time.Minute)
		if b, n := d.last(), granted.Load(); b.Waiting != 4 || b.Running != 0 || n != 4 || !strings.Contains(b.Trouble, "maximum messages") {
			t.Errorf("%d tasks were granted; the beat says %+v", n, b)
		}
		time.Sleep(2 * time.Minute) // the first four are too old now
		if b, n := d.last(), granted.Load(); b.Waiting != 4 || n != 8 {
			t.Errorf("after 11 minutes, %d tasks were granted; the beat says %+v", n, b)
		}
		full.Store(false)
		time.Sleep(31 * time.Second)
		close(drain)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		for i := range int(granted.Load()) {
			want := 1
			if i < 4 {
				want = 0
			}
			if got := d.results[fmt.Sprint(i+1)]; got != want {
				t.Errorf("task %d has %d results, not %d", i+1, got, want)
			}
		}
		if b := d.last(); !strings.Contains(b.Trouble, "dropped so far: 4") {
			t.Errorf("the last beat says %+v", b)
		}
	})
}

// TestOrders: pause, go on and limits hold for the next request.
func TestOrders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDaemon()
		drain, done := run(t.Context(), optionsOf(d, after(time.Second)))
		asked := func() (n, last int) {
			synctest.Wait()
			d.mu.Lock()
			defer d.mu.Unlock()
			return len(d.asks), d.asks[len(d.asks)-1]
		}
		time.Sleep(5 * time.Second)
		d.controls <- work.Control{Do: "pause"}
		before, _ := asked()
		time.Sleep(time.Minute)
		if now, _ := asked(); now > before+1 {
			t.Errorf("%d requests while paused", now-before)
		}
		if b := d.last(); !strings.Contains(b.Trouble, "paused") {
			t.Errorf("the beat says %q", b.Trouble)
		}
		for _, c := range []struct {
			order work.Control
			want  int
		}{
			{work.Control{Do: "go on"}, 4},
			{work.Control{Do: "limits", Parallel: 2}, 2},
			{work.Control{Do: "unheard of"}, 2},
			{work.Control{Do: "limits", Parallel: 99}, 4},
			{work.Control{Do: "go on", Parallel: 3}, 3},
			{work.Control{Do: "limits"}, 4},
		} {
			d.controls <- c.order
			time.Sleep(5 * time.Second)
			if _, n := asked(); n != c.want {
				t.Errorf("after %+v it asks for %d, not %d", c.order, n, c.want)
			}
		}
		close(drain)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestHours: outside its hours a worker says so and asks for nothing.
func TestHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDaemon()
		o := optionsOf(d, after(time.Second))
		now := time.Now()
		o.Wall = func() time.Time { return time.Now().AddDate(26, 0, 0) } // a clock in 2000 counts as never set
		o.Hours = now.Add(time.Hour).Format("15:04") + "-" + now.Add(3*time.Hour).Format("15:04")
		drain, done := run(t.Context(), o)
		for _, c := range []struct {
			until time.Duration
			works bool
		}{{58 * time.Minute, false}, {90 * time.Minute, true}, {4 * time.Hour, false}} {
			time.Sleep(time.Until(now.Add(c.until)) - 10*time.Minute)
			before, _ := d.count()
			time.Sleep(5 * time.Minute)
			after, _ := d.count()
			if says := strings.Contains(d.last().Trouble, o.Hours); (after > before) != c.works || says == c.works {
				t.Errorf("until %v: %d requests; the beat says %q", c.until, after-before, d.last().Trouble)
			}
		}
		close(drain)
		if err := <-done; err != nil || len(d.hellos) != 1 || d.hellos[0].Hours != o.Hours {
			t.Errorf("%v, hellos %+v", err, d.hellos)
		}
	})
}

// TestAgent: pages are requested with the daemon's user agent, unless that cannot be sent.
func TestAgent(t *testing.T) {
	for wanted, want := range map[string]string{
		"Nightjar/1.0 (+mail@example.org)": "Nightjar/1.0 (+mail@example.org)",
		"":                                 "Nightjar/1.0",
		"a\r\nHost: b":                     "Nightjar/1.0",
		strings.Repeat("a", 1000):          "Nightjar/1.0",
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDaemon()
			d.welcome.UserAgent = wanted
			o := optionsOf(d, after(0))
			var got fetch.LiveOptions
			o.Hands = func(l fetch.LiveOptions) Hands { got = l; return after(0) }
			drain, done := run(t.Context(), o)
			time.Sleep(time.Second)
			close(drain)
			if err := <-done; err != nil || got.UserAgent != want {
				t.Errorf("%q became %q: %v", wanted, got.UserAgent, err)
			}
		})
	}
}
