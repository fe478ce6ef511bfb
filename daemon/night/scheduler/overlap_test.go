package scheduler

import (
	"testing"

	"nightjar/crawler/clock"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

const heldUp = "http://hockey.test/3"

// mustHeldUp returns a world of two topics, the first of which waits for one of its pages. Its clock runs.
func mustHeldUp(t *testing.T, change func(*settings.Settings)) (w *world, fast clock.Clock, hockey, curling int64, g *gate) {
	t.Helper()
	fast = clock.NewFast(night1("01:00:00"), 20)
	w = mustWorld(t, night1("01:00:00"))
	w.st.Now = fast.Now
	w.mustSettings(t, change)
	hockey, curling = w.mustTopic(t, "hockey"), w.mustTopic(t, "curling")
	return w, fast, hockey, curling, w.hold(heldUp)
}

// asked returns how often each page was requested, and the number of requests.
func (w *world) asked() (times map[string]int, all int) {
	times = map[string]int{}
	for _, u := range w.fetched() {
		times[u]++
		all++
	}
	return times, all
}

// mustNotAgain checks that no page was requested twice, except the one that was held up, which has its own limit.
func (w *world) mustNotAgain(t *testing.T, most int) {
	t.Helper()
	times, _ := w.asked()
	for u, n := range times {
		if n > 1 && (u != heldUp || n > most) {
			t.Errorf("%s fetched %d times", u, n)
		}
	}
}

// TestSlowFetch: a crawl that waits for a slow page does not hold up the turns of another, and processes the page when it
// comes.
func TestSlowFetch(t *testing.T) {
	w, fast, hockey, curling, gate := mustHeldUp(t, func(*settings.Settings) {})
	w.start(t, Options{Turn: 5, Clock: fast})
	if c := w.mustEnd(t, curling, 1); c.StopReason != "no links left" || c.Totals.Fetched != 31 {
		t.Errorf("the other crawl: %q, %d pages", c.StopReason, c.Totals.Fetched)
	}
	<-gate.reached
	close(gate.open)
	if c := w.mustEnd(t, hockey, 1); c.StopReason != "no links left" || c.Totals.Fetched != 31 {
		t.Errorf("the slow crawl: %q, %d pages", c.StopReason, c.Totals.Fetched)
	}
	w.mustNotAgain(t, 1)
}

// TestSlowFetchBudget: a page in flight counts for the night's budget.
func TestSlowFetchBudget(t *testing.T) {
	w, fast, hockey, curling, gate := mustHeldUp(t, func(s *settings.Settings) { s.Budget.Pages = 20 })
	w.start(t, Options{Turn: 5, Clock: fast})
	<-gate.reached
	w.mustWait(t, "the last page of the budget", func() bool { _, n := w.asked(); return n == 20 })
	close(gate.open)
	sum := w.mustEnd(t, hockey, 1).Totals.Fetched + w.mustEnd(t, curling, 1).Totals.Fetched
	if _, n := w.asked(); n != 20 || sum != 20 {
		t.Errorf("%d pages asked for, %d counted; want 20", n, sum)
	}
	w.mustNotAgain(t, 1)
}

// mustBehind waits until the crawl of the held-up page has a fetch in flight and another crawl its turn.
func mustBehind(t *testing.T, w *world, s *Scheduler, g *gate) (crawlID int64) {
	t.Helper()
	<-g.reached
	status := s.Status()
	if len(status.Crawls) != 2 {
		t.Fatalf("%+v", status)
	}
	crawlID = min(status.Crawls[0], status.Crawls[1]) // of the topic that was made first
	w.mustWait(t, "the other crawl's turn", func() bool { c := s.Status().Current; return c != 0 && c != crawlID })
	w.mu.Lock()
	delete(w.block, heldUp)
	w.mu.Unlock()
	return crawlID
}

// TestPauseBehind: a crawl that is paused between its turns ends its fetches in flight within seconds, and repeats them
// when it goes on.
func TestPauseBehind(t *testing.T) {
	w, fast, hockey, curling, gate := mustHeldUp(t, func(*settings.Settings) {})
	w.pages = 60
	s, _ := w.start(t, Options{Turn: 5, Clock: fast})
	id := mustBehind(t, w, s, gate)
	if err := s.Pause(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.mustEnd(t, curling, 1)
	if err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c := w.mustEnd(t, hockey, 1); c.StopReason != "no links left" || c.Totals.Fetched != 61 {
		t.Errorf("%q, %d pages", c.StopReason, c.Totals.Fetched)
	}
	w.mustNotAgain(t, 2)
	if times, _ := w.asked(); times[heldUp] != 2 {
		t.Errorf("%s fetched %d times", heldUp, times[heldUp])
	}
}

// TestStopBehind: a crawl that is stopped between its turns ends within seconds, and nothing is written after that.
func TestStopBehind(t *testing.T) {
	w, fast, _, curling, gate := mustHeldUp(t, func(*settings.Settings) {})
	s, _ := w.start(t, Options{Turn: 5, Clock: fast})
	id := mustBehind(t, w, s, gate)
	if err := s.Stop(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	before := w.mustCrawl(t, id)
	w.mustEnd(t, curling, 1)
	if c := w.mustCrawl(t, id); c.Status != crawls.Ended || c.StopReason != "stopped by you" || c.Totals != before.Totals {
		t.Errorf("%+v, then %+v", before, c)
	}
}

// TestRestartBehind: what a crawl has in flight between its turns when the daemon ends is fetched after the restart.
func TestRestartBehind(t *testing.T) {
	w, fast, hockey, curling, gate := mustHeldUp(t, func(*settings.Settings) {})
	s, stop := w.start(t, Options{Turn: 5, Clock: fast})
	mustBehind(t, w, s, gate)
	stop()
	w.start(t, Options{Turn: 5, Clock: fast})
	for _, topic := range []int64{hockey, curling} {
		if c := w.mustEnd(t, topic, 1); c.StopReason != "no links left" || c.Totals.Fetched != 31 {
			t.Errorf("topic %d: %q, %d pages", topic, c.StopReason, c.Totals.Fetched)
		}
	}
	w.mustNotAgain(t, 2)
}
