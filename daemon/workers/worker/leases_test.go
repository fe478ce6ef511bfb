package worker_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/workers/broker"
	"nightjar/daemon/workers/leases"
)

// daemon is what a daemon has for workers: a database, leases, a broker, and one crawl.
type daemon struct {
	st     *store.Store
	live   *fetch.Live
	leases *leases.Leases
	broker *broker.Broker
	crawl  crawls.Crawl
	*leases.Crawl
}

// stored keeps invitations in the database.
type stored struct{ st *store.Store }

func (s stored) Keys(ctx context.Context) (map[string]string, error) {
	all, err := leases.Workers(ctx, s.st.DB)
	keys := map[string]string{}
	for _, w := range all {
		if w.Revoked.IsZero() {
			keys[w.Name] = w.Key
		}
	}
	return keys, err
}

func (s stored) AddWorker(ctx context.Context, name, key string) error {
	return leases.AddWorker(ctx, s.st.DB, name, key)
}

func (s stored) RevokeWorker(ctx context.Context, name string) error {
	return leases.RevokeWorker(ctx, s.st.DB, name)
}

// mustDaemon runs such a daemon until the test ends.
func mustDaemon(t *testing.T, o leases.Options, l fetch.LiveOptions) *daemon {
	t.Helper()
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	path := storetest.Path(t)
	storetest.Exec(t, path, `INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 0)`)
	storetest.Exec(t, path, `INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'00', '{}', 1)`)
	d := &daemon{}
	var err error
	d.st, err = store.Open(ctx, path)
	must(err)
	t.Cleanup(func() { must(d.st.Close()) })
	id, err := crawls.Create(ctx, d.st.DB, crawls.Crawl{TopicID: 1, ModelID: 1, Strategy: "test", Options: crawls.Options{Starts: []string{"http://a.test/"}}})
	must(err)
	d.crawl, err = crawls.Get(ctx, d.st.DB, id)
	must(err)
	o.Log = slog.New(slog.DiscardHandler)
	o.Hosts = crawls.NewHostMemory(d.st.DB)
	d.leases, err = leases.New(ctx, d.st, o)
	must(err)
	l.Memory = o.Hosts
	d.live = fetch.NewLive(l)
	t.Cleanup(func() { must(d.live.Close()) })
	must(d.leases.Open(ctx, d.live, l.Keep))
	t.Cleanup(d.leases.Shut)
	d.broker = mustBrokerOf(t, d.leases, stored{d.st})
	running, stop := context.WithCancel(ctx)
	ended := make(chan error)
	go func() { ended <- d.leases.Run(running, d.broker.CaughtUp(), nil) }()
	t.Cleanup(func() { stop(); must(<-ended) })
	d.Crawl, err = d.leases.Crawl(ctx, id)
	must(err)
	t.Cleanup(d.Close)
	return d
}

// all fetches the addresses like a crawl that stores what came of them, and returns the results, and how many leases on each address
// ended without one.
func (d *daemon) all(t *testing.T, urls []string) (got map[string][]work.Result, lost map[string]int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*patience)
	defer stop()
	journal := crawls.NewJournal(d.st.DB, d.crawl)
	journal.OnTasks = d.leases.Committed
	got, lost = map[string][]work.Result{}, map[string]int{}
	again := make(chan string, len(urls))
	dispatch := func(u string) { d.Dispatch(ctx, work.Task{URL: u}) }
	for _, u := range urls {
		dispatch(u)
	}
	for left := len(urls); left > 0; {
		select {
		case u := <-again:
			dispatch(u)
		case r := <-d.Results():
			if r.Task != "" {
				task, err := crawls.OpenTask(ctx, d.st.DB, d.crawl.ID, r.URL)
				if err != nil || task.ID != r.Task {
					t.Fatalf("the task of a result is %+v, %v", task, err)
				}
				lost[r.URL] += task.Lost
				if err := journal.Commit(ctx, &crawler.Batch{Tasks: []string{r.Task}}); err != nil {
					t.Fatal(err)
				}
			}
			if r.Response.Outcome == fetch.Later {
				time.AfterFunc(time.Until(d.live.ReadyAt(r.URL)), func() { again <- r.URL })
				continue
			}
			got[r.URL] = append(got[r.URL], r)
			left--
		case <-ctx.Done():
			t.Fatalf("%d of %d pages were not fetched; workers: %+v", left, len(urls), d.leases.Status())
		}
	}
	return got, lost
}

// TestKilled: two workers as processes fetch a web for leases, over a broker. One is killed in the middle. The web is the judge:
// each page is fetched once, and once more at most for each lease on it that brought nothing, as when its worker was killed; never two
// pages of a host at once, and never sooner than the delay.
func TestKilled(t *testing.T) {
	effort.Long(t)
	const delay, hosts = 60 * time.Millisecond, 16
	var mu sync.Mutex
	times := map[string]int{}
	count, third := 0, make(chan struct{})
	w := &web{latency: 10 * time.Millisecond, delay: delay, onPage: func(url string) {
		mu.Lock()
		defer mu.Unlock()
		times[url]++
		if count++; count == 40 {
			close(third)
		}
	}}
	w.mustServe(t, hosts, 8)
	o := leases.Options{StartWithin: 2 * time.Second, FetchTimeout: 10 * time.Second, Slack: time.Second, CompareOne: -1}
	d := mustDaemon(t, o, fetch.LiveOptions{Delay: delay, Resolve: w.rules, UserAgent: "Nightjar/test"})
	attic := mustWork(t, d.broker, "attic", w.rules, "--parallel", "8")
	mustWork(t, d.broker, "cellar", w.rules, "--parallel", "8")
	go func() {
		<-third
		_ = attic.cmd.Process.Kill() // it runs
	}()
	got, lost := d.all(t, w.pages)
	all := 0
	for _, u := range w.pages {
		if len(got[u]) != 1 {
			t.Errorf("%s has %d results", u, len(got[u]))
			continue
		}
		if r := got[u][0].Response; r.Outcome != fetch.OK || got[u][0].Page == nil {
			t.Errorf("%s ended as %q: %s", u, r.Outcome, r.Reason)
		}
		mu.Lock()
		n := times[u]
		mu.Unlock()
		if n < 1 || n > 1+lost[u] {
			t.Errorf("%s was fetched %d times, and %d leases on it were lost", u, n, lost[u])
		}
		all += lost[u]
	}
	s := w.seen()
	t.Logf("%d pages, %d leases lost, least gap %v", len(got), all, s.leastGap)
	if s.overlapped > 0 || s.sooner > 0 {
		t.Errorf("the web saw %+v", s)
	}
	if all > 16 {
		t.Errorf("%d leases were lost", all)
	}
}
