package leases

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/storetest"
)

// request is one that a worker sent, as the host sees it.
type request struct{ began, ended time.Time }

// chaos is a daemon with workers between which everything may be delayed, lost or doubled, and all of which may die.
type chaos struct {
	t   *testing.T
	d   *desk
	rnd *rand.Rand
	log []string // what happened, for a failure

	up   chan struct{} // who talks to the daemon has a value of it, and who kills it all; a mutex would hold up the bubble's clock
	mu   sync.Mutex    // of what follows, and of rnd
	asks map[string][]request
	left sync.WaitGroup
	stop chan struct{}

	done   map[string]fetch.Outcome
	lost   int
	jumped time.Duration
}

func (c *chaos) chance(p float64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rnd.Float64() < p
}

// wait waits for a random time, mostly a short one.
func (c *chaos) wait(most time.Duration) {
	c.mu.Lock()
	x := c.rnd.Float64()
	c.mu.Unlock()
	select {
	case <-time.After(time.Duration(x * x * x * float64(most))):
	case <-c.stop:
	}
}

func (c *chaos) note(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, time.Now().Format("04:05.000 ")+fmt.Sprintf(format, args...))
}

// worker is a process that asks, fetches and publishes, and dies now and then.
func (c *chaos) worker(name string) {
	for {
		life, die := context.WithCancel(context.Background())
		c.up <- struct{}{}
		c.d.l.Hello(life, work.Hello{Version: work.Version, Name: name, Parallel: 2, Now: time.Now()})
		<-c.up
		c.left.Go(func() {
			for life.Err() == nil {
				c.up <- struct{}{}
				c.d.l.Beat(name, work.Beat{Now: time.Now()})
				<-c.up
				select {
				case <-time.After(5 * time.Second):
				case <-life.Done():
				}
			}
		})
		for range 1 + c.pick(12) {
			c.turn(life, name)
		}
		die()
		c.note("%s dies", name)
		c.wait(time.Minute)
		select {
		case <-c.stop:
			return
		default:
		}
	}
}

func (c *chaos) pick(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rnd.IntN(n)
}

// turn is one ask of a worker and what it does with the answer.
func (c *chaos) turn(life context.Context, name string) {
	asked := time.Now()
	c.wait(15 * time.Second) // on the way there
	c.up <- struct{}{}
	g := c.d.l.Grant(life, name, work.Ask{Free: 1 + c.pick(2)})
	<-c.up
	c.wait(15 * time.Second) // and back
	if c.chance(.1) || time.Since(asked) > c.d.l.o.StartWithin {
		return // the answer is lost, or too late
	}
	if len(g.Tasks) == 0 {
		c.wait(2 * time.Second)
	}
	for _, t := range g.Tasks {
		c.left.Go(func() { c.fetch(life, name, t) })
	}
	c.wait(5 * time.Second)
}

// fetch is the request for a page, which ends with the worker's life.
func (c *chaos) fetch(life context.Context, name string, t work.Task) {
	host := weburl.Host(t.URL)
	c.mu.Lock()
	took := time.Duration(c.rnd.ExpFloat64() * float64(2*time.Second))
	i := len(c.asks[host])
	c.asks[host] = append(c.asks[host], request{began: time.Now()})
	c.mu.Unlock()
	c.note("%s begins %s attempt %d", name, t.URL, t.Attempt)
	over := time.NewTimer(min(took, t.FetchTimeout))
	defer over.Stop()
	select {
	case <-over.C:
	case <-life.Done():
	}
	c.mu.Lock()
	c.asks[host][i].ended = time.Now()
	c.mu.Unlock()
	if life.Err() != nil || c.chance(.1) {
		return // it died, or the result is lost
	}
	r := result(name, t)
	if c.chance(.1) {
		r.Response = fetch.Response{URL: t.URL, FinalURL: t.URL, Outcome: fetch.Canceled, Exchanges: r.Response.Exchanges}
		r.Page = nil
	}
	data, err := work.Encode(&r)
	if err != nil {
		c.t.Error(err)
		return
	}
	for range 1 + c.pick(2) { // the stream brings it at least once
		c.left.Go(func() {
			c.wait(2 * time.Minute)
			c.up <- struct{}{}
			defer func() { <-c.up }()
			if v, err := c.d.l.Arrive(context.Background(), []work.Arrival{{Worker: name, Data: data}}); err != nil || v[0] == work.Malformed {
				c.t.Errorf("a result is %v, %v", v, err)
			} else {
				c.note("result of %s attempt %d is %v", t.URL, t.Attempt, v[0])
			}
		})
	}
}

// crawl fetches all pages, is stopped now and then, and the daemon is killed now and then.
func (c *chaos) crawl(urls []string, kills bool) {
	flying := map[string]bool{}
	ctx, cancel := context.WithCancel(context.Background())
	deadline := time.Now().Add(24 * time.Hour)
	for len(c.done) < len(urls) {
		if time.Now().After(deadline) {
			c.t.Fatalf("the crawl does not end: %d of %d, %+v\n%v", len(c.done), len(urls), c.d.l.Status(), c.log)
		}
		hosts := map[string]bool{}
		for url := range flying {
			hosts[weburl.Host(url)] = true
		}
		for _, url := range urls {
			if _, ok := c.done[url]; !ok && !flying[url] && !hosts[weburl.Host(url)] {
				flying[url], hosts[weburl.Host(url)] = true, true
				c.d.c.Dispatch(ctx, work.Task{URL: url})
			}
		}
		select {
		case r := <-c.d.c.Results():
			delete(flying, r.URL)
			c.took(r)
		case <-time.After(2 * time.Second):
		}
		switch {
		case c.chance(.01):
			c.note("the crawl pauses")
			cancel()
			for len(flying) > 0 {
				r := <-c.d.c.Results()
				delete(flying, r.URL)
				c.took(r)
			}
			c.wait(time.Minute)
			ctx, cancel = context.WithCancel(context.Background())
		case kills && c.chance(.02):
			c.note("the daemon dies")
			cancel()
			for range cap(c.up) {
				c.up <- struct{}{}
			}
			c.d.crash()
			for range cap(c.up) {
				<-c.up
			}
			clear(flying)
			ctx, cancel = context.WithCancel(context.Background())
		case !kills && c.chance(.02):
			c.mu.Lock()
			c.jumped += time.Duration(c.rnd.Int64N(int64(4*time.Minute))) - 2*time.Minute
			c.mu.Unlock()
		}
	}
	cancel()
}

// took is a crawl that processes a result, or dies before it has.
func (c *chaos) took(r work.Result) {
	if r.Task == "" {
		time.Sleep(200 * time.Millisecond) // it was put back
		return
	}
	if o := r.Response.Outcome; o != fetch.OK && o != fetch.Lost {
		c.t.Errorf("%s ended as %q", r.URL, o)
	}
	j := crawls.NewJournal(c.d.st.DB, c.d.crawl)
	j.OnTasks = c.d.l.Committed
	if err := j.Commit(context.Background(), &crawler.Batch{Tasks: []string{r.Task}}); err != nil {
		c.t.Errorf("%s: %v", r.URL, err)
	}
	if before, ok := c.done[r.URL]; ok {
		c.t.Errorf("%s is committed twice, %q and %q", r.URL, before, r.Response.Outcome)
	}
	c.done[r.URL] = r.Response.Outcome
	if r.Response.Outcome == fetch.Lost {
		c.lost++
	}
}

// judge compares the requests as the hosts saw them with the rules: one at a time, and the delay between two.
func (c *chaos) judge() (requests int) {
	for host, all := range c.asks {
		slices.SortFunc(all, func(a, b request) int { return a.began.Compare(b.began) })
		for i, r := range all[:len(all)-1] {
			if gap := all[i+1].began.Sub(r.ended); gap < time.Second {
				c.t.Errorf("%s: a request from %v to %v, and the next at %v", host, r.began, r.ended, all[i+1].began)
			}
		}
		requests += len(all)
	}
	return requests
}

// seeds is how many interleavings are tried: four by default, three of them with kills, since each has a database of its own, and
// 2,000 at night.
func seeds() int {
	if n, err := strconv.Atoi(os.Getenv("NIGHTJAR_LEASE_SEEDS")); err == nil && n > 0 {
		return n
	}
	return 4
}

// Whatever is delayed, lost, doubled or dies, every page is committed once or known to be lost, no host gets two requests at a time, and
// none before its delay is over.
func TestInterleavings(t *testing.T) {
	if _, err := os.Stat("/dev/shm"); err == nil {
		t.Setenv("TMPDIR", "/dev/shm") // a database there takes no time to commit
	}
	requests, lost, began := 0, 0, time.Now()
	empty := &desk{t: t, path: storetest.Path(t)}
	empty.fill("w0", "w1", "w2")
	file, err := os.ReadFile(empty.path)
	empty.must(err)
	for seed := range seeds() {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &chaos{
					t: t, rnd: rand.New(rand.NewPCG(uint64(seed), 1)), asks: map[string][]request{}, done: map[string]fetch.Outcome{}, stop: make(chan struct{}), up: make(chan struct{}, 64),
				}
				kills := seed%3 != 2
				now := clock.Func(func() time.Time {
					c.mu.Lock()
					defer c.mu.Unlock()
					return time.Now().Add(c.jumped)
				})
				c.d = &desk{t: t, path: filepath.Join(t.TempDir(), "nightjar.db"), o: Options{
					Clock: now, Tick: time.Second, HostRest: time.Minute, CompareOne: -1, Log: slog.New(slog.DiscardHandler),
				}}
				c.d.must(os.WriteFile(c.d.path, file, 0o600))
				c.d.start()
				c.d.open()
				var urls []string
				for i := range 20 {
					urls = append(urls, fmt.Sprintf("http://h%d.test/%d", i%4, i/4))
				}
				for i := range 3 {
					name := fmt.Sprintf("w%d", i)
					c.left.Go(func() { c.worker(name) })
				}
				c.crawl(urls, kills)
				close(c.stop)
				c.left.Wait()
				requests += c.judge()
				lost += c.lost
				if open, err := crawls.OpenTasks(context.Background(), c.d.st.DB); err != nil || len(open) != 0 {
					t.Errorf("left open: %+v, %v", open, err)
				}
				c.d.close()
				if t.Failed() {
					for _, line := range c.log {
						t.Log(line)
					}
				}
			})
		})
	}
	t.Logf("%d seeds, %.1f a second; %d requests, %d pages lost", seeds(), float64(seeds())/time.Since(began).Seconds(), requests, lost)
}
