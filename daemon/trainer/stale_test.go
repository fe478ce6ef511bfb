package trainer

import (
	"sync"
	"testing"
	"time"
)

// TestStaleTopicIsTrainedOnce: a start finds a topic stale while a crawl that needs its model does so, too. One training is enough
// for both, whichever is first.
func TestStaleTopicIsTrainedOnce(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 2))
	if err := tr.SubmitStale(t.Context()); err != nil || tr.waits(topic.ID) < 0 {
		t.Fatalf("a stale topic does not wait for its training: %v", err)
	}
	tr.slot <- struct{}{} // another training is running
	var crawls sync.WaitGroup
	for range 2 {
		crawls.Go(func() {
			if err := tr.Refresh(t.Context(), topic.ID); err != nil {
				t.Error(err)
			}
		})
	}
	for waiting := 0; waiting < 2; time.Sleep(time.Millisecond) {
		waiting = len(tr.running.IDs())
	}
	<-tr.slot
	crawls.Wait()
	mustTrainNext(t, tr)
	if m, err := st.LatestModel(t.Context(), topic.ID); err != nil || m.Version != 1 {
		t.Errorf("version %d, %v; want one training", m.Version, err)
	}
	if s := tr.Status(topic.ID); s.Running || s.Stage != "done" {
		t.Errorf("status %+v", s)
	}

	tr.Submit(topic.ID) // the person wants it, stale or not
	mustTrainNext(t, tr)
	if m, err := st.LatestModel(t.Context(), topic.ID); err != nil || m.Version != 2 {
		t.Errorf("version %d, %v; want another training", m.Version, err)
	}
}
