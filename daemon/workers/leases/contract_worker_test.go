package leases

import (
	"context"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/work"
	"nightjar/crawler/work/worktest"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// Leases keep the contract of dispatchers with a worker, too.
func TestContractOfAWorker(t *testing.T) {
	worktest.Run(t, func(t *testing.T, o fetch.LiveOptions) (work.Dispatcher, fetch.Fetcher) {
		return contract(t, "near", o)
	})
}

// contract makes a dispatcher whose tasks a worker does, "" for the own hands.
func contract(t *testing.T, name string, o fetch.LiveOptions) (work.Dispatcher, fetch.Fetcher) {
	path := storetest.Path(t)
	storetest.Exec(t, path, `INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 0)`)
	storetest.Exec(t, path, `INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'00', '{}', 1)`)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	st, err := store.Open(ctx, path)
	must(err)
	id, err := crawls.Create(ctx, st.DB, crawls.Crawl{TopicID: 1, ModelID: 1, Strategy: "test", Options: crawls.Options{Starts: []string{"http://a.test/"}}})
	must(err)
	own := o
	own.Known, own.Memory = nil, nil
	if o.Memory == nil {
		o.Memory = crawls.NewHostMemory(st.DB)
	}
	live := fetch.NewLive(o)
	leased := Options{CompareOne: -1, Hands: name == ""}
	var hands func(context.Context) (*work.Hands, error)
	if leased.Hands {
		hands = func(context.Context) (*work.Hands, error) { return work.NewRemote("", own), nil }
	}
	l, err := New(ctx, st, leased)
	must(err)
	must(l.Open(ctx, live, o.Keep))
	ended := make(chan struct{})
	caught := make(chan struct{})
	close(caught)
	go func() {
		defer close(ended)
		_ = l.Run(ctx, caught, hands) // an error only concerns counts
	}()
	worked := make(chan struct{})
	if name == "" {
		close(worked)
	} else {
		must(AddWorker(ctx, st.DB, name, "U"))
		l.Hello(ctx, work.Hello{Version: work.Version, Parser: page.Version, Name: name, Parallel: 8, Now: time.Now()})
		go func() {
			defer close(worked)
			serve(ctx, t, l, name, work.NewRemote(name, own))
		}()
	}
	c, err := l.Crawl(ctx, id)
	must(err)
	used := &using{Crawl: c, results: make(chan work.Result), stop: ctx.Done(), ended: make(chan struct{})}
	journal := crawls.NewJournal(st.DB, crawls.Crawl{ID: id, TopicID: 1})
	journal.OnTasks = l.Committed
	go used.run(t, journal)
	t.Cleanup(func() {
		cancel()
		<-used.ended
		<-worked
		<-ended
		c.Close()
		l.Shut()
		must(live.Close())
		must(st.Close())
	})
	return used, live
}

// serve is a worker without a network in between.
func serve(ctx context.Context, t *testing.T, l *Leases, name string, h *work.Hands) {
	left := make(chan struct{}, 64)
	for ctx.Err() == nil {
		l.Beat(name, work.Beat{Now: time.Now()})
		for _, task := range l.Grant(ctx, name, work.Ask{Free: 8}).Tasks {
			left <- struct{}{}
			go func() {
				defer func() { <-left }()
				r := h.Do(ctx, task)
				data, err := work.Encode(&r)
				if err == nil {
					_, err = l.Arrive(context.WithoutCancel(ctx), []work.Arrival{{Worker: name, Data: data}})
				}
				if err != nil {
					t.Error(err)
				}
			}()
		}
	}
	for range cap(left) {
		left <- struct{}{}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

// using is a crawl that has used each result before the next.
type using struct {
	*Crawl
	results chan work.Result
	stop    <-chan struct{}
	ended   chan struct{}
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
