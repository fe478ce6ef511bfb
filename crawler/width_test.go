package crawler_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/work"
)

// outOf is a desk that compares, whenever a task comes, how many are out with how many pages the crawl was given so far.
type outOf struct {
	*desk
	before int // pages read before
	tooFar int // tasks that came although too many were out
	ahead  int // tasks that came although too many would be out if none had been read before
	full   int // pages given when as many were out as there may ever be
	given  int // so far
	hand   chan work.Result
}

func newOutOf(d *desk) *outOf {
	o := &outOf{desk: d, hand: make(chan work.Result)}
	go func() {
		for r := range d.results {
			d.mu.Lock()
			o.given++
			d.mu.Unlock()
			o.hand <- r
		}
	}()
	return o
}

func (o *outOf) Results() <-chan work.Result { return o.hand }

func (o *outOf) Dispatch(ctx context.Context, t work.Task) {
	o.desk.Dispatch(ctx, t)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.out > max(4, (o.before+o.given)/8) {
		o.tooFar++
	}
	if o.out > max(4, o.given/8) {
		o.ahead++
	}
	if o.full == 0 && o.out == o.width() {
		o.full = o.given
	}
}

// end ends the goroutine that hands results on.
func (o *outOf) end() { close(o.results) }

// TestFewPagesOutAtFirst: however many pages workers could take, a crawl has four out at first, and later one for eight that it has read. A
// crawl that goes on counts those that it read before.
func TestFewPagesOutAtFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(60, 20)
		w.delay = 0
		ctx, stop := context.WithCancelCause(t.Context())
		d := newDesk(w, 40)
		j, first := newBook(d, w.starts()), newOutOf(d)
		o := crawler.Options{Starts: w.starts(), Live: true, Dispatch: first, Journal: j, OnFetch: func(f *crawler.Fetch) {
			if f.N == 600 {
				stop(crawler.Stop("stopped by you"))
			}
		}}
		if _, err := crawler.Run(ctx, w, counting{}, o); err != nil {
			t.Fatal(err)
		}
		first.end()
		if first.tooFar > 0 || first.full < 320 || first.full > 400 {
			t.Errorf("%d pages were chosen too early; %d were read when 40 were out", first.tooFar, first.full)
		}
		d.results = make(chan work.Result)
		second := newOutOf(d)
		second.before = len(j.fetches)
		o.Starts, o.Resume, o.Dispatch = nil, j.state(), second
		w.mustCrawl(t, o)
		second.end()
		if second.tooFar > 0 || second.ahead == 0 {
			t.Errorf("when it went on, %d pages were chosen too early, and %d because of those read before", second.tooFar, second.ahead)
		}
		j.mustUseOnce(t)
	})
}

// TestSlowPagesDoNotCount: while the first pages take long, others are begun, although none was read.
func TestSlowPagesDoNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(60, 2)
		w.took = 30 * time.Second
		d := newDesk(w, 40)
		early := 0
		time.AfterFunc(9500*time.Millisecond, func() { d.mu.Lock(); early = d.most; d.mu.Unlock() })
		n := w.mustCrawl(t, crawler.Options{Dispatch: d, Journal: newBook(d, w.starts())})
		w.mustReadAll(t, n)
		if early != 40 {
			t.Errorf("%d pages were out after ten seconds", early)
		}
	})
}
