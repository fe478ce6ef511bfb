package trainingdata_test

import (
	"errors"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store/storetest"
)

// TestStopped: what a stopped training would have learned from is stored as it was.
func TestStopped(t *testing.T) {
	s := storetest.Open(t)
	hockey := storetest.Must(s.CreateTopic(t.Context(), "Hockey"))(t)
	if _, err := trainingdata.Stopped(t.Context(), s.DB, hockey.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("nothing was stopped: %v", err)
	}
	for _, want := range []trainingdata.Known{{Sessions: []string{"a"}, Feedback: 3}, {Sessions: []string{}, Milestones: "names"}} {
		storetest.OK(t, trainingdata.SaveStopped(t.Context(), s.DB, hockey.ID, want))
		if got, err := trainingdata.Stopped(t.Context(), s.DB, hockey.ID); err != nil || !got.Equal(want) || got.Equal(trainingdata.Known{}) {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
}
