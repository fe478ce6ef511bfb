package scheduler

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/morning/reason"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/store/storetest"
)

// TestReasonsAfterTheEnd: the reasons of a crawl's finds are worked out again after it has ended, so that nobody waits for that, and
// not while something is erased.
func TestReasonsAfterTheEnd(t *testing.T) {
	w := mustWorld(t, evening)
	w.pages = 6
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	five := w.hold("http://hockey.test/5")
	o, _ := pupils()
	o.Reasons = reason.Keeper{Store: w.st}
	s, _ := w.start(t, o)
	w.mustRunNow(t, s, topic)
	<-five.reached
	w.exec(t, `UPDATE reasons SET passage = 'mine'`)
	old := func() int { return w.one(t, `SELECT count(*) FROM reasons WHERE passage = 'mine'`) }
	if old() == 0 {
		t.Fatal("no find has a reason")
	}
	s.making.Lock() // as Apart does
	close(five.open)
	w.mustEnd(t, topic, 1)
	w.mustLeave(t, s)
	if old() == 0 {
		t.Error("reasons are worked out while something is erased")
	}
	s.making.Unlock()
	for late := time.Now().Add(time.Minute); old() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("the reasons were not worked out again")
		}
	}
}

// TestReasonsOfADeletedTopic: a topic that is deleted while the reasons of its crawl's finds are worked out again is no reason for a warning.
func TestReasonsOfADeletedTopic(t *testing.T) {
	w := mustWorld(t, evening)
	w.pages = 6
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	var log strings.Builder
	o, _ := pupils()
	o.Reasons = reason.Keeper{Store: w.st}
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, stop := w.start(t, o)
	id := w.mustRunNow(t, s, topic)
	w.mustEnd(t, topic, 1)
	stop()
	s.renewing = []renewal{{crawl: storetest.Must(crawls.Get(t.Context(), w.st.DB, id))(t)}}
	storetest.Exec(t, w.st.Path(), "DELETE FROM models")
	if more := s.renew(t.Context()); more || log.Len() > 0 {
		t.Errorf("more: %v; log: %s", more, &log)
	}
}
