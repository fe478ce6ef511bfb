package trainer

import (
	"errors"
	"runtime"
	"testing"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
)

const stoppedProblem = "The training was stopped. The previous model stays in use."

// mustBeStopped checks the state after a training was stopped: the previous model is in use, the status tells the
// person, and neither this process nor the next one starts the training again unasked.
func mustBeStopped(t *testing.T, st *store.Store, tr *Trainer, topic topics.Topic, before *models.Model) {
	t.Helper()
	if s := tr.Status(topic.ID); s.Running || s.Stage != "stopped" || s.Problem != stoppedProblem {
		t.Errorf("status %+v", s)
	}
	if m, err := models.Latest(t.Context(), st.DB, topic.ID); err != nil || m.ID != before.ID {
		t.Errorf("the newest model is %+v, %v; want the one before", m, err)
	}
	next, _ := mustTrainer(t, st)
	for _, trainer := range []*Trainer{tr, next} {
		if stale, err := trainer.Stale(t.Context(), topic.ID); err != nil || stale {
			t.Errorf("stale = %v, %v", stale, err)
		}
		if err := trainer.Refresh(t.Context(), topic.ID); err != nil {
			t.Error(err)
		}
	}
	if err := next.SubmitStale(t.Context()); err != nil || len(next.queue) != 0 {
		t.Errorf("%d topics are submitted at the next start, %v", len(next.queue), err)
	}
	if m, err := models.Latest(t.Context(), st.DB, topic.ID); err != nil || m.ID != before.ID {
		t.Errorf("the topic was trained again unasked: %+v, %v", m, err)
	}
	all, err := sessions.OfTopic(t.Context(), st.DB, topic.ID)
	if err != nil || len(all) != 2 {
		t.Errorf("%d submitted sessions, %v; want both to stay", len(all), err)
	}
}

func TestCancelWaiting(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 2))
	first, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	mustIngest(t, st, walk(2, 6, 1))
	tr.Cancel(topic.ID) // no training waits or runs
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
		t.Fatalf("stale = %v, %v, although no training was stopped", stale, err)
	}
	tr.Submit(topic.ID)
	tr.Cancel(topic.ID)
	mustBeStopped(t, st, tr, topic, first)

	tr.slot <- struct{}{} // another training is running
	ended := make(chan error, 1)
	go func() {
		_, err := tr.Train(t.Context(), topic.ID)
		ended <- err
	}()
	for tr.Status(topic.ID).Stage != "waiting" {
		runtime.Gosched()
	}
	tr.Cancel(topic.ID)
	if err := <-ended; !errors.Is(err, ErrStopped) {
		t.Errorf("got %v", err)
	}
	<-tr.slot
	mustBeStopped(t, st, tr, topic, first)

	// The cancelled training must not start from the queue. Submitting the topic again trains it.
	if _, err := tr.next(t.Context()); err != nil || len(tr.queue) > 0 {
		t.Error(tr.queue, err)
	}
	mustBeStopped(t, st, tr, topic, first)
	tr.Submit(topic.ID)
	mustTrainNext(t, tr)
	if m, err := models.Latest(t.Context(), st.DB, topic.ID); err != nil || m.Version != 2 || len(m.Facts.Sessions) != 2 {
		t.Errorf("submitted again: %+v, %v", m, err)
	}
	if _, err := trainingdata.Stopped(t.Context(), st.DB, topic.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the training is still stored as stopped: %v", err)
	}
}

// TestCancelRunning stops a training after its first stage: 150 pages keep it busy long enough.
func TestCancelRunning(t *testing.T) {
	st := mustStore(t)
	tr, bus := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 2))
	first, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	mustIngest(t, st, walk(2, 150, 50))
	news, stop := bus.Listen()
	defer stop()
	ended := make(chan error, 1)
	go func() {
		_, err := tr.Train(t.Context(), topic.ID)
		ended <- err
	}()
	for n := range news {
		if s, ok := n.Data.(Status); ok && s.Stage == "text" {
			break
		}
	}
	tr.Cancel(topic.ID)
	if err := <-ended; !errors.Is(err, ErrStopped) {
		t.Fatalf("got %v, want ErrStopped", err)
	}
	mustBeStopped(t, st, tr, topic, first)

	// Another session makes the topic stale again.
	mustIngest(t, st, walk(3, 5, 1))
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
		t.Errorf("stale = %v, %v after another session", stale, err)
	}
}
