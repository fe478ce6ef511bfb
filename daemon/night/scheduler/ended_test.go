package scheduler

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// mustIdle returns a scheduler that does not run yet.
func (w *world) mustIdle(t *testing.T) *Scheduler {
	t.Helper()
	s, err := New(w.st, &w.bus, Options{
		Tick: 1e6, Workers: 1, Clock: clock.Func(w.clock), Log: slog.New(slog.DiscardHandler),
		Fetcher: func(settings.Settings) (fetch.Fetcher, error) { return w, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mustGo runs a scheduler until the function it returns is called, or the test ends.
func mustGo(t *testing.T, s *Scheduler) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return stop
}

// mustLeave waits until the scheduler has no crawl any more.
func (w *world) mustLeave(t *testing.T, s *Scheduler) {
	t.Helper()
	w.mustWait(t, "the crawl to leave the scheduler", func() bool { return len(s.Status().Crawls) == 0 })
}

// TestEndedBeforeRun: a crawl that the scheduler took for open and that is ended in the store does not run.
func TestEndedBeforeRun(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	s := w.mustIdle(t)
	id := w.mustRunNow(t, s, topic)
	if err := crawls.End(t.Context(), w.st.DB, id, "erased"); err != nil {
		t.Fatal(err)
	}
	mustGo(t, s)
	w.mustLeave(t, s)
	if asked := w.fetched(); len(asked) > 0 {
		t.Errorf("a crawl that has ended fetched %v", asked)
	}
	if c := w.mustCrawl(t, id); c.Status != crawls.Ended || c.StopReason != "erased" || !c.StartedAt.IsZero() {
		t.Errorf("%+v", c)
	}
}

// TestEndedMeanwhile: of a crawl that is ended in the store while it fetches, nothing more is stored, and it goes no further.
func TestEndedMeanwhile(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	s := w.mustIdle(t)
	gate := w.holdNth(4)
	mustGo(t, s)
	id := w.mustRunNow(t, s, topic)
	<-gate.reached
	if err := crawls.End(t.Context(), w.st.DB, id, "erased"); err != nil {
		t.Fatal(err)
	}
	before := w.mustCrawl(t, id)
	close(gate.open)
	w.mustLeave(t, s)
	if c := w.mustCrawl(t, id); c.Totals != before.Totals || c.StopReason != "erased" || c.Totals.Fetched != 3 {
		t.Errorf("%+v, then %+v", before, c)
	}
	if n := len(w.fetched()); n != 4 {
		t.Errorf("%d pages were asked for, want the 4 of before the end", n)
	}
}

// TestStopAtStart: whatever Run has done when a crawl is stopped, after Stop nothing of it is fetched or stored.
func TestStopAtStart(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	for range 20 {
		id := w.mustRunNow(t, w.mustIdle(t), topic) // an earlier process made it
		s := w.mustIdle(t)
		stop := mustGo(t, s)
		if err := s.Stop(t.Context(), id, "erased"); err != nil {
			t.Fatal(err)
		}
		before, asked := w.mustCrawl(t, id), w.fetched()
		if before.Status != crawls.Ended {
			t.Fatalf("after Stop: %+v", before)
		}
		w.mustLeave(t, s)
		stop()
		if c := w.mustCrawl(t, id); c.Totals != before.Totals || !slices.Equal(w.fetched(), asked) {
			t.Fatalf("after Stop: %+v, then %+v; %d fetches, then %d", before.Totals, c.Totals, len(asked), len(w.fetched()))
		}
	}
}

// TestOneCrawlBeforeRun: a topic whose crawl an earlier process left does not get a second one before Run has begun.
func TestOneCrawlBeforeRun(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	id := w.mustRunNow(t, w.mustIdle(t), topic)
	if again := w.mustRunNow(t, w.mustIdle(t), topic); again != id {
		t.Errorf("the topic has crawl %d, and then crawl %d as well", id, again)
	}
}
