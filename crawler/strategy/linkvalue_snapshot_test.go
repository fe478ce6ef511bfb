package strategy

import "testing"

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
