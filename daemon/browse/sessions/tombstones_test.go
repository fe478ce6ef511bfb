package sessions

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
	everywhere "nightjar/daemon/lab/traces"
)

// TestErasedEventsStayAway: what was erased with a site is acknowledged when it is sent again, in any order, and nothing of it
// is stored; so is what a browser recorded of the site before and sends afterwards. New visits are new.
func TestErasedEventsStayAway(t *testing.T) {
	s := open(t)
	m := maker(3)
	start := m.Start("Ice")
	ice := m.Visit("http://ice.test/", "Ice", protocol.HowTyped, "")
	visit := m.Visit("http://www.canary.test/x", "Canary", protocol.HowLink, ice.Page)
	shot := m.Snapshot(visit.Page, []byte("<p>canary words"))
	useful := m.Of(protocol.Useful, visit.Page, "")
	link := m.Of(protocol.LinkUseful, ice.Page, "")
	link.URL = "http://canary.test/linked"
	sent := []protocol.Event{start, ice, visit, shot, useful, link}
	late := m.Snapshot(visit.Page, []byte("<p>canary later"))
	queued := m.Visit("http://canary.test/queued", "Canary", protocol.HowTyped, "")
	queuedShot := m.Snapshot(queued.Page, []byte("<p>canary queued"))
	mustIngest(t, s, sent...)
	mustIngest(t, s, queuedShot) // whose visit comes after the site was erased
	s.Now = func() time.Time { return queuedShot.At }
	must(Keep.EraseHost(t.Context(), s, "canary.test"))(t)
	slices.Reverse(sent)
	for range 2 {
		mustIngest(t, s, sent...)
		mustIngest(t, s, queued, late, queuedShot)
		mustBeWithout(s.DB, t, "canary")
	}
	again := m.Visit("http://canary.test/again", "Again", protocol.HowTyped, "")
	again.At = s.Now().Add(time.Second)
	mustIngest(t, s, again)
	if n := mustCount(t, s, "SELECT count(*) FROM visits v JOIN pages p ON p.id = v.page_id WHERE p.url = 'http://canary.test/again'"); n != 1 {
		t.Errorf("a new visit is stored %d times", n)
	}
}

// TestOldHostsAreForgotten: of which hosts something was erased is not kept for longer than it is needed.
func TestOldHostsAreForgotten(t *testing.T) {
	s := open(t)
	for i, host := range []string{"a.test", "b.test"} {
		now := time.Date(2026, 1, 1+100*i, 0, 0, 0, 0, time.UTC)
		s.Now = func() time.Time { return now }
		must(Keep.EraseHost(t.Context(), s, host))(t)
	}
	if n := mustCount(t, s, "SELECT count(*) FROM tombstones WHERE at > 0"); n != 1 {
		t.Errorf("%d hosts are known", n)
	}
}

// mustBeWithout fails when the database, in its files or in any value, has a word.
func mustBeWithout(d *db.DB, t *testing.T, words ...string) {
	t.Helper()
	found := must(everywhere.Find(t.Context(), filepath.Dir(d.Path()), words...))(t)
	for _, place := range found {
		t.Errorf("left: %s", place)
	}
}
