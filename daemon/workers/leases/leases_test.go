package leases

import (
	"cmp"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/work"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// desk is a daemon with one crawl, as far as leases need it.
type desk struct {
	t     *testing.T
	path  string
	st    *store.Store
	live  *fetch.Live
	l     *Leases
	crawl crawls.Crawl
	c     *Crawl
	stop  context.CancelFunc
	ended chan struct{}
	o     Options
	web   string // ADDR:PORT of a server that is all hosts, for tests outside of a bubble; "" for none
}

// newDesk makes a database with a crawl, and starts its daemon. No page is fetched again to compare unless the options say so: there is
// no web, and that would be so for one test in some hundred.
func newDesk(t *testing.T, o Options) *desk {
	o.CompareOne = cmp.Or(o.CompareOne, -1)
	return newDeskOn(t, o, "")
}

// newDeskOn is newDesk with a server that is all hosts.
func newDeskOn(t *testing.T, o Options, web string) *desk {
	d := &desk{t: t, path: storetest.Path(t), o: o, web: web}
	d.fill()
	d.start()
	d.open()
	return d
}

// fill stores a crawl and workers.
func (d *desk) fill(workers ...string) {
	storetest.Exec(d.t, d.path, `INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 0)`)
	storetest.Exec(d.t, d.path, `INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'00', '{}', 1)`)
	st, err := store.Open(context.Background(), d.path)
	d.must(err)
	_, err = crawls.Create(d.t.Context(), st.DB, crawls.Crawl{TopicID: 1, ModelID: 1, Strategy: "test", Options: crawls.Options{Starts: []string{"http://a.test/"}}})
	d.must(err)
	for _, name := range workers {
		d.must(AddWorker(d.t.Context(), st.DB, name, "U"+name))
	}
	d.must(st.Close())
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// start opens the database and starts the leases.
func (d *desk) start() {
	d.t.Helper()
	var err error
	d.st, err = store.Open(context.Background(), d.path)
	d.must(err)
	if d.o.Clock != nil {
		d.st.Now = d.o.Clock.Now
	}
	d.l, err = New(context.Background(), d.st, d.o)
	d.must(err)
	hosts, err := d.l.o.Hosts.Load(context.Background())
	d.must(err)
	delay, web := time.Second, "127.0.0.1:9"
	if d.web != "" {
		delay, web = time.Millisecond, d.web
	}
	d.live = fetch.NewLive(fetch.LiveOptions{
		Delay: delay, Memory: d.l.o.Hosts, Hosts: hosts, Resolve: []fetch.Resolve{{Pattern: "*.test", Addr: web}},
		Known: crawls.KnownPages(d.st.DB), Clock: d.o.Clock,
	})
	d.must(d.l.Open(context.Background(), d.live, false))
	ctx, stop := context.WithCancel(context.Background())
	d.stop, d.ended = stop, make(chan struct{})
	caught := make(chan struct{})
	close(caught)
	go func() {
		defer close(d.ended)
		if err := d.l.Run(ctx, caught, nil); err != nil {
			d.t.Error(err)
		}
	}()
	if d.web == "" {
		synctest.Wait()
		return
	}
	for ready := false; !ready; time.Sleep(time.Millisecond) {
		d.l.mu.Lock()
		ready = d.l.ready
		d.l.mu.Unlock()
	}
}

// open opens the crawl's dispatcher.
func (d *desk) open() {
	var err error
	d.crawl, err = crawls.Get(context.Background(), d.st.DB, 1)
	d.must(err)
	d.c, err = d.l.Crawl(context.Background(), d.crawl.ID)
	d.must(err)
}

// close ends the daemon in order.
func (d *desk) close() {
	d.stop()
	<-d.ended
	d.c.Close()
	d.l.Shut()
	d.must(d.live.Close())
	d.must(d.st.Close())
}

// crash ends the daemon as if it were killed: what is not in the database is lost.
func (d *desk) crash() {
	d.stop()
	<-d.ended
	d.c.Close()
	d.l.Shut()
	d.must(d.st.Close())
	d.start()
	d.open()
}

// invite makes workers known and has them say hello.
func (d *desk) invite(names ...string) {
	for _, name := range names {
		d.must(AddWorker(context.Background(), d.st.DB, name, "U"+name))
		d.hello(name)
	}
}

func (d *desk) hello(name string) { d.helloWith(name, 4) }

// helloWith has a worker say that it does n tasks at once.
func (d *desk) helloWith(name string, n int) {
	d.t.Helper()
	w := d.l.Hello(context.Background(), work.Hello{Version: work.Version, Parser: page.Version, Name: name, Parallel: n, Now: time.Now()})
	if w.Refused != "" {
		d.t.Fatal(w.Refused)
	}
}

func (d *desk) ask(name string, n int) []work.Task {
	return d.l.Grant(context.Background(), name, work.Ask{Free: n}).Tasks
}

// result is what an honest worker returns for a page.
func result(name string, t work.Task) work.Result {
	now := time.Now()
	text := "<title>" + t.URL + "</title><p>It is here."
	r := work.Result{
		Task: t.ID, Attempt: t.Attempt, URL: t.URL, Worker: name, Parser: page.Version, Began: now.Add(-10 * time.Millisecond), Ended: now,
		Response: fetch.Response{URL: t.URL, FinalURL: t.URL, Outcome: fetch.OK, Status: 200, Body: []byte(text), Bytes: int64(len(text)), Exchanges: []fetch.Exchange{
			{URL: t.URL, Purpose: fetch.ForPage, Addr: "127.0.0.1", At: now.Add(-9 * time.Millisecond), Took: 8 * time.Millisecond, Status: 200, Bytes: int64(len(text))},
		}},
	}
	r.Page, _ = work.HTML(&r.Response)
	return r
}

func (d *desk) arrive(name string, r work.Result) work.Verdict {
	d.t.Helper()
	data, err := work.Encode(&r)
	d.must(err)
	v, err := d.l.Arrive(context.Background(), []work.Arrival{{Worker: name, Data: data}})
	d.must(err)
	return v[0]
}

func (d *desk) commit(r work.Result) {
	d.t.Helper()
	j := crawls.NewJournal(d.st.DB, d.crawl)
	j.OnTasks = d.l.Committed
	d.must(j.Commit(context.Background(), &crawler.Batch{Tasks: []string{r.Task}}))
}

// A page goes to a worker and comes back, and its host is lent again after its delay.
func TestOnePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		d.invite("one")
		d.c.Dispatch(t.Context(), work.Task{URL: "http://a.test/"})
		got := d.ask("one", 4)
		if len(got) != 1 || got[0].URL != "http://a.test/" || got[0].Attempt != 1 || got[0].Delay != time.Second || got[0].ID == "" {
			t.Fatalf("granted %+v", got)
		}
		if v := d.arrive("two", result("two", got[0])); v != work.Malformed {
			t.Errorf("the result of another worker is %v", v)
		}
		if v := d.arrive("one", result("one", got[0])); v != work.Kept {
			t.Fatalf("the result is %v", v)
		}
		r := <-d.c.Results()
		if r.Task != got[0].ID || r.URL != "http://a.test/" || r.Worker != "one" || r.Response.Outcome != fetch.OK || r.Page == nil || r.Response.Exchanges[0].Worker != "one" {
			t.Fatalf("%+v", r)
		}
		if v := d.arrive("one", result("one", got[0])); v != work.Duplicate {
			t.Errorf("again it is %v", v)
		}
		d.commit(r)
		if v := d.arrive("one", result("one", got[0])); v != work.Duplicate {
			t.Errorf("after its commit it is %v", v)
		}
		began := time.Now()
		d.c.Dispatch(t.Context(), work.Task{URL: "http://a.test/next"})
		for got = nil; len(got) == 0; got = d.ask("one", 1) {
			select {
			case r := <-d.c.Results(): // the host has to wait
				if r.Response.Outcome != fetch.Later || r.Task != "" {
					t.Fatalf("%+v", r)
				}
				time.Sleep(100 * time.Millisecond)
				d.c.Dispatch(t.Context(), work.Task{URL: "http://a.test/next"})
			default:
			}
		}
		if d := time.Since(began); d < time.Second || d > 4*time.Second {
			t.Errorf("lent again after %v", d)
		}
		if s := d.l.Status(); len(s.Workers) != 1 || s.Workers[0].Pages != 1 || s.Workers[0].State != work.StateReady || s.Granted != 1 || s.Duplicates != 2 {
			t.Errorf("%+v", s)
		}
		d.close()
	})
}

// A worker that vanishes has its page fetched by another one; the third time it is lost.
func TestLostThreeTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		d.invite("one", "two")
		d.c.Dispatch(t.Context(), work.Task{URL: "http://a.test/"})
		var before string
		for attempt := 1; attempt <= 3; attempt++ {
			var got []work.Task
			who := ""
			for len(got) == 0 {
				for _, name := range []string{"one", "two"} {
					d.l.Beat("one", work.Beat{Now: time.Now()})
					d.l.Beat("two", work.Beat{Now: time.Now()})
					if got = d.ask(name, 1); len(got) > 0 {
						who = name
						break
					}
				}
			}
			if got[0].Attempt != attempt || who == before || got[0].Unread != (attempt == 3) {
				t.Fatalf("attempt %d: %s got %+v", attempt, who, got[0])
			}
			before = who
			time.Sleep(d.l.lease() + time.Second)
		}
		r := <-d.c.Results()
		if r.Response.Outcome != fetch.Lost || r.Task == "" || r.URL != "http://a.test/" {
			t.Fatalf("%+v", r)
		}
		d.commit(r)
		if s := d.l.Status(); s.Lost != 1 || s.Granted != 0 {
			t.Errorf("%+v", s)
		}
		d.close()
	})
}

// What arrived is there after a crash, and a page that is out is not fetched twice.
func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		d.invite("one")
		for _, url := range []string{"http://a.test/", "http://b.test/", "http://c.test/"} {
			d.c.Dispatch(t.Context(), work.Task{URL: url})
		}
		got := d.ask("one", 3)
		if len(got) != 3 {
			t.Fatalf("granted %+v", got)
		}
		d.arrive("one", result("one", got[0]))
		d.crash()
		for _, task := range got {
			d.c.Dispatch(t.Context(), work.Task{URL: task.URL})
		}
		r := <-d.c.Results()
		if r.Task != got[0].ID || r.Response.Outcome != fetch.OK || r.Page == nil || r.Worker != "one" {
			t.Fatalf("after the crash: %+v", r)
		}
		d.commit(r)
		d.hello("one")
		if again := d.ask("one", 3); len(again) != 0 {
			t.Errorf("granted again: %+v", again)
		}
		if v := d.arrive("one", result("one", got[1])); v != work.Kept {
			t.Errorf("a result after the crash is %v", v)
		}
		if r := <-d.c.Results(); r.Task != got[1].ID || r.Response.Outcome != fetch.OK {
			t.Fatalf("after the crash: %+v", r)
		} else {
			d.commit(r)
		}
		time.Sleep(d.l.lease() + 2*time.Second)
		d.l.Beat("one", work.Beat{})
		if again := d.ask("one", 3); len(again) != 1 || again[0].ID != got[2].ID || again[0].Attempt != 2 {
			t.Errorf("after the lease: %+v, %+v", again, d.l.Status())
		}
		d.close()
	})
}

// The codec's compressors serve all tests, so they are made outside of their bubbles.
func TestMain(m *testing.M) {
	data, err := work.Encode(&work.Result{})
	if err == nil {
		_, err = work.Decode(data)
	}
	if err != nil {
		panic(err)
	}
	m.Run()
}
