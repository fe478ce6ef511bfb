package trainer

import (
	"nightjar/daemon/learn/models"
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
	if m, err := models.Latest(t.Context(), st.DB, topic.ID); err != nil || m.Version != 1 {
		t.Errorf("version %d, %v; want one training", m.Version, err)
	}
	if s := tr.Status(topic.ID); s.Running || s.Stage != "done" {
		t.Errorf("status %+v", s)
	}

	tr.Submit(topic.ID) // the person wants it, stale or not
	mustTrainNext(t, tr)
	if m, err := models.Latest(t.Context(), st.DB, topic.ID); err != nil || m.Version != 2 {
		t.Errorf("version %d, %v; want another training", m.Version, err)
	}
}

// Each topic waits once, in the order of the requests. A topic that the person submits is trained whatever was asked for before.
func TestQueue(t *testing.T) {
	tr, _ := mustTrainer(t, mustStore(t))
	tr.submit(request{topic: 1, stale: true})
	tr.submit(request{topic: 2, report: true})
	for id := int64(3); id <= 300; id++ {
		tr.Submit(id)
	}
	tr.Submit(2)
	tr.submit(request{topic: 2, stale: true})
	tr.submit(request{topic: 1, report: true})
	first, second, last := tr.queue[0], tr.queue[1], tr.queue[len(tr.queue)-1]
	if len(tr.queue) != 300 || first != (request{topic: 1, stale: true}) || second != (request{topic: 2}) || last.topic != 300 {
		t.Errorf("%d topics wait: %v", len(tr.queue), tr.queue)
	}
}
