package store

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/db"
)

// TestPictures keeps pictures of sessions until an event of theirs is erased or changed, whatever did that.
func TestPictures(t *testing.T) {
	t.Parallel()
	s := open(t)
	m, other := maker(1), maker(2)
	for _, m := range []*sessiontest.Maker{m, other} {
		start := m.Start("Hockey")
		v := m.Visit("http://ice.test/", "", protocol.HowTyped, "")
		mustIngest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>ice</title>")))
	}
	keep := func() string {
		t.Helper()
		state := must(s.EventsState(t.Context(), 1))(t)
		for _, id := range []int64{1, 2, 99} { // 99 is no session
			ok(t, s.KeepPicture(t.Context(), id, state, []byte("x"+state)))
		}
		if body, err := s.Picture(t.Context(), 1, state); err != nil || string(body) != "x"+state {
			t.Errorf("kept %q, %v", body, err)
		}
		if _, err := s.Picture(t.Context(), 1, "another state"); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("of another state: %v", err)
		}
		if of, body, err := s.LastPicture(t.Context(), 1); err != nil || of != state || string(body) != "x"+state {
			t.Errorf("last %q, %q, %v", of, body, err)
		}
		if _, _, err := s.LastPicture(t.Context(), 99); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("of no session: %v", err)
		}
		if n := mustCount(t, s, "SELECT count(*) FROM pictures"); n != 2 {
			t.Errorf("%d pictures", n)
		}
		return state
	}
	left := func(after string, want int) {
		t.Helper()
		if n := mustCount(t, s, "SELECT count(*) FROM pictures"); n != want {
			t.Errorf("%d pictures left after %s, want %d", n, after, want)
		}
	}
	first := keep()
	mustIngest(t, s, m.Event(protocol.SessionPause))
	if state, err := s.EventsState(t.Context(), 1); err != nil || state == first {
		t.Errorf("the state is still %q, %v", state, err)
	}
	keep()
	must(s.Writer.ExecContext(t.Context(), "UPDATE events SET body = body WHERE session_id = 2 AND type = 'visit'"))(t)
	left("a change", 1)
	keep()
	must(s.DeleteSession(t.Context(), 2))(t)
	left("deleting a session", 1)
	must(Keep.EraseHost(t.Context(), s, "ice.test"))(t)
	left("erasing a site", 0)
}

// TestPictureIsFoundByIndex has SQLite explain how the state and the picture of a session are found.
func TestPictureIsFoundByIndex(t *testing.T) {
	s, all := record(t)
	must(s.EventsState(t.Context(), 1))(t)
	if _, err := s.Picture(t.Context(), 1, ""); !errors.Is(err, db.ErrNotFound) {
		t.Fatal(err)
	}
	ok(t, s.KeepPicture(t.Context(), 1, "", nil))
	if _, err := s.ModelPicture(t.Context(), 1, ""); !errors.Is(err, db.ErrNotFound) {
		t.Fatal(err)
	}
	ok(t, s.KeepModelPicture(t.Context(), 1, "", nil))
	for _, text := range slices.Collect(maps.Keys(all)) {
		args := all[text]
		for _, step := range fullScans(t, s.Writer, text, args...) {
			t.Errorf("%s\n\tin %s", step, text)
		}
	}
}
