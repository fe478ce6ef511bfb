package scheduler

import (
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// readsMore are parts of the statements of a crawl that walk over a table that grows, and why they may.
var readsMore = map[string]string{}

// TestCrawlScansNoTable has SQLite explain every statement of a crawl that begins, reads pages, is paused, goes on after the
// daemon restarted, and ends: none may read the whole of a table that grows.
func TestCrawlScansNoTable(t *testing.T) {
	db.Driver = plans.Driver
	w := mustWorld(t, evening)
	db.Driver = "sqlite"
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	all, done := plans.Note()
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
	stop()
	delete(w.block, "http://hockey.test/3")
	s, stop = w.start(t, Options{})
	other := w.mustRunNow(t, s, w.mustTopic(t, "curling")) // its fetches move the clock on
	w.mustEnd(t, w.mustCrawl(t, other).TopicID, 1)
	if err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.mustEnd(t, topic, 1)
	stop()
	done()
	plans.Check(t, store.FileURL(w.st.Path()), all, readsMore,
		"INTO fetches ", "INTO frontier ", "INTO finds ", "INTO contents ", "INTO crawls ")
}
