package crawls

import (
	"fmt"
	"path/filepath"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
	"nightjar/daemon/store/storetest"
)

// TestDropQueuesInterrupted: a queue that the person left is deleted in portions. After a kill the next start deletes the rest, and
// meanwhile nothing of it is offered.
func TestDropQueuesInterrupted(t *testing.T) {
	n := newNights(t, "learner")
	old := n.open()
	n.crawl(old, crawler.Budget{Pages: 20})
	var links []frontier.Entry
	for i := range 2 * linksAtOnce {
		links = append(links, frontier.Entry{URL: fmt.Sprintf("http://old.test/%d", i), Seq: int64(1000 + i), Depth: 1})
	}
	mustPutLinks(t, n.s, old.Queue, links)
	storetest.Change(t, n.s, `UPDATE crawls SET early = 1 WHERE id = ?`, old.ID) // the person could let it go on
	left := func() int {
		return storetest.Count(t, n.s, fmt.Sprint(`SELECT count(*) FROM frontier WHERE crawl_id = `, old.Queue))
	}
	whole := left()
	if err := DropQueues(t.Context(), n.s.DB); err != nil || left() != whole {
		t.Fatalf("before it was left: %v, %d links of %d", err, left(), whole)
	}
	storetest.OK(t, StartAnew(t.Context(), n.s.DB, n.c.TopicID))
	if err := DropQueues(t.Context(), n.s.DB); err != nil || left() != whole {
		t.Fatalf("while the person may go back: %v, %d links of %d", err, left(), whole)
	}
	c := n.open()
	if more, err := dropLinks(t.Context(), n.s.DB, old.Queue); err != nil || !more || left() != whole-linksAtOnce {
		t.Fatalf("one portion: %v, %v, %d links of %d", more, err, left(), whole)
	}
	path := filepath.Join(t.TempDir(), "copy.db") // as a kill leaves it
	storetest.Change(t, n.s, `VACUUM INTO ?`, path)
	n.s = mustOpen(t, path)
	if q := n.queueOf(n.c.TopicID); q.Waiting != 1 || c.Queue != c.ID {
		t.Errorf("the topic goes on with %+v", q)
	}
	if err := GoOn(t.Context(), n.s.DB, old.ID); err == nil {
		t.Error("a crawl goes on whose links are being deleted")
	}
	if err := DropQueues(t.Context(), n.s.DB); err != nil || left() != 0 {
		t.Errorf("after the kill: %v, %d links are left", err, left())
	}
	if kept := storetest.Count(t, n.s, `SELECT count(*) FROM learned WHERE crawl_id <> `+fmt.Sprint(c.ID)); kept > 0 {
		t.Error("what was learned is left")
	}
	if err := n.s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
