package trainer

import (
	"errors"
	"runtime"
	"testing"

	"nightjar/daemon/store"
)

// stoppedWords is what a person reads of a stopped training.
const stoppedWords = "The training was stopped; the model before it stays in use."

// mustBeStopped holds what is so after a training was stopped: the model before it, the words, and that nothing begins
// it again unasked, in this process or the next.
func mustBeStopped(t *testing.T, st *store.Store, tr *Trainer, topic store.Topic, before *store.Model) {
	t.Helper()
	if s := tr.Status(topic.ID); s.Running || s.Stage != "stopped" || s.Problem != stoppedWords {
		t.Errorf("status %+v", s)
	}
	if m, err := st.LatestModel(t.Context(), topic.ID); err != nil || m.ID != before.ID {
		t.Errorf("the newest model is %+v, %v; want the one before", m, err)
	}
	next, _ := mustTrainer(t, st)
	for _, one := range []*Trainer{tr, next} {
		if stale, err := one.Stale(t.Context(), topic.ID); err != nil || stale {
			t.Errorf("stale = %v, %v", stale, err)
		}
		if err := one.Refresh(t.Context(), topic.ID); err != nil {
			t.Error(err)
		}
	}
	if err := next.submitStale(t.Context()); err != nil || len(next.queue) != 0 {
		t.Errorf("%d topics are submitted at the next start, %v", len(next.queue), err)
	}
	if m, err := st.LatestModel(t.Context(), topic.ID); err != nil || m.ID != before.ID {
		t.Errorf("it was trained again unasked: %+v, %v", m, err)
	}
	all, err := st.TopicSessions(t.Context(), topic.ID)
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
	tr.Cancel(topic.ID) // nothing is under way
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
		t.Fatalf("stale = %v, %v although nothing was stopped", stale, err)
	}
	tr.Submit(topic.ID)
	tr.Cancel(topic.ID)
	mustBeStopped(t, st, tr, topic, first)

	tr.one <- struct{}{} // another training is under way
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
	<-tr.one
	mustBeStopped(t, st, tr, topic, first)

	// What was called off stays so when its place in the queue comes, and asking again trains.
	tr.trainSubmitted(t.Context(), <-tr.queue)
	mustBeStopped(t, st, tr, topic, first)
	tr.Submit(topic.ID)
	tr.trainSubmitted(t.Context(), <-tr.queue)
	if m, err := st.LatestModel(t.Context(), topic.ID); err != nil || m.Version != 2 || len(m.Facts.Sessions) != 2 {
		t.Errorf("asked again: %+v, %v", m, err)
	}
	if _, err := st.Stopped(t.Context(), topic.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("it is still remembered as stopped: %v", err)
	}
}

// A training that is far along is stopped: 150 pages keep it busy long after the first words were counted.
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

	// Something new to learn from begins it again.
	mustIngest(t, st, walk(3, 5, 1))
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
		t.Errorf("stale = %v, %v after another session", stale, err)
	}
}
