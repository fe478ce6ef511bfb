package scheduler

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/model"
)

var evening = time.Date(2026, 11, 20, 23, 0, 0, 0, time.Local)

func night1(clock string) time.Time {
	t, err := time.ParseInLocation(time.DateTime, "2026-11-21 "+clock, time.Local)
	if err != nil {
		panic(err)
	}
	return t
}

// mustFinds lists the URLs of a crawl's finds in the database.
func (w *world) mustFinds(t *testing.T, crawlID int64) []string {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(w.st.Path())+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var list string
	err = db.QueryRow("SELECT coalesce(group_concat(url, ' '), '') FROM finds WHERE crawl_id = ? AND asked = 0", crawlID).Scan(&list)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(list)
}

// TestNight: nothing runs by day; the crawl starts by itself when the window opens and stops with its reason when the window
// closes; the second night goes on where the first stopped, looks again at pages that were read, and finds only new ones.
func TestNight(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(s *settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	s, _ := w.start(t, Options{})
	if status := s.Status(); status.Open || !status.Opens.Equal(night1("01:00:00")) {
		t.Errorf("by day: %+v", status)
	}
	w.set(night1("00:59:59"))
	if n := len(w.fetched()); n != 0 {
		t.Errorf("%d fetches before the window opened", n)
	}

	w.set(night1("01:40:00")) // the machine slept a while
	first := w.mustEnd(t, topic, 1)
	if first.StopReason != "window closed at 02:00" || first.Night != "2026-11-21" {
		t.Errorf("first night: %q, %q", first.Night, first.StopReason)
	}
	if n := first.Totals.Fetched; n < 18 || n > 20 {
		t.Errorf("fetched %d in 20 minutes at a minute each", n)
	}
	before := w.mustFinds(t, first.ID)
	if len(before) == 0 {
		t.Fatal("no finds in the first night")
	}

	w.mustSettings(t, func(s *settings.Settings) { s.Night.End = "06:00" })
	w.set(night1("01:00:00").AddDate(0, 0, 1))
	second := w.mustEnd(t, topic, 2)
	looks, err := progress.LooksOf(t.Context(), w.st.DB, second.ID)
	if err != nil || looks.Pages == 0 || looks.News != 0 {
		t.Errorf("the second night looked again: %+v, %v", looks, err)
	}
	if second.StopReason != "no links left; 2 known pages may have new links, but too few are likely to" || second.Night != "2026-11-22" || first.Totals.Fetched+second.Totals.Fetched-looks.Pages != 31 {
		t.Errorf("second night: %q, %q, %d pages", second.Night, second.StopReason, second.Totals.Fetched)
	}
	fresh := w.mustFinds(t, second.ID)
	if len(before)+len(fresh) != 10 || len(fresh) == 0 {
		t.Errorf("%d finds, then %d; want 10 in all", len(before), len(fresh))
	}
	for _, u := range fresh {
		if slices.Contains(before, u) {
			t.Errorf("%s is new twice", u)
		}
	}
}

// TestSwitchedOff: a night's crawl ends when the person switches nightly crawls off.
func TestSwitchedOff(t *testing.T) {
	w := mustWorld(t, night1("01:00:00"))
	w.step = time.Second
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	gate := w.hold("http://hockey.test/3")
	w.start(t, Options{})
	<-gate.reached
	w.mustSettings(t, func(s *settings.Settings) { s.Night.Enabled = false })
	if c := w.mustEnd(t, topic, 1); c.StopReason != "nightly crawls were switched off" {
		t.Errorf("%q", c.StopReason)
	}
}

// TestShare: two topics take turns and share the night's budget. The one whose next pages promise more gets more of it, and the
// other a tenth at least.
func TestShare(t *testing.T) {
	w := mustWorld(t, night1("01:00:00"))
	w.step, w.pages, w.dry = 100*time.Millisecond, 300, map[string]int{"baking": 9}
	w.mustSettings(t, func(s *settings.Settings) { s.Budget.Pages = 200 })
	hockey, baking := w.mustTopic(t, "hockey"), w.mustTopic(t, "baking")
	w.start(t, Options{Turn: 5, StopBelow: -1})
	rich, dry := w.mustEnd(t, hockey, 1), w.mustEnd(t, baking, 1)
	for _, c := range []crawls.Crawl{rich, dry} {
		if c.StopReason != "budget of 200 pages used, shared by 2 topics" {
			t.Errorf("topic %d: %d pages, %q", c.TopicID, c.Totals.Fetched, c.StopReason)
		}
	}
	if n, m := rich.Totals.Fetched, dry.Totals.Fetched; n+m != 200 || 2*n < 3*m || m < 20 {
		t.Errorf("%d pages for the topic that promises much, %d for the other", n, m)
	}
	first := w.fetched()[:10]
	if n := strings.Count(strings.Join(first, " "), "hockey"); n != 5 {
		t.Errorf("the first ten pages are %v, want five of each topic", first)
	}
}

// TestShareLeftOver: one topic gets the budget that the other does not use.
func TestShareLeftOver(t *testing.T) {
	w := mustWorld(t, night1("01:00:00"))
	w.step, w.pages = time.Second, 50
	w.mustSettings(t, func(s *settings.Settings) { s.Budget.Pages = 40; s.Budget.PerHost = 35 })
	hockey, baking := w.mustTopic(t, "hockey"), w.mustTopic(t, "baking")
	if err := startpages.Tick(t.Context(), w.st.DB, baking, "http://baking.test/", false); err != nil {
		t.Fatal(err)
	}
	if _, err := startpages.Add(t.Context(), w.st.DB, baking, "http://baking.test/3"); err != nil {
		t.Fatal(err)
	}
	w.start(t, Options{Turn: 5})
	if c := w.mustEnd(t, baking, 1); c.Totals.Fetched != 1 || c.StopReason != "no links left" {
		t.Errorf("baking: %d pages, %q", c.Totals.Fetched, c.StopReason)
	}
	if c := w.mustEnd(t, hockey, 1); c.Totals.Fetched != 35 || c.StopReason != "no links left within the limits of pages per host and site; 16 links of hockey.test wait for the next crawl" {
		t.Errorf("hockey: %d pages, %q", c.Totals.Fetched, c.StopReason)
	}
}

func TestMinutes(t *testing.T) {
	w := mustWorld(t, night1("01:00:00"))
	w.mustSettings(t, func(s *settings.Settings) { s.Budget.Minutes = 12 })
	topic := w.mustTopic(t, "hockey")
	w.start(t, Options{Turn: 5})
	if c := w.mustEnd(t, topic, 1); c.StopReason != "budget of 12 minutes used" || c.Totals.Fetched != 12 {
		t.Errorf("%d pages, %q", c.Totals.Fetched, c.StopReason)
	}
}

// TestRunNow: a crawl started by hand runs by day, has its own budget, and a topic has one at a time.
func TestRunNow(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(s *settings.Settings) { s.Budget.Pages = 7; s.Strategy = "breadth-first" })
	topic := w.mustTopic(t, "hockey")
	gate := w.hold("http://hockey.test/")
	s, _ := w.start(t, Options{})
	id, err := s.RunNow(t.Context(), topic, 0)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.RunNow(t.Context(), topic, 0); err != nil || again != id {
		t.Errorf("asked again: crawl %d, %v; want %d", again, err, id)
	}
	close(gate.open)
	c := w.mustEnd(t, topic, 1)
	if c.Night != "" || c.StopReason != "budget of 7 pages used" || c.Totals.Fetched != 7 || c.Strategy != "breadth-first" {
		t.Errorf("%+v", c)
	}
	if status := s.Status(); len(status.Crawls) != 0 {
		t.Errorf("after the end: %+v", status)
	}
}

// TestUnreadableModel: a crawl whose model is of an older format ends at once and says so, and others go on.
func TestUnreadableModel(t *testing.T) {
	w := mustWorld(t, night1("01:00:00"))
	w.mustSettings(t, func(*settings.Settings) {})
	broken, good := w.mustTopic(t, "hockey"), w.mustTopic(t, "curling")
	older := append([]byte("NJBUNDLE"), model.FormatVersion-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	w.exec(t, `UPDATE models SET bundle = ? WHERE topic_id = ?`, older, broken)
	w.start(t, Options{})
	if c := w.mustEnd(t, broken, 1); !strings.Contains(c.StopReason, model.ErrOlderFormat.Error()) || c.Totals.Fetched != 0 {
		t.Errorf("broken: %d pages, %q", c.Totals.Fetched, c.StopReason)
	}
	if c := w.mustEnd(t, good, 1); c.Totals.Fetched == 0 {
		t.Errorf("good: %+v", c)
	}
}

func TestRunNowErrors(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	if err := startpages.Tick(t.Context(), w.st.DB, topic, "http://hockey.test/", false); err != nil {
		t.Fatal(err)
	}
	empty, err := topics.Create(t.Context(), w.st.DB, "nothing")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := w.start(t, Options{})
	if _, err := s.RunNow(t.Context(), topic, 0); !errors.Is(err, ErrNoStart) {
		t.Errorf("without a ticked page: %v", err)
	}
	if _, err := s.RunNow(t.Context(), empty.ID, 0); !errors.Is(err, ErrNoModel) {
		t.Errorf("without a model: %v", err)
	}
	if err := s.Stop(t.Context(), 99, ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Stop of an unknown crawl: %v", err)
	}
}

// TestStop: a crawl stops in the middle of a fetch, with the person's reason, and stays stopped.
func TestStop(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	s, _ := w.start(t, Options{})
	gate := w.hold("http://hockey.test/3")
	id, err := s.RunNow(t.Context(), topic, 0)
	if err != nil {
		t.Fatal(err)
	}
	<-gate.reached
	if err := s.Stop(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	c, err := crawls.Get(t.Context(), w.st.DB, id)
	if err != nil || c.Status != crawls.Ended || c.StopReason != "stopped by you" {
		t.Errorf("%+v, %v", c, err)
	}
	if err := s.Stop(t.Context(), id, "again"); err != nil {
		t.Errorf("stop what has ended: %v", err)
	}
}

// TestRestart: a crawl that was running goes on after a restart, and only the page in flight is fetched twice; a crawl
// whose window has closed meanwhile ends.
func TestRestart(t *testing.T) {
	for _, tt := range []struct {
		name, back, reason string
	}{
		{"in time", "01:30:00", "no links left"},
		{"too late", "09:00:00", "window closed at 02:00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := mustWorld(t, night1("01:00:00"))
			w.step = time.Second
			w.mustSettings(t, func(*settings.Settings) {})
			topic := w.mustTopic(t, "hockey")
			gate := w.hold("http://hockey.test/7")
			_, stop := w.start(t, Options{Turn: 4})
			<-gate.reached
			stop()
			open, err := crawls.Open(t.Context(), w.st.DB)
			if err != nil || len(open) != 1 || open[0].Status != crawls.Running {
				t.Fatalf("left behind: %+v, %v", open, err)
			}
			delete(w.block, "http://hockey.test/7")
			w.set(night1(tt.back))
			w.start(t, Options{Turn: 4})
			c := w.mustEnd(t, topic, 1)
			if c.StopReason != tt.reason {
				t.Errorf("%q, want %q", c.StopReason, tt.reason)
			}
			asked := map[string]int{}
			for _, u := range w.fetched() {
				asked[u]++
			}
			for u, n := range asked {
				if n > 1 && (u != "http://hockey.test/7" || n > 2) {
					t.Errorf("%s fetched %d times", u, n)
				}
			}
			if tt.reason == "no links left" && (len(asked) != 31 || c.Totals.Fetched != 31) {
				t.Errorf("%d pages fetched, %d counted; want 31", len(asked), c.Totals.Fetched)
			}
		})
	}
}

// TestBadStrategy: a crawl that can never run ends at once and says why.
func TestBadStrategy(t *testing.T) {
	w := mustWorld(t, evening)
	chosen := settings.Default()
	chosen.Strategy = "no-such" // of another version
	if err := w.st.SetSetting(t.Context(), "settings", chosen); err != nil {
		t.Fatal(err)
	}
	topic := w.mustTopic(t, "hockey")
	s, _ := w.start(t, Options{})
	if _, err := s.RunNow(t.Context(), topic, 0); err != nil {
		t.Fatal(err)
	}
	if c := w.mustEnd(t, topic, 1); !strings.Contains(c.StopReason, "no-such") {
		t.Errorf("%q", c.StopReason)
	}
}
