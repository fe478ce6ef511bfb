package scheduler

import (
	"errors"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// mustDryNight returns a world of two topics at the begin of a night of so many pages, of which the first dries up after 30.
func mustDryNight(t *testing.T, budget int) (w *world, hockey, curling int64) {
	t.Helper()
	w = mustWorld(t, night1("01:00:00"))
	w.step, w.pages, w.dry = time.Second, 600, map[string]int{"hockey": 30}
	w.mustSettings(t, func(s *settings.Settings) {
		s.Strategy, s.Budget.Pages = "breadth-first", budget
	})
	return w, w.mustTopic(t, "hockey"), w.mustTopic(t, "curling")
}

// TestEndsEarly: a night's crawl that promises too little ends, the other topics get the rest of the night's budget, and the
// topic is not crawled again that night. The person can let the crawl go on, also by day.
func TestEndsEarly(t *testing.T) {
	effort.Long(t)
	const budget = 2400 // the dry topic needs 200 pages, and may get no more than every tenth
	w, hockey, curling := mustDryNight(t, budget)
	w.pages = 2200
	s, _ := w.start(t, Options{Turn: 20, StopBelow: 3})
	early, other := w.mustEnd(t, hockey, 1), w.mustEnd(t, curling, 1)
	if !early.Early || !strings.HasPrefix(early.StopReason, "the next 100 pages promise ") || early.Totals.Fetched < 200 || early.Totals.Fetched > 260 {
		t.Fatalf("%d pages: %q", early.Totals.Fetched, early.StopReason)
	}
	if other.Early || other.Totals.Fetched != budget-early.Totals.Fetched || other.StopReason != "budget of 2400 pages used, shared by 2 topics" {
		t.Errorf("the other topic: %d pages of %d: %q", other.Totals.Fetched, budget-early.Totals.Fetched, other.StopReason)
	}
	w.set(night1("01:50:00"))
	time.Sleep(20 * time.Millisecond) // some ticks: nothing may begin
	if crawls, err := crawls.OfNight(t.Context(), w.st.DB, "2026-11-21"); err != nil || len(crawls) != 2 {
		t.Errorf("%d crawls in the night: %v", len(crawls), err)
	}
	w.set(night1("12:00:00"))
	if err := s.GoOn(t.Context(), other.ID); !errors.Is(err, crawls.ErrCannotGoOn) {
		t.Errorf("a crawl that used its budget goes on: %v", err)
	}
	if err := s.GoOn(t.Context(), early.ID); err != nil {
		t.Fatal(err)
	}
	if c := w.mustEnd(t, hockey, 1); c.Early || c.StopReason != "no links left" || c.Totals.Fetched != 401 {
		t.Errorf("went on to %d pages: %q", c.Totals.Fetched, c.StopReason)
	}
	times, _ := w.asked()
	for u, n := range times {
		if n > 1 {
			t.Errorf("%s fetched %d times", u, n)
		}
	}
}

// TestNotEndedEarly: with a negative number, and when the person starts a crawl or a map needs one, it uses its budget.
func TestNotEndedEarly(t *testing.T) {
	effort.Long(t)
	w, hockey, curling := mustDryNight(t, 0)
	w.pages = 215
	_, stop := w.start(t, Options{Turn: 50, StopBelow: -1})
	w.mustEnd(t, curling, 1)
	if c := w.mustEnd(t, hockey, 1); c.Early || c.StopReason != "no links left" {
		t.Errorf("without a limit: %q", c.StopReason)
	}
	stop()
	w.set(night1("12:00:00"))
	s, _ := w.start(t, Options{Turn: 50, StopBelow: 100})
	w.mustStartAnew(t, hockey)
	w.mustRunNow(t, s, hockey)
	if c := w.mustEnd(t, hockey, 2); c.Early || c.Totals.Fetched != 216 {
		t.Errorf("started by the person: %d pages, %q", c.Totals.Fetched, c.StopReason)
	}
	if _, err := s.Crawl(t.Context(), curling, Plan{Starts: []string{"http://curling.test/"}, Map: true}); err != nil {
		t.Fatal(err)
	}
	if c := w.mustEnd(t, curling, 2); c.Early || c.Totals.Fetched != 216 {
		t.Errorf("for a map: %d pages, %q", c.Totals.Fetched, c.StopReason)
	}
}
