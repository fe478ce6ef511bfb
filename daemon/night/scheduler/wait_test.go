package scheduler

import (
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// rests makes a topic's site rest until a time from the n-th fetch on.
func (w *world) rests(topic string, n int, until time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.restHost, w.restFrom, w.restUntil = topic+".test", n, until
}

// TestWaitsForHost: a crawl whose only host must not be asked says so where the crawl is shown, and goes on when it may be asked.
func TestWaitsForHost(t *testing.T) {
	w := mustWorld(t, night1("01:00:00"))
	w.step = time.Second
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	w.rests("hockey", 4, night1("01:29:30"))
	w.start(t, Options{Turn: 5})
	var id int64
	w.mustWait(t, "the crawl to wait", func() bool {
		open, err := crawls.Open(t.Context(), w.st.DB)
		if err != nil {
			t.Fatal(err)
		}
		if len(open) != 1 || open[0].Paused == "" {
			return false
		}
		id = open[0].ID
		return true
	})
	if c := w.mustCrawl(t, id); c.Paused != "waits for hockey.test until 01:30" || c.Status != crawls.Running || c.Totals.Fetched != 4 {
		t.Errorf("%+v", c)
	}
	w.set(night1("01:29:31"))
	if c := w.mustEnd(t, topic, 1); c.StopReason != "no links left" || c.Totals.Fetched != 31 || c.Paused != "" {
		t.Errorf("%+v", c)
	}
}

// TestNothingDueInWindow: a night's crawl ends when nothing may be fetched before its window closes, and any other when that is
// so for longer than patience. The links stay.
func TestNothingDueInWindow(t *testing.T) {
	for _, tt := range []struct {
		name, until, reason string
		now                 bool
	}{
		{"night", "02:00:00", "nothing can be fetched before the window closes at 02:00: 1 host with links must not be asked before", false},
		{"by hand", "01:10:30", "nothing can be fetched within 10 minutes: 1 host with links must not be asked before", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := mustWorld(t, night1("01:00:00"))
			w.step = time.Second
			w.mustSettings(t, func(s *settings.Settings) { s.Night.Enabled = !tt.now })
			topic := w.mustTopic(t, "hockey")
			w.rests("hockey", 4, night1(tt.until))
			s, _ := w.start(t, Options{Turn: 5})
			if tt.now {
				w.mustRunNow(t, s, topic)
			}
			c := w.mustEnd(t, topic, 1)
			if c.StopReason != tt.reason || c.Totals.Fetched != 4 {
				t.Errorf("%q, %d pages", c.StopReason, c.Totals.Fetched)
			}
			resume, err := crawls.Resume(t.Context(), w.st.DB, c.ID)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(mustLinks(t, resume)); n != 27 {
				t.Errorf("%d links are kept, want 27", n)
			}
		})
	}
}

func mustLinks(t *testing.T, r *crawler.Resume) (all []string) {
	t.Helper()
	if err := r.Links(t.Context(), func(e frontier.Entry) { all = append(all, e.URL) }); err != nil {
		t.Fatal(err)
	}
	return all
}
