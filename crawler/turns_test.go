package crawler_test

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// slowFirst is a fickle web whose first host answers slowly, unless ctx ends first.
type slowFirst struct {
	*fickle
	took time.Duration
}

func newSlowFirst(hosts, pages int, took time.Duration) *slowFirst {
	return &slowFirst{newFickle(hosts, pages), took}
}

func (w *slowFirst) Fetch(ctx context.Context, url string) fetch.Response {
	if weburl.Host(url) == "h0.test" {
		select {
		case <-time.After(w.took):
		case <-ctx.Done():
			return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Canceled, Exchanges: []fetch.Exchange{{URL: url, Purpose: fetch.ForPage}}}
		}
	}
	return w.fickle.Fetch(ctx, url)
}

func (w *slowFirst) mustNew(t *testing.T, n *night, o crawler.Options) *crawler.Crawl {
	t.Helper()
	o.Starts, o.Live, o.Workers = w.starts(), true, cmp.Or(o.Workers, 4)
	o.OnFetch = func(f *crawler.Fetch) { n.fetches = append(n.fetches, f) }
	c, err := crawler.New(w, counting{}, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustRun(t *testing.T, c *crawler.Crawl, turn crawler.Budget) crawler.Result {
	t.Helper()
	r, err := c.Run(t.Context(), turn)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSlowHostHoldsNoTurn: a turn ends while a host takes 25 seconds to answer, a later turn processes the answer, and every
// page is read once.
func TestSlowHostHoldsNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, n := newSlowFirst(3, 10, 25*time.Second), &night{}
		c := w.mustNew(t, n, crawler.Options{})
		left := 0
		for n.result.End = crawler.Turn; n.result.End == crawler.Turn; {
			began := time.Now()
			n.result = mustRun(t, c, crawler.Budget{Pages: 5, Idle: 2 * time.Second})
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("a turn took %v", took)
			}
			left += c.InFlight()
		}
		if left == 0 {
			t.Error("no turn ended with a fetch in flight")
		}
		if n.result.End != crawler.NoLinks {
			t.Errorf("ended by %v, %q", n.result.End, n.result.StopReason)
		}
		w.mustReadAll(t, n)
		w.mustKeepDelay(t)
	})
}

// TestTurnBudget: pages in flight from earlier turns count in the crawl's budget.
func TestTurnBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, n := newSlowFirst(4, 10, 25*time.Second), &night{}
		c := w.mustNew(t, n, crawler.Options{Budget: crawler.Budget{Pages: 12}})
		for n.result.End = crawler.Turn; n.result.End == crawler.Turn; {
			n.result = mustRun(t, c, crawler.Budget{Pages: 3, Idle: 2 * time.Second})
		}
		if n.result.End != crawler.Used || n.result.Fetched != 12 || len(w.asked) != 12 {
			t.Errorf("%v: %d pages counted, %d asked for; want 12", n.result.StopReason, n.result.Fetched, len(w.asked))
		}
	})
}

// TestMayBegin: while no fetch may start, Run processes the fetches in flight and ends its turn.
func TestMayBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, n := newSlowFirst(3, 5, 10*time.Second), &night{}
		asked, most := 0, 4
		c := w.mustNew(t, n, crawler.Options{MayBegin: func(now time.Time) bool {
			if !now.Equal(time.Now().Round(0)) {
				t.Errorf("asked with %v at %v", now, time.Now())
			}
			asked++
			return asked <= most
		}})
		r := mustRun(t, c, crawler.Budget{})
		if begun := len(w.asked); r.End != crawler.Turn || c.InFlight() != 0 || begun == 0 || begun > most {
			t.Errorf("%v after %d fetches with %d in flight", r.End, begun, c.InFlight())
		}
		most = 1 << 30
		n.result = mustRun(t, c, crawler.Budget{})
		w.mustReadAll(t, n)
	})
}

// remembering is a journal that keeps its batches in memory.
type remembering struct {
	mu      sync.Mutex
	batches []crawler.Batch
}

func (k *remembering) Commit(_ context.Context, b *crawler.Batch) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.batches = append(k.batches, *b)
	return nil
}

// fates returns for each URL whose fetch started how it ended: "read", or "back" with the attempts that count.
func (k *remembering) fates() (read, back []string) {
	for _, b := range k.batches {
		for _, f := range b.Fetches {
			read = append(read, f.URL)
		}
		for _, e := range b.Back {
			if e.Attempts == 1 {
				back = append(back, e.URL)
			}
		}
	}
	return read, back
}

// TestClose: fetches in flight after a turn have two seconds to finish, even when Halt came first. Their results are
// committed; interrupted fetches are put back with their attempt counted.
func TestClose(t *testing.T) {
	for _, tt := range []struct {
		name   string
		took   time.Duration
		halted time.Duration // before Close
		waits  time.Duration // at most
		read   bool
	}{
		{"answers in time", time.Second, 0, 2 * time.Second, true},
		{"too slow", 25 * time.Second, 0, 2 * time.Second, false},
		{"halted before", 25 * time.Second, 10 * time.Second, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, n, j := newSlowFirst(1, 5, tt.took), &night{}, &remembering{}
				c := w.mustNew(t, n, crawler.Options{Journal: j})
				if r := mustRun(t, c, crawler.Budget{Pages: 1}); r.End != crawler.Turn || c.InFlight() != 1 {
					t.Fatalf("%v with %d in flight", r.End, c.InFlight())
				}
				if tt.halted > 0 {
					c.Halt()
					time.Sleep(tt.halted)
				}
				began := time.Now()
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took > tt.waits || c.InFlight() != 0 {
					t.Errorf("closed after %v with %d in flight", took, c.InFlight())
				}
				first := []string{w.url(0, 0)}
				read, back := j.fates()
				if tt.read && (!slices.Equal(read, first) || back != nil) || !tt.read && (read != nil || !slices.Equal(back, first)) {
					t.Errorf("read %v, put back %v", read, back)
				}
			})
		})
	}
}
