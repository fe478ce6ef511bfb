package scheduler

import (
	"testing"
	"time"

	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// TestClockJumps: how a night's crawl ends when the clock jumps in the middle of a fetch.
func TestClockJumps(t *testing.T) {
	for _, tt := range []struct {
		name  string
		to    time.Time
		waits string // why it waits then, "" when it ends or goes on
		ends  string
	}{
		{"slept over the end of the window", night1("07:30:00"), "", "window closed at 02:00"},
		{"a year ahead, by day", night1("12:00:00").AddDate(1, 0, 0), "", "window closed at 02:00"},
		{"back by a minute, within the window", night1("01:00:01"), "", "no links left"},
		{"back by seconds, to before it opened", night1("00:59:58"), "the window opens at 01:00", "no links left"},
		{"back by a day", night1("01:10:00").AddDate(0, 0, -1), "the window opens at 01:00", "no links left"},
		{"back by a week", night1("12:00:00").AddDate(0, 0, -7), "", "the clock was set back"},
		{"1970", time.Date(1970, 1, 1, 1, 30, 0, 0, time.Local), "the clock of this computer is not set", "no links left"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := mustWorld(t, night1("01:01:00"))
			w.step = time.Second
			w.mustSettings(t, func(*settings.Settings) {})
			topic := w.mustTopic(t, "hockey")
			gate := w.hold("http://hockey.test/3")
			s, _ := w.start(t, Options{})
			<-gate.reached
			id := s.Status().Current
			w.set(tt.to)
			had := len(w.fetched())
			close(gate.open)
			if tt.waits != "" {
				w.mustWaits(t, id, tt.waits)
				w.mustWait(t, "the end of the turn", func() bool { return s.Status().Current == 0 })
				if n := len(w.fetched()); n != had {
					t.Errorf("%d fetches begun outside the window", n-had)
				}
				w.set(night1("01:20:00"))
			}
			c := w.mustEnd(t, topic, 1)
			if c.StopReason != tt.ends || c.Totals.Spent < 0 || c.Totals.Spent > time.Hour {
				t.Errorf("%q after %v", c.StopReason, c.Totals.Spent)
			}
			n := len(w.fetched())
			if tt.ends != "no links left" && n != had {
				t.Errorf("%d fetches begun outside the window", n-had)
			}
			if tt.ends == "no links left" && c.Totals.Fetched != 31 {
				t.Errorf("%d pages", c.Totals.Fetched)
			}
		})
	}
}

// TestSetBackInto: setting the clock back into a window that was open starts no second crawl, unless the night's crawl
// ended because the clock was set back.
func TestSetBackInto(t *testing.T) {
	w := mustWorld(t, night1("01:00:00"))
	w.step = time.Second
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	s, _ := w.start(t, Options{})
	w.mustEnd(t, topic, 1)
	had := len(w.fetched())
	w.set(night1("08:00:00"))
	w.mustWait(t, "the window to close", func() bool { return !s.Status().Open })
	w.set(night1("01:30:00"))
	id, err := s.RunNow(t.Context(), w.mustTopic(t, "curling"), 0) // the scheduler has looked at the clock when this runs
	if err != nil {
		t.Fatal(err)
	}
	w.mustWait(t, "the other topic's crawl", func() bool { return w.mustCrawl(t, id).Status == crawls.Ended })
	hockey := 0
	for _, u := range w.fetched()[had:] {
		if u == "http://hockey.test/" {
			hockey++
		}
	}
	if hockey != 0 {
		t.Error("the night's crawl ran twice")
	}
	w.exec(t, "UPDATE crawls SET stop_reason = 'the clock was set back' WHERE topic_id = ?", topic)
	if c := w.mustEnd(t, topic, 2); c.Night != "2026-11-21" || c.StopReason != "no links left" {
		t.Errorf("%+v", c)
	}
}
