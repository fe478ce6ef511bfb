package scheduler

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/daemon/base/machine"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// gear is a machine whose state the test sets.
type gear struct{ state atomic.Pointer[machine.State] }

func (g *gear) set(s machine.State) { g.state.Store(&s) }

func (g *gear) look(context.Context) machine.State { return *g.state.Load() }

// fine returns the state of a machine that meets every condition.
func fine() *gear {
	g := &gear{}
	g.set(machine.State{Battery: machine.No, Metered: machine.No, Free: 1 << 40, Size: 1 << 41})
	return g
}

func (w *world) mustCrawl(t *testing.T, id int64) crawls.Crawl {
	t.Helper()
	c, err := crawls.Get(context.Background(), w.st.DB, id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// mustWaits waits until a crawl waits for a reason, "" until it goes on.
func (w *world) mustWaits(t *testing.T, id int64, why string) {
	t.Helper()
	w.mustWait(t, "crawl to wait: "+why, func() bool {
		c := w.mustCrawl(t, id)
		if c.Status == crawls.Ended {
			t.Fatalf("the crawl ended: %s", c.StopReason)
		}
		return c.Paused == why
	})
}

// TestPause: a crawl that is paused in the middle of a fetch requests nothing more, stays paused when the daemon restarts,
// goes on when resumed, and fetches every page once, except the interrupted one, which it fetches twice.
func TestPause(t *testing.T) {
	t.Parallel()
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	s, stop := w.start(t, Options{})
	gate := w.hold("http://hockey.test/3")
	id, err := s.RunNow(t.Context(), topic, 0)
	if err != nil {
		t.Fatal(err)
	}
	<-gate.reached
	if err := s.Pause(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.mustWaits(t, id, crawls.PausedByYou)
	w.mustWait(t, "the end of the turn", func() bool { return s.Status().Current == 0 })
	had := len(w.fetched())
	stop()

	delete(w.block, "http://hockey.test/3")
	s, _ = w.start(t, Options{})
	if err := s.Resume(t.Context(), 99); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Resume of an unknown crawl: %v", err)
	}
	second, err := s.RunNow(t.Context(), w.mustTopic(t, "curling"), 0) // others go on meanwhile
	if err != nil {
		t.Fatal(err)
	}
	w.mustEnd(t, w.mustCrawl(t, second).TopicID, 1)
	if c := w.mustCrawl(t, id); c.Paused != crawls.PausedByYou || c.Status != crawls.Running {
		t.Fatalf("after a restart: %q, %s", c.Paused, c.Status)
	}
	if n := len(w.fetched()) - 31; n != had {
		t.Errorf("%d fetches while paused", n-had)
	}
	if err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	c := w.mustEnd(t, topic, 1)
	if c.StopReason != "no links left" || c.Totals.Fetched != 31 || c.Paused != "" {
		t.Errorf("%q, %d pages, paused %q", c.StopReason, c.Totals.Fetched, c.Paused)
	}
	asked := map[string]int{}
	for _, u := range w.fetched() {
		asked[u]++
	}
	for u, n := range asked {
		if n > 1 && (n > 2 || u != "http://hockey.test/3") {
			t.Errorf("%s fetched %d times", u, n)
		}
	}
	if err := s.Pause(t.Context(), id); err != nil {
		t.Errorf("pause what has ended: %v", err)
	}
	if c := w.mustCrawl(t, id); c.Paused != "" {
		t.Errorf("what has ended waits: %q", c.Paused)
	}
}

// TestConditions: each condition alone keeps a night's crawl from starting, and makes it wait later; a condition that is
// unknown, or off in the settings, does not.
func TestConditions(t *testing.T) {
	good := *fine().state.Load()
	with := func(change func(*machine.State)) machine.State {
		s := good
		change(&s)
		return s
	}
	for _, tt := range []struct {
		why   string
		state machine.State
	}{
		{"on battery power", with(func(s *machine.State) { s.Battery = machine.Yes })},
		{"the network is metered", with(func(s *machine.State) { s.Metered = machine.Yes })},
		{"less than 10240 MB of disk space is free", with(func(s *machine.State) { s.Free = 10<<30 - 1 })},
		{"less than 1024 MB of disk space is free", with(func(s *machine.State) { s.Free, s.Size = 1<<30-1, 8<<30 })},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			w := mustWorld(t, night1("01:00:00"))
			w.step = time.Second
			w.mustSettings(t, func(*settings.Settings) {})
			topic := w.mustTopic(t, "hockey")
			g := fine()
			g.set(tt.state)
			s, _ := w.start(t, Options{Machine: g.look})
			w.mustWait(t, "the night's crawl", func() bool { return len(s.Status().Crawls) > 0 })
			id := s.Status().Crawls[0]
			w.mustWaits(t, id, tt.why)
			if n := len(w.fetched()); n != 0 {
				t.Errorf("%d fetches before it may begin", n)
			}
			gate := w.hold("http://hockey.test/3")
			g.set(good)
			<-gate.reached
			g.set(tt.state)
			w.mustWaits(t, id, tt.why)
			w.mustWait(t, "the end of the turn", func() bool { return s.Status().Current == 0 })
			had := len(w.fetched())
			w.set(night1("01:59:59"))
			w.mustWaits(t, id, tt.why)
			if n := len(w.fetched()); n != had {
				t.Errorf("%d fetches while it waits", n-had)
			}
			w.set(night1("02:00:00"))
			c := w.mustEnd(t, topic, 1)
			if c.StopReason != "window closed at 02:00; it was waiting: "+tt.why {
				t.Errorf("%q", c.StopReason)
			}
		})
	}
	chosen := settings.Default()
	for _, s := range []machine.State{{Free: -1, Size: -1}, good, with(func(s *machine.State) { s.Battery = machine.Unknown })} {
		if why := waits(chosen, s, Floor(s), false, ""); why != "" {
			t.Errorf("%+v: %s", s, why)
		}
	}
	chosen.OnMains, chosen.Unmetered = false, false
	if why := waits(chosen, machine.State{Battery: machine.Yes, Metered: machine.Yes}, 0, false, ""); why != "" {
		t.Errorf("asked for nothing: %s", why)
	}
}

// TestRunAnyway: a crawl that waits for mains power runs when the person says so, but not on a full disk.
func TestRunAnyway(t *testing.T) {
	t.Parallel()
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	g := fine()
	state := *g.state.Load()
	state.Battery, state.Metered = machine.Yes, machine.Yes
	g.set(state)
	s, _ := w.start(t, Options{Machine: g.look})
	gate := w.hold("http://hockey.test/3")
	id, err := s.RunNow(t.Context(), topic, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.mustWaits(t, id, "on battery power")
	if err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	<-gate.reached
	w.mustWaits(t, id, "")
	state.Free = 1
	g.set(state)
	w.mustWaits(t, id, "less than 10240 MB of disk space is free")
	if err := s.Stop(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	if c := w.mustEnd(t, topic, 1); c.StopReason != "stopped by you" {
		t.Errorf("%q", c.StopReason)
	}
}

// TestDiskHysteresis: a crawl that waits for disk space goes on only with a tenth more than required.
func TestDiskHysteresis(t *testing.T) {
	chosen, disk := settings.Default(), func(free int64) machine.State { return machine.State{Free: free, Size: 40_000 << 20} }
	least := Floor(disk(0))
	why := waits(chosen, disk(2000<<20-1), least, false, "")
	for _, tt := range []struct {
		free int64
		want bool
	}{{2000 << 20, true}, {2199 << 20, true}, {2200 << 20, false}} {
		if got := waits(chosen, disk(tt.free), least, false, why) != ""; got != tt.want {
			t.Errorf("%d MB free: waits %v", tt.free>>20, got)
		}
	}
	if waits(chosen, disk(2000<<20), least, false, "") != "" {
		t.Error("what does not wait yet has room enough")
	}
	if (&Options{FillDisk: true}).floor(disk(0)) != 0 {
		t.Error("a crawl that may fill the disk waits")
	}
}
