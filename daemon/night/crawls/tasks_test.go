package crawls

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// grantOne grants the first attempt at a link of a crawl.
func grantOne(t *testing.T, s *store.Store, crawlID int64, id, url string, attempt int, worker string) bool {
	t.Helper()
	now := s.Now()
	ok := storetest.Must(GrantTasks(t.Context(), NewHostMemory(s.DB), []Task{{
		ID: id, CrawlID: crawlID, URL: url, FinalURL: url, Host: "a.test", Attempt: attempt, Worker: worker,
		Granted: now, Until: now.Add(50 * time.Second), Delay: time.Second,
	}}))(t)
	return ok[0]
}

func arriveOne(t *testing.T, s *store.Store, a Arrival) Verdict {
	t.Helper()
	v := storetest.Must(ArriveTasks(t.Context(), NewHostMemory(s.DB), []Arrival{a}))(t)
	return v[0]
}

// The first result of a task counts, whichever attempt it is of, and it is used once.
func TestTaskIsUsedOnce(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/"}})
	url := c.Options.Starts[0]
	if !grantOne(t, s, c.ID, "t", url, 1, "one") || grantOne(t, s, c.ID, "t", url, 1, "two") {
		t.Fatal("granted twice or never")
	}
	if lost, err := LoseTask(t.Context(), s.DB, "t", 1, nil); err != nil || !lost {
		t.Fatal(lost, err)
	}
	if !grantOne(t, s, c.ID, "t", url, 2, "two") {
		t.Fatal("not granted again")
	}
	for _, a := range []Arrival{{Task: "t", Attempt: 3, Worker: "two"}, {Task: "t", Attempt: 2, Worker: "one"}, {Task: "other", Attempt: 1, Worker: "one"}} {
		if v := arriveOne(t, s, a); v != Unknown {
			t.Errorf("%+v is %s", a, v)
		}
	}
	if v := arriveOne(t, s, Arrival{Task: "t", Attempt: 1, Worker: "one", Result: []byte("first")}); v != Accepted {
		t.Fatalf("the late result is %s", v)
	}
	if v := arriveOne(t, s, Arrival{Task: "t", Attempt: 2, Worker: "two", Result: []byte("second")}); v != Duplicate {
		t.Fatalf("the second result is %s", v)
	}
	task, err := OpenTask(t.Context(), s.DB, c.ID, url)
	if err != nil || task.State != TaskArrived || !bytes.Equal(task.Result, []byte("first")) || task.Attempt != 2 {
		t.Fatalf("%+v, %v", task, err)
	}
	if !task.Out(s.Now()) {
		t.Error("the second attempt is still out")
	}
	if out, err := TasksOut(t.Context(), s.DB); err != nil || len(out) != 1 {
		t.Errorf("out: %+v, %v", out, err)
	}
	j := NewJournal(s.DB, c)
	storetest.OK(t, j.Commit(t.Context(), &crawler.Batch{Tasks: []string{"t", "gone"}}))
	if err := j.Commit(t.Context(), &crawler.Batch{Tasks: []string{"t"}}); err == nil {
		t.Error("a result was used twice")
	}
	if _, err := OpenTask(t.Context(), s.DB, c.ID, url); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("after the commit: %v", err)
	}
	if n := storetest.Count(t, s, "SELECT count(*) FROM tasks WHERE state = 'committed' AND result IS NULL"); n != 1 {
		t.Errorf("%d tasks are committed", n)
	}
	if v := arriveOne(t, s, Arrival{Task: "t", Attempt: 2, Worker: "two", Result: []byte("third")}); v != Duplicate {
		t.Errorf("after the commit a result is %s", v)
	}
}

// A redirect to another host leaves the task to be granted for that host, with what came so far.
func TestTaskMoves(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/"}})
	url := c.Options.Starts[0]
	grantOne(t, s, c.ID, "t", url, 1, "one")
	if v := arriveOne(t, s, Arrival{Task: "t", Attempt: 1, Worker: "one", Next: "http://b.test/", Host: "b.test", Hops: []byte("hops")}); v != Accepted {
		t.Fatal(v)
	}
	task, err := OpenTask(t.Context(), s.DB, c.ID, url)
	if err != nil || task.State != TaskWaiting || task.FinalURL != "http://b.test/" || task.Host != "b.test" || string(task.Hops) != "hops" {
		t.Fatalf("%+v, %v", task, err)
	}
	again := Arrival{Task: "t", Attempt: 1, Worker: "one", Next: "http://b.test/", Host: "b.test", Hops: []byte("hops")}
	if v := arriveOne(t, s, again); v != Duplicate {
		t.Errorf("the redirect again is %s", v)
	}
	if out, err := TasksOut(t.Context(), s.DB); err != nil || len(out) != 0 {
		t.Errorf("out: %+v, %v", out, err)
	}
}

// The tasks of a crawl that ends take no results any more, and their hosts are still left alone.
func TestTasksOfEndedCrawl(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/"}})
	now := time.Now()
	s.Now = func() time.Time { return now }
	url := c.Options.Starts[0]
	grantOne(t, s, c.ID, "t", url, 1, "one")
	storetest.OK(t, End(t.Context(), s.DB, c.ID, "stopped"))
	if v := arriveOne(t, s, Arrival{Task: "t", Attempt: 1, Worker: "one", Result: []byte("x")}); v != Unknown {
		t.Error(v)
	}
	if grantOne(t, s, c.ID, "u", url, 1, "one") {
		t.Error("a task of an ended crawl was granted")
	}
	if lost, err := LoseTask(t.Context(), s.DB, "t", 1, nil); err != nil || lost {
		t.Error(lost, err)
	}
	out, err := TasksOut(t.Context(), s.DB)
	if err != nil || len(out) != 1 || !out[0].Out(now.Add(50*time.Second)) || out[0].Out(now.Add(51*time.Second)) {
		t.Errorf("out: %+v, %v", out, err)
	}
	now = now.Add(2 * time.Hour)
	storetest.OK(t, PruneTasks(t.Context(), s.DB))
	if n := storetest.Count(t, s, "SELECT count(*) FROM tasks"); n != 0 {
		t.Errorf("%d tasks are kept", n)
	}
}

// A task that was lost three times ends as lost when its crawl was told.
func TestTaskIsLost(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/"}})
	url := c.Options.Starts[0]
	for attempt := range 3 {
		grantOne(t, s, c.ID, "t", url, attempt+1, "one")
		var result []byte
		if attempt == 2 {
			result = []byte("lost")
		}
		if lost, err := LoseTask(t.Context(), s.DB, "t", attempt+1, result); err != nil || !lost {
			t.Fatal(lost, err)
		}
	}
	if v := arriveOne(t, s, Arrival{Task: "t", Attempt: 3, Worker: "one", Result: []byte("late")}); v != Duplicate {
		t.Error(v)
	}
	storetest.OK(t, NewJournal(s.DB, c).Commit(t.Context(), &crawler.Batch{Tasks: []string{"t"}}))
	if n := storetest.Count(t, s, "SELECT count(*) FROM tasks WHERE state = 'lost' AND result IS NULL"); n != 1 {
		t.Errorf("%d tasks are lost", n)
	}
}

// Erasing a host deletes its tasks, and results that may name it.
func TestEraseTasks(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/"}})
	grantOne(t, s, c.ID, "its", "http://canary.test/", 1, "one")
	grantOne(t, s, c.ID, "names", "http://a.test/other", 1, "one")
	grantOne(t, s, c.ID, "stays", "http://a.test/stays", 1, "one")
	arriveOne(t, s, Arrival{Task: "names", Attempt: 1, Worker: "one", Result: []byte("canary.test")})
	storetest.Must(eraseHost(t.Context(), s, "canary.test"))(t)
	if ids, err := db.Query(t.Context(), s.Readers, db.ScanText, "SELECT id FROM tasks"); err != nil || len(ids) != 1 || ids[0] != "stays" {
		t.Errorf("left: %q, %v", ids, err)
	}
}
