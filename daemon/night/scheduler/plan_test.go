package scheduler

import (
	"errors"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// mustPlan starts a crawl of a topic's site by a plan.
func (w *world) mustPlan(t *testing.T, s *Scheduler, topicID int64, p Plan) int64 {
	t.Helper()
	id, err := s.Crawl(t.Context(), topicID, p)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// mustOnlyPlanned makes a topic that no night crawls by itself.
func (w *world) mustOnlyPlanned(t *testing.T, name string) int64 {
	t.Helper()
	topic := w.mustTopic(t, name)
	w.exec(t, `DELETE FROM starts WHERE topic_id = ?`, topic)
	return topic
}

// idle waits until no crawl has its turn.
func (w *world) idle(t *testing.T, s *Scheduler) {
	t.Helper()
	w.mustWait(t, "the end of the turn", func() bool { return s.Status().Current == 0 })
}

// TestPlan: a crawl by a plan has the plan's strategy, start pages and budget, and no limit of the settings' budget. A topic
// with a crawl gets no second one, also before Run has read the crawls of an earlier run.
func TestPlan(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(s *settings.Settings) { s.Budget = settings.Budget{Pages: 3, Minutes: 2, PerHost: 2, PerSite: 2} })
	topic := w.mustOnlyPlanned(t, "hockey")
	plan := Plan{Strategy: "breadth-first", Starts: []string{"HTTP://hockey.test", "http://hockey.test/", "mailto:a@b.test"}, Pages: 12}
	early, err := New(w.st, &w.bus, Options{})
	if err != nil {
		t.Fatal(err)
	}
	id := w.mustPlan(t, early, topic, plan)
	restarted, err := New(w.st, &w.bus, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Scheduler{early, restarted} {
		if other, err := s.Crawl(t.Context(), topic, plan); !errors.Is(err, ErrBusy) || other != id {
			t.Errorf("a second crawl: %d, %v", other, err)
		}
	}
	w.start(t, Options{})
	w.mustEnd(t, topic, 1)
	c := w.mustCrawl(t, id)
	if c.StopReason != "budget of 12 pages used" || c.Totals.Fetched != 12 || c.Strategy != "breadth-first" || c.Night != "" {
		t.Errorf("%q, %d pages, %s, night %q", c.StopReason, c.Totals.Fetched, c.Strategy, c.Night)
	}
	if len(c.Options.Starts) != 1 || c.Options.Starts[0] != "http://hockey.test/" || c.Options.Nightly {
		t.Errorf("%+v", c.Options)
	}
}

// TestPlanRefused: what a plan lacks is told before anything is stored.
func TestPlanRefused(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	s, _ := w.start(t, Options{})
	topic := w.mustTopic(t, "hockey")
	bare, err := topics.Create(t.Context(), w.st.DB, "untrained")
	if err != nil {
		t.Fatal(err)
	}
	starts := []string{"http://hockey.test/"}
	for _, tt := range []struct {
		topic int64
		plan  Plan
		want  error
	}{
		{topic, Plan{}, crawler.ErrNoStart},
		{topic, Plan{Starts: []string{"mailto:a@b.test"}}, crawler.ErrNoStart},
		{bare.ID, Plan{Starts: starts}, ErrNoModel},
		{topic, Plan{Starts: starts, Strategy: "no-such"}, nil},
		{topic, Plan{Starts: starts, Strategy: "naive-bayes"}, nil}, // the model has no classifier
	} {
		if id, err := s.Crawl(t.Context(), tt.topic, tt.plan); err == nil || id != 0 || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%+v: crawl %d, %v", tt.plan, id, err)
		}
	}
	if open, err := crawls.Open(t.Context(), w.st.DB); err != nil || len(open) != 0 {
		t.Errorf("%d crawls were stored, %v", len(open), err)
	}
}

// TestNightly: a nightly crawl by a plan waits for the window, goes on with its frontier in the next night after a restart,
// and takes nothing from the budget of the night's crawls.
func TestNightly(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(s *settings.Settings) { s.Night.End, s.Budget.Pages = "01:20", 5 })
	topic := w.mustOnlyPlanned(t, "hockey")
	s, stop := w.start(t, Options{})
	id := w.mustPlan(t, s, topic, Plan{Starts: []string{"http://hockey.test/"}, Pages: 100, Night: true})
	w.mustWaits(t, id, "the window opens at 01:00")
	if v, err := crawls.ByID(t.Context(), w.st.DB, id); err != nil || !v.Nightly || !v.Yields() {
		t.Errorf("%+v, %v", v, err)
	}
	if n := len(w.fetched()); n != 0 {
		t.Fatalf("%d fetches while the window was closed", n)
	}

	w.set(night1("01:00:00"))
	w.mustWait(t, "the window to close", func() bool { return !w.clock().Before(night1("01:20:00")) })
	w.mustWaits(t, id, "the window opens at 01:00")
	w.idle(t, s)
	first := w.mustCrawl(t, id).Totals.Fetched
	if first < 18 || first > 20 {
		t.Errorf("fetched %d in 20 minutes at a minute each", first)
	}
	stop()
	s, _ = w.start(t, Options{})
	w.set(night1("13:00:00"))
	for len(s.Status().Crawls) == 0 { // the restart tells no news
		time.Sleep(time.Millisecond)
	}
	had := len(w.fetched())

	curling := w.mustTopic(t, "curling")
	w.set(night1("01:00:00").AddDate(0, 0, 1))
	night := w.mustEnd(t, curling, 1)
	c := w.mustEnd(t, topic, 1)
	if c.ID != id || c.StopReason != "no links left" || c.Totals.Fetched != 31 || c.Paused != "" {
		t.Errorf("crawl %d: %q, %d pages, waits %q", c.ID, c.StopReason, c.Totals.Fetched, c.Paused)
	}
	if night.StopReason != "budget of 5 pages used" || night.Totals.Fetched != 5 {
		t.Errorf("the night's crawl: %q, %d pages", night.StopReason, night.Totals.Fetched)
	}
	for u, n := range count(w.fetched()) {
		if n > 1 {
			t.Errorf("%s fetched %d times", u, n)
		}
	}
	if n := len(w.fetched()); n != 36 || had != first {
		t.Errorf("%d fetches in all, %d before the second night of %d pages", n, had, first)
	}
}

func count(urls []string) map[string]int {
	times := map[string]int{}
	for _, u := range urls {
		times[u]++
	}
	return times
}

// TestNightlyOff: while nightly crawls are off, a nightly crawl waits and says so. It runs when the person says so, also by
// day, and until it is paused by the person.
func TestNightlyOff(t *testing.T) {
	w := mustWorld(t, night1("01:00:00"))
	w.step = time.Second
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustOnlyPlanned(t, "hockey")
	gate := w.hold("http://hockey.test/3")
	g := fine()
	s, _ := w.start(t, Options{Machine: g.look})
	id := w.mustPlan(t, s, topic, Plan{Starts: []string{"http://hockey.test/"}, Night: true})
	<-gate.reached
	w.mustSettings(t, func(s *settings.Settings) { s.Night.Enabled = false })
	w.mustWaits(t, id, "nightly crawls are off: switch the night on or run it now")
	w.idle(t, s)
	had := len(w.fetched())
	w.set(night1("01:30:00"))
	w.mu.Lock()
	delete(w.block, "http://hockey.test/3")
	w.mu.Unlock()
	if n := len(w.fetched()); n != had {
		t.Errorf("%d fetches while nightly crawls were off", n-had)
	}

	state := *g.state.Load()
	state.Battery = machine.Yes // to run by day is not to run on battery power
	g.set(state)
	if err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.mustWaits(t, id, crawls.OnBattery)
	if err := s.Pause(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	state.Battery = machine.No
	g.set(state)
	w.mustWaits(t, id, crawls.PausedByYou)
	if err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c := w.mustEnd(t, topic, 1); c.StopReason != "no links left" || c.Totals.Fetched != 31 {
		t.Errorf("%q, %d pages", c.StopReason, c.Totals.Fetched)
	}
}
