package pages

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store/storetest"
)

// TestPictures keeps pictures of sessions until an event of theirs is erased or changed, whatever did that.
func TestPictures(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t)
	m, other := sessiontest.New(1), sessiontest.New(2)
	for _, m := range []*sessiontest.Maker{m, other} {
		start := m.Start("Hockey")
		v := m.Visit("http://ice.test/", "", protocol.HowTyped, "")
		sessionstest.Ingest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>ice</title>")))
	}
	keep := func() string {
		t.Helper()
		state := storetest.Must(eventsState(t.Context(), s.DB, 1))(t)
		for _, id := range []int64{1, 2, 99} { // 99 is no session
			storetest.OK(t, keepPicture(t.Context(), s.DB, id, state, []byte("x"+state)))
		}
		if body, err := storedPicture(t.Context(), s.DB, 1, state); err != nil || string(body) != "x"+state {
			t.Errorf("kept %q, %v", body, err)
		}
		if _, err := storedPicture(t.Context(), s.DB, 1, "another state"); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("of another state: %v", err)
		}
		if of, body, err := lastPicture(t.Context(), s.DB, 1); err != nil || of != state || string(body) != "x"+state {
			t.Errorf("last %q, %q, %v", of, body, err)
		}
		if _, _, err := lastPicture(t.Context(), s.DB, 99); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("of no session: %v", err)
		}
		if n := storetest.Must(db.Single[int](t.Context(), s.Readers, "SELECT count(*) FROM pictures"))(t); n != 2 {
			t.Errorf("%d pictures", n)
		}
		return state
	}
	left := func(after string, want int) {
		t.Helper()
		if n := storetest.Must(db.Single[int](t.Context(), s.Readers, "SELECT count(*) FROM pictures"))(t); n != want {
			t.Errorf("%d pictures left after %s, want %d", n, after, want)
		}
	}
	first := keep()
	sessionstest.Ingest(t, s, m.Event(protocol.SessionPause))
	if state, err := eventsState(t.Context(), s.DB, 1); err != nil || state == first {
		t.Errorf("the state is still %q, %v", state, err)
	}
	keep()
	storetest.Must(s.Writer.ExecContext(t.Context(), "UPDATE events SET body = body WHERE session_id = 2 AND type = 'visit'"))(t)
	left("a change", 1)
	keep()
	storetest.Must(sessions.Delete(t.Context(), s.DB, 2))(t)
	left("deleting a session", 1)
	storetest.Must(erasing.Host(t.Context(), s, wings.Erasing, "ice.test"))(t)
	left("erasing a site", 0)
}

// TestPictureIsFoundByIndex has SQLite explain how the state and the picture of a session are found.
func TestPictureIsFoundByIndex(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	storetest.Must(eventsState(t.Context(), s.DB, 1))(t)
	if _, err := storedPicture(t.Context(), s.DB, 1, ""); !errors.Is(err, db.ErrNotFound) {
		t.Fatal(err)
	}
	storetest.OK(t, keepPicture(t.Context(), s.DB, 1, "", nil))
	for _, text := range slices.Collect(maps.Keys(all)) {
		args := all[text]
		for _, step := range plans.FullScans(t, s.Writer, text, args...) {
			t.Errorf("%s\n\tin %s", step, text)
		}
	}
}
