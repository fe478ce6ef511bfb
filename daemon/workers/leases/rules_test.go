package leases

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/work"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
)

// dispatch has pages wait for workers.
func (d *desk) dispatch(urls ...string) {
	for _, url := range urls {
		d.c.Dispatch(d.t.Context(), work.Task{URL: url})
	}
}

// mustAsk asks for tasks and expects so many.
func (d *desk) mustAsk(name string, n, want int) []work.Task {
	d.t.Helper()
	got := d.ask(name, n)
	if len(got) != want {
		d.t.Fatalf("%s asked for %d tasks and got %+v, want %d", name, n, got, want)
	}
	return got
}

// beats has workers beat every five seconds for a while.
func (d *desk) beats(of time.Duration, names ...string) {
	for end := time.Now().Add(of); ; {
		for _, name := range names {
			d.l.Beat(name, work.Beat{Now: time.Now()})
		}
		left := time.Until(end)
		if left <= 0 {
			return
		}
		time.Sleep(min(left, 5*time.Second))
	}
}

// bring brings back a task, and uses its result up.
func (d *desk) bring(name string, t work.Task) { d.bringAs(name, result(name, t)) }

func (d *desk) bringAs(name string, r work.Result) {
	d.t.Helper()
	if v := d.arrive(name, r); v != work.Kept {
		d.t.Fatalf("the result of %s is %v", r.URL, v)
	}
	d.commit(<-d.c.Results())
}

// sitesOf names n pages, each of another site that belongs to a worker.
func (d *desk) sitesOf(name string, n int) (urls []string) {
	d.l.mu.Lock()
	defer d.l.mu.Unlock()
	for i := 0; len(urls) < n; i++ {
		site := fmt.Sprintf("s%d.test", i)
		if w := owner(site, "", d.l.working()); w != nil && w.name == name {
			urls = append(urls, "http://"+site+"/")
		}
	}
	return urls
}

func (d *desk) stateOf(name string) work.State {
	all := d.l.Status().Workers
	i := slices.IndexFunc(all, func(w work.WorkerStatus) bool { return w.Name == name })
	return all[i].State
}

// A worker that misses three beats counts as gone: its sites go to the others, also to one that is asking just then. When it beats again,
// they are its own again.
func TestThreeBeatsMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{Anyone: time.Hour, Patience: 4 * time.Second})
		d.invite("one", "two")
		urls := d.sitesOf("one", 4)
		began := time.Now()
		d.dispatch(urls[:3]...)
		d.beats(10*time.Second, "two")
		if s := d.stateOf("one"); s != work.StateReady {
			t.Errorf("after two beats it is %q", s)
		}
		d.mustAsk("two", 1, 0) // until 14 s
		got := d.mustAsk("two", 1, 1)
		if after := time.Since(began); after < 15*time.Second || after > 16*time.Second {
			t.Errorf("a site went to the other worker after %v", after)
		}
		if s := d.stateOf("one"); s != work.StateGone {
			t.Errorf("after three beats it is %q", s)
		}
		d.bring("two", got[0])
		d.bring("two", d.mustAsk("two", 1, 1)[0])
		d.beats(0, "one", "two")
		d.mustAsk("two", 1, 0)
		d.bring("one", d.mustAsk("one", 1, 1)[0])
		d.close()
	})
}

// Until the results from before the start have come in, workers get no tasks. This machine's own hands need no broker, and do not wait
// for one.
func TestOwnHandsDoNotWaitForTheBroker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		d.invite("one")
		d.dispatch("http://a.test/")
		d.l.mu.Lock()
		d.l.ready = false
		d.l.o.Hands = true // the test does what they do
		d.l.workers[""] = &worker{own: true, hello: work.Hello{Parallel: 8}}
		d.l.mu.Unlock()
		d.mustAsk("one", 1, 0)
		d.beats(time.Minute) // it is gone
		d.bring("", d.mustAsk("", 1, 1)[0])
		d.close()
	})
}

// loseOne has a worker take a task of a host and never bring it back.
func (d *desk) loseOne(name, url string) {
	d.t.Helper()
	d.beats(0, name)
	if got := d.mustAsk(name, 1, 1); got[0].URL != url {
		d.t.Fatalf("granted %+v", got)
	}
	d.beats(d.l.lease()+2*time.Second, name)
}

// A host on which three tasks in a row were lost rests: its pages go back to the crawl, and those of other hosts do not.
func TestHostOfLostTasksRests(t *testing.T) {
	for _, inRow := range []bool{true, false} {
		t.Run(fmt.Sprint("in a row ", inRow), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, Options{HostRest: time.Hour})
				d.invite("one")
				d.dispatch("http://a.test/1")
				d.loseOne("one", "http://a.test/1")
				d.loseOne("one", "http://a.test/1")
				if inRow {
					d.loseOne("one", "http://a.test/1")
					if r := <-d.c.Results(); r.Response.Outcome != fetch.Lost {
						t.Fatalf("after three attempts: %+v", r)
					} else {
						d.commit(r)
					}
				} else {
					d.bring("one", d.mustAsk("one", 1, 1)[0])
					time.Sleep(2 * time.Second)
					d.dispatch("http://a.test/2")
					d.loseOne("one", "http://a.test/2")
				}
				rest := time.Until(d.live.ReadyAt("http://a.test/3"))
				if rests := rest > 50*time.Minute; rests != inRow || rest > time.Hour+time.Minute {
					t.Errorf("the host rests for %v", rest)
				}
				d.beats(0, "one")
				d.dispatch("http://a.test/3", "http://b.test/")
				for _, task := range d.mustAsk("one", 4, 1+map[bool]int{false: 1}[inRow]) {
					if inRow && task.URL != "http://b.test/" {
						t.Errorf("granted %s", task.URL)
					}
				}
				if inRow {
					if r := <-d.c.Results(); r.URL != "http://a.test/3" || r.Response.Outcome != fetch.Later {
						t.Errorf("its page came back as %+v", r)
					}
				}
				d.close()
			})
		})
	}
}

// A worker that loses tasks on three hosts, with no result in between, is shown as sick and gets one task at a time, until it brings one
// back. However many it loses on two hosts, it is not.
func TestSickWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{HostRest: time.Second})
		d.invite("one")
		lose := func(n int) {
			t.Helper()
			d.mustAsk("one", 4, n)
			d.beats(d.l.lease()+5*time.Second, "one")
		}
		d.dispatch("http://a.test/1", "http://b.test/1")
		for range 3 {
			lose(2)
		}
		for range 2 {
			d.commit(<-d.c.Results())
		}
		d.dispatch("http://a.test/2", "http://b.test/2")
		lose(2)
		if s := d.stateOf("one"); s != work.StateReady {
			t.Errorf("after eight leases of two hosts it is %q", s)
		}
		d.dispatch("http://c.test/", "http://d.test/", "http://e.test/", "http://f.test/")
		lose(4)
		if s := d.stateOf("one"); s != work.StateSick {
			t.Errorf("after tasks of four hosts it is %q", s)
		}
		got := d.mustAsk("one", 4, 1)
		d.mustAsk("one", 4, 0)
		d.bring("one", got[0])
		if s := d.stateOf("one"); s != work.StateReady {
			t.Errorf("after a result it is %q", s)
		}
		d.mustAsk("one", 4, 4)
		d.close()
	})
}

// While more results than 256 wait for their crawls, or one has waited for more than ten seconds, workers get nothing and are told to
// pause. Once the crawls have caught up, workers get tasks again.
func TestBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		d.invite("one")
		d.helloWith("one", maxBehind+10)
		var results []work.Result
		page := func(i int) string { return fmt.Sprintf("http://h%d.test/", i) }
		fetched := func(task work.Task) {
			if v := d.arrive("one", result("one", task)); v != work.Kept {
				t.Fatalf("the result of %s is %v", task.URL, v)
			}
			results = append(results, <-d.c.Results())
		}
		began := time.Now()
		for i := range maxBehind {
			d.dispatch(page(i))
		}
		for len(results) < maxBehind {
			for _, task := range d.ask("one", maxGrant) {
				fetched(task)
			}
		}
		d.dispatch(page(maxBehind), page(maxBehind+1))
		fetched(d.mustAsk("one", 1, 1)[0]) // 256 may wait
		refused := func(why string) {
			t.Helper()
			g := d.l.Grant(t.Context(), "one", work.Ask{Free: 1})
			if len(g.Tasks) != 0 || g.Pause <= 0 || g.Why != why || d.l.Status().Why != why {
				t.Errorf("%d wait: granted %+v, and shown is %q", len(results), g, d.l.Status().Why)
			}
		}
		refused("too many results wait to be read")
		if since := time.Since(began); since > maxLag {
			t.Fatalf("after %v", since) // so that the other reason is none yet
		}
		d.commit(results[len(results)-1])
		got := d.mustAsk("one", 1, 1)
		for _, r := range results[1 : len(results)-1] {
			d.commit(r)
		}
		time.Sleep(maxLag - time.Since(began))
		d.dispatch("http://a.test/", "http://b.test/")
		d.mustAsk("one", 1, 1)
		time.Sleep(time.Millisecond)
		refused("results wait for too long to be read")
		d.commit(results[0])
		d.mustAsk("one", 1, 1)
		d.bring("one", got[0])
		d.dispatch("http://c.test/")
		d.l.Shut()
		if g := d.l.Grant(t.Context(), "one", work.Ask{Free: 1}); len(g.Tasks) != 0 || g.Pause <= 0 {
			t.Errorf("without a crawl: %+v", g)
		}
		d.close()
	})
}

// inOrder follows links in the order in which they were found.
type inOrder struct{}

func (inOrder) Name() string { return "in-order" }
func (inOrder) Read(context.Context, strategy.Visit) (strategy.Judgement, error) {
	return strategy.Judgement{Cluster: -1}, nil
}

// A page that one worker cannot reach is fetched by another one, and the ledger has the requests of both.
func TestSecondAttemptByAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		d.invite("one", "two")
		start, url := d.sitesOf("two", 1)[0], d.sitesOf("one", 1)[0]
		stop := make(chan struct{})
		for _, name := range []string{"one", "two"} {
			go d.reaches(name, stop, func(to string) bool { return name == "two" || to != url })
		}
		journal := crawls.NewJournal(d.st.DB, d.crawl)
		journal.OnTasks = d.l.Committed
		var got []string
		_, err := crawler.Run(t.Context(), d.live, inOrder{}, crawler.Options{
			Starts: []string{start, url}, Budget: crawler.Budget{Pages: 10}, Dispatch: d.c, Journal: journal, Live: true,
			OnFetch: func(f *crawler.Fetch) { got = append(got, fmt.Sprint(f.URL, " ", f.Response.Outcome, " ", f.Worker)) },
		})
		d.must(err)
		close(stop)
		if want := []string{start + " ok two", url + " ok two"}; !slices.Equal(got, want) {
			t.Errorf("the crawl got %q, want %q", got, want)
		}
		hosts, err := progress.Ledger(t.Context(), d.st.DB, d.crawl.ID)
		d.must(err)
		var sent []string
		for _, h := range hosts {
			for _, p := range h.Purposes {
				if "http://"+h.Host+"/" == url {
					sent = append(sent, fmt.Sprintf("%s %d, failed %d", p.Worker, p.Requests, p.Failed))
				}
			}
		}
		if want := []string{"one 1, failed 1", "two 1, failed 0"}; !slices.Equal(sent, want) {
			t.Errorf("the ledger has %q, want %q", sent, want)
		}
		d.close()
	})
}

// A worker that could not fetch a page does not get it again, however long it waits, unless no other one is there.
func TestNotTheSameAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		d.invite("one", "two")
		url := d.sitesOf("one", 1)[0]
		fail := func(task work.Task) {
			t.Helper()
			d.bringAs("one", unreachable("one", task))
			d.beats(time.Minute, "one", "two")
			d.dispatch(url)
			time.Sleep(2 * d.l.o.Anyone)
		}
		d.dispatch(url)
		fail(d.mustAsk("one", 1, 1)[0])
		d.mustAsk("one", 1, 0)
		d.bring("two", d.mustAsk("two", 1, 1)[0])
		time.Sleep(time.Minute)
		d.beats(0, "one", "two")
		d.dispatch(url)
		got := d.mustAsk("one", 1, 1) // that was for one attempt
		d.l.Gone("two")
		fail(got[0])
		d.l.Gone("two")
		d.mustAsk("one", 1, 1)
		d.close()
	})
}

// A worker is told the robots.txt of a host once, and again after it lost a task there: it may have dropped the task unread.
func TestRobotsAreToldAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		d.invite("one")
		d.dispatch("http://a.test/1")
		first := result("one", d.mustAsk("one", 1, 1)[0])
		first.Host.Robots = []work.Robots{{Origin: "http://a.test", Keep: time.Hour}}
		d.bringAs("one", first)
		for i, want := range []int{1, 0, 0, 1, 0} {
			time.Sleep(2 * time.Second)
			if i != 3 { // that is the page of 2, which was lost
				d.dispatch(fmt.Sprint("http://a.test/2", i))
			}
			d.beats(0, "one")
			task := d.mustAsk("one", 1, 1)[0]
			if n := len(task.Host.Robots); n != want {
				t.Errorf("grant %d, of %s, comes with %d files, want %d", i, task.URL, n, want)
			}
			if i == 2 {
				d.beats(d.l.lease()+2*time.Second, "one")
			} else {
				d.bring("one", task)
			}
		}
		d.close()
	})
}

// unreachable is what a worker returns that cannot reach a host.
func unreachable(name string, t work.Task) work.Result {
	r := result(name, t)
	x := fetch.Exchange{URL: t.URL, Purpose: fetch.ForPage, At: time.Now(), Took: time.Millisecond, Reason: "no route to host"}
	r.Response = fetch.Response{URL: t.URL, FinalURL: t.URL, Outcome: fetch.Network, Reason: x.Reason, Exchanges: []fetch.Exchange{x}}
	r.Page = nil
	return r
}

// reaches is a worker that gets those pages that it can reach.
func (d *desk) reaches(name string, stop chan struct{}, can func(url string) bool) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(100 * time.Millisecond):
		}
		d.l.Beat(name, work.Beat{Now: time.Now()})
		for _, task := range d.ask(name, 4) {
			r := result(name, task)
			if !can(task.URL) {
				r = unreachable(name, task)
			}
			if v := d.arrive(name, r); v != work.Kept {
				d.t.Errorf("the result of %s from %s is %v", task.URL, name, v)
			}
		}
	}
}
