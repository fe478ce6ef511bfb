package worker_test

import (
	"context"
	"log/slog"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/crawler/work/worktest"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/workers/broker/join"
	"nightjar/daemon/workers/leases"
	"nightjar/daemon/workers/worker"
)

// TestContract runs the suite of all dispatchers over leases, a broker and a worker.
func TestContract(t *testing.T) {
	worktest.Run(t, func(t *testing.T, l fetch.LiveOptions) (work.Dispatcher, fetch.Fetcher) {
		d := mustDaemon(t, leases.Options{CompareOne: -1, UserAgent: func() string { return l.UserAgent }}, l)
		text, err := d.broker.Invite(t.Context(), "attic")
		if err != nil {
			t.Fatal(err)
		}
		invite, err := join.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := join.Dial(t.Context(), join.Options{Invite: invite, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		drain, done := make(chan struct{}), make(chan error, 1)
		go func() {
			done <- worker.Run(context.Background(), drain, worker.Options{Broker: conn, Name: "attic", Program: "test", Parallel: 8, Resolve: l.Resolve})
		}()
		used := &using{Crawl: d.Crawl, results: make(chan work.Result), stop: make(chan struct{}), ended: make(chan struct{})}
		journal := crawls.NewJournal(d.st.DB, d.crawl)
		journal.OnTasks = d.leases.Committed
		go used.run(t, journal)
		t.Cleanup(func() {
			close(used.stop)
			<-used.ended
			close(drain)
			if err := <-done; err != nil {
				t.Error(err)
			}
			conn.Close()
		})
		return used, d.live
	})
}

// using is a crawl that has used each result before the next.
type using struct {
	*leases.Crawl
	results     chan work.Result
	stop, ended chan struct{}
}

func (u *using) Results() <-chan work.Result { return u.results }

func (u *using) run(t *testing.T, j *crawls.Journal) {
	defer close(u.ended)
	for {
		select {
		case r := <-u.Crawl.Results():
			if r.Task != "" {
				if err := j.Commit(context.Background(), &crawler.Batch{Tasks: []string{r.Task}}); err != nil {
					t.Error(err)
				}
			}
			select {
			case u.results <- r:
			case <-u.stop:
				return
			}
		case <-u.stop:
			return
		}
	}
}
