package strategy

import (
	"reflect"
	"testing"

	"nightjar/model/online"
)

// olderSnapshot is what earlier versions stored: the same state by gob.
func olderSnapshot(t *testing.T, s *linkValue) []byte {
	t.Helper()
	in, packed, err := online.Unseal(s.name, s.bundle, s.Snapshot())
	if err != nil || !packed {
		t.Fatal(packed, err)
	}
	state, err := s.readState(in)
	if err != nil {
		t.Fatal(err)
	}
	return s.pack(state)
}

// TestOlderSnapshot: a crawl that an earlier version stored goes on, and is then stored in the present form.
func TestOlderSnapshot(t *testing.T) {
	s, w := mustLearner(t, "link-value", bundle()), newWalk(31)
	w.taught(s, 170)
	again := mustLearner(t, "link-value", bundle())
	if err := again.Restore(olderSnapshot(t, s.(*linkValue))); err != nil {
		t.Fatal(err)
	}
	third := mustLearner(t, "link-value", bundle())
	if err := third.Restore(again.Snapshot()); err != nil {
		t.Fatal(err)
	}
	twin, triplet := w.fork(32), w.fork(32)
	w.rng = newWalk(32).rng
	taught := w.taught(s, 100)
	if !reflect.DeepEqual(taught, twin.taught(again, 100)) {
		t.Error("after the older snapshot it goes on differently")
	}
	if !reflect.DeepEqual(taught, triplet.taught(third, 100)) {
		t.Error("after the older one was stored anew it goes on differently")
	}
}

// TestSnapshotIsTheSame: the same state has the same bytes, also after it was restored.
func TestSnapshotIsTheSame(t *testing.T) {
	s, w := mustLearner(t, "link-value", bundle()), newWalk(33)
	w.taught(s, 120)
	first := string(s.Snapshot())
	again := mustLearner(t, "link-value", bundle())
	if err := again.Restore([]byte(first)); err != nil {
		t.Fatal(err)
	}
	if string(s.Snapshot()) != first || string(again.Snapshot()) != first {
		t.Error("other bytes")
	}
}
