package crawler_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/work"
	"nightjar/model/arms"
)

// desk is a durable dispatcher in memory. A task goes on when its crawl ends, and its result waits for the next one.
type desk struct {
	hands   *work.Hands
	width   func() int
	change  func(*work.Result) // of each result; nil for none
	results chan work.Result

	mu        sync.Mutex
	rows      map[string]*row // of tasks whose results are not committed, by URL
	made      int
	out, most int // tasks that the crawl waits for
	used      map[string]int
}

type row struct {
	id     string
	done   chan struct{}
	result work.Result // once done is closed
}

func newDesk(f fetch.Fetcher, width int) *desk {
	return &desk{
		hands: work.New(f, nil, nil, true), width: func() int { return width }, results: make(chan work.Result),
		rows: make(map[string]*row), used: make(map[string]int),
	}
}

func (d *desk) Dispatch(ctx context.Context, t work.Task) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.out++
	d.most = max(d.most, d.out)
	one := d.rows[t.URL]
	if one == nil {
		d.made++
		one = &row{id: fmt.Sprint("task ", d.made), done: make(chan struct{})}
		d.rows[t.URL] = one
		go func() {
			t.ID = one.id
			one.result = d.hands.Do(context.WithoutCancel(ctx), t)
			if d.change != nil {
				d.change(&one.result)
			}
			close(one.done)
		}()
	}
	go func() {
		r := work.Canceled(&t)
		select {
		case <-one.done:
			r = one.result
		case <-ctx.Done():
		}
		d.mu.Lock()
		d.out--
		d.mu.Unlock()
		d.results <- r
	}()
}

func (d *desk) Results() <-chan work.Result { return d.results }
func (d *desk) Width() int                  { return d.width() }
func (d *desk) Durable() bool               { return true }
func (d *desk) Close()                      {}

// commit removes tasks whose results a crawl has used up.
func (d *desk) commit(tasks []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range tasks {
		d.used[id]++
	}
	maps.DeleteFunc(d.rows, func(_ string, one *row) bool { return slices.Contains(tasks, one.id) })
}

// book is a journal in memory from which a crawl can be resumed.
type book struct {
	desk      *desk
	fails     func() error // of each commit; nil for none
	queued    map[string]frontier.Entry
	resume    crawler.Resume
	exchanges []fetch.Exchange
	fetches   []*crawler.Fetch
	begun     int
	canceled  []frontier.Entry // put back without a request
}

func newBook(d *desk, starts []string) *book {
	b := &book{desk: d, queued: make(map[string]frontier.Entry)}
	for _, e := range crawler.StartEntries(starts) {
		b.queued[e.URL] = e
		b.resume.LastSeq = e.Seq
	}
	return b
}

func (j *book) Commit(_ context.Context, b *crawler.Batch) error {
	if j.fails != nil {
		if err := j.fails(); err != nil {
			return err
		}
	}
	for _, f := range b.Fetches {
		j.fetches = append(j.fetches, f)
		j.exchanges = append(j.exchanges, f.Response.Exchanges...)
		for _, u := range f.Done {
			delete(j.queued, u)
		}
		j.resume.Done = append(j.resume.Done, f.Done...)
		for _, e := range f.Queued {
			j.queued[e.URL] = e
			j.resume.LastSeq = max(j.resume.LastSeq, e.Seq)
		}
		j.resume.LastN = f.N
		j.resume.Steps = append(j.resume.Steps, crawler.PastStep{N: f.N, Parent: f.ParentN, URL: f.FinalURL})
	}
	for _, e := range b.Back {
		j.queued[e.URL] = e
	}
	if len(b.Back) > 0 && len(b.Tasks) == 0 {
		j.canceled = append(j.canceled, b.Back...)
	}
	j.exchanges = append(j.exchanges, b.Exchanges...)
	j.begun += len(b.Begun)
	j.resume.Totals = b.Totals
	j.desk.commit(b.Tasks)
	return nil
}

// state is what a crawl resumes from.
func (j *book) state() *crawler.Resume {
	r := j.resume
	for _, e := range j.queued {
		r.Queued = append(r.Queued, e)
	}
	return &r
}

// mustUseOnce checks that each task was used up exactly once, and that no fetch was begun in the journal.
func (j *book) mustUseOnce(t *testing.T) {
	t.Helper()
	if j.begun > 0 {
		t.Errorf("%d fetches were begun in the journal, too", j.begun)
	}
	if len(j.desk.rows) > 0 || len(j.desk.used) != j.desk.made {
		t.Errorf("%d tasks, %d used up, %d left", j.desk.made, len(j.desk.used), len(j.desk.rows))
	}
	for id, n := range j.desk.used {
		if n != 1 {
			t.Errorf("%s was used up %d times", id, n)
		}
	}
}

// mustAskOnce checks that each page was requested once.
func (w *fickle) mustAskOnce(t *testing.T) {
	t.Helper()
	for url, n := range w.times {
		if n != 1 {
			t.Errorf("%s was requested %d times", url, n)
		}
	}
}

// TestDurableStopsAndGoesOn: a crawl is stopped while pages are being fetched that take longer than it waits. Those count no
// attempt, and the next crawl takes their results instead of requesting them again.
func TestDurableStopsAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(6, 5)
		w.took = 5 * time.Second
		d := newDesk(w, 4)
		j := newBook(d, w.starts())
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(12*time.Second, func() { stop(crawler.Stop("stopped by you")) })
		o := crawler.Options{Starts: w.starts(), Live: true, Dispatch: d, Journal: j}
		if r, err := crawler.Run(ctx, w, counting{}, o); err != nil || r.End != crawler.Stopped || r.Fetched < 4 || r.Fetched > 20 {
			t.Fatalf("%+v, %v", r, err)
		}
		if len(j.canceled) == 0 {
			t.Error("nothing was under way when it stopped")
		}
		for _, e := range j.canceled {
			if e.Attempts != 0 || e.Retries != 0 {
				t.Errorf("%s counts %d attempts and %d retries", e.URL, e.Attempts, e.Retries)
			}
		}
		o.Starts, o.Resume = nil, j.state()
		w.mustCrawl(t, o)
		if len(j.fetches) != 30 {
			t.Errorf("%d pages were recorded, want 30", len(j.fetches))
		}
		w.mustAskOnce(t)
		w.mustKeepDelay(t)
		j.mustUseOnce(t)
	})
}

// TestDurableSurvivesDeath: whichever commit is the last before the program dies, each page is requested and recorded once.
func TestDurableSurvivesDeath(t *testing.T) {
	for last := 1; last <= 8; last++ {
		synctest.Test(t, func(t *testing.T) {
			w := newFickle(4, 4)
			d := newDesk(w, 3)
			j := newBook(d, w.starts())
			left := last
			j.fails = func() error {
				if left--; left < 0 {
					return errFull
				}
				return nil
			}
			o := crawler.Options{Starts: w.starts(), Live: true, Dispatch: d, Journal: j}
			if _, err := crawler.Run(t.Context(), w, counting{}, o); !errors.Is(err, errFull) {
				t.Fatalf("after %d commits: %v", last, err)
			}
			j.fails = nil
			o.Starts, o.Resume = nil, j.state()
			w.mustCrawl(t, o)
			if len(j.fetches) != 16 {
				t.Errorf("after %d commits: %d pages were recorded, want 16", last, len(j.fetches))
			}
			w.mustAskOnce(t)
			j.mustUseOnce(t)
		})
	}
}

// TestDurableWidth: the dispatcher says how many tasks may be under way, and may change its mind.
func TestDurableWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(20, 4)
		w.took = 3 * time.Second // longer than what is set aside within this process
		d := newDesk(w, 0)
		began := time.Now()
		d.width = func() int {
			if time.Since(began) < 30*time.Second {
				return 3
			}
			return 11
		}
		j, early := newBook(d, w.starts()), 0
		time.AfterFunc(29*time.Second, func() { d.mu.Lock(); early = d.most; d.mu.Unlock() })
		n := w.mustCrawl(t, crawler.Options{Workers: 1, Dispatch: d, Journal: j})
		w.mustReadAll(t, n)
		if early != 3 || d.most != 11 {
			t.Errorf("%d tasks were under way with the width 3, and %d with 11", early, d.most)
		}
		j.mustUseOnce(t)
	})
}

// TestDurableOutage: probes go through the dispatcher, and what is withheld until the network is back is used up then.
func TestDurableOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(5, 12)
		off, on := time.Now().Add(20*time.Second), time.Now().Add(time.Hour)
		w.fail = func(url string, _ int) *fetch.Response {
			if now := time.Now(); now.After(off) && now.Before(on) {
				return silent(url)
			}
			return nil
		}
		d := newDesk(w, 4)
		j := newBook(d, w.starts())
		n := w.mustCrawl(t, crawler.Options{Dispatch: d, Journal: j})
		w.mustReadAll(t, n)
		w.mustKeepDelay(t)
		j.mustUseOnce(t)
		if len(n.pauses) != 2 || d.made != len(w.asked) {
			t.Errorf("pauses %q; %d tasks for %d requests", n.pauses, d.made, len(w.asked))
		}
		if !slices.ContainsFunc(j.exchanges, func(x fetch.Exchange) bool { return x.Purpose == fetch.ForProbe }) {
			t.Error("the ledger shows no probe")
		}
	})
}

// TestWorkersAreNamed: finds and the ledger say which worker fetched a page.
func TestWorkersAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(2, 4)
		w.fail = func(url string, asked int) *fetch.Response {
			if strings.HasSuffix(url, "/2") && asked == 1 {
				return silent(url) // it is put back
			}
			return nil
		}
		d := newDesk(w, 2)
		d.change = func(r *work.Result) { r.From("mill") }
		j := newBook(d, w.starts())
		w.mustCrawl(t, crawler.Options{Dispatch: d, Journal: j})
		for _, f := range j.fetches {
			if f.Worker != "mill" {
				t.Errorf("%s was fetched by %q", f.URL, f.Worker)
			}
		}
		if len(j.exchanges) != len(w.asked) {
			t.Errorf("the ledger shows %d of %d requests", len(j.exchanges), len(w.asked))
		}
		for _, x := range j.exchanges {
			if x.Worker != "mill" {
				t.Errorf("%s was sent by %q", x.URL, x.Worker)
			}
		}
	})
}

// TestPagesThatArriveUnparsed: when another version of the parser read a page, the crawl parses it again.
func TestPagesThatArriveUnparsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(3, 4)
		d := newDesk(w, 2)
		d.change = func(r *work.Result) { r.Page, r.Sketch = nil, nil }
		n := w.mustCrawl(t, crawler.Options{Dispatch: d, Journal: newBook(d, w.starts())})
		w.mustReadAll(t, n)
		for _, f := range n.fetches {
			if f.Simhash == 0 || f.TextHash == 0 {
				t.Errorf("%s: simhash %x, text %x", f.URL, f.Simhash, f.TextHash)
			}
		}
	})
}

// TestParserBreaks: a page on which the parser breaks down is recorded as unreadable, and the crawl goes on.
func TestParserBreaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(2, 5)
		n := w.mustCrawl(t, crawler.Options{Parse: func(r *fetch.Response) (*page.Page, error) {
			if strings.HasSuffix(r.URL, "/1") {
				panic("a bad table")
			}
			return work.HTML(r)
		}})
		want := map[fetch.Outcome]int{fetch.OK: 8, fetch.Type: 2}
		if !maps.Equal(n.result.Outcomes, want) {
			t.Errorf("outcomes %v, want %v", n.result.Outcomes, want)
		}
		for _, f := range n.fetches {
			if f.Response.Outcome == fetch.Type && !strings.Contains(f.Response.Reason, "a bad table") {
				t.Errorf("%s: %s", f.URL, f.Response.Reason)
			}
		}
	})
}

// TestLocalIsTheDefault: with one worker, a crawl through Local is the same, page by page, as one that names no dispatcher.
func TestLocalIsTheDefault(t *testing.T) {
	order := func(given bool) (urls []string) {
		f := mustClient(t, mustWeb(t, "testdata/web.txtar"))
		o := crawler.Options{Starts: []string{start}, OnFetch: func(f *crawler.Fetch) {
			urls = append(urls, fmt.Sprint(f.URL, f.FinalURL, f.Response.Outcome, f.Simhash, f.Worker, len(f.Queued)))
		}}
		if given {
			o.Dispatch = work.NewLocal(work.New(f, nil, nil, false), 1)
		}
		if _, err := crawler.Run(t.Context(), f, counting{}, o); err != nil {
			t.Fatal(err)
		}
		return urls
	}
	if a, b := order(false), order(true); len(a) < 10 || !slices.Equal(a, b) {
		t.Errorf("by default %q, given %q", a, b)
	}
}

// pickBook counts the picks reported to a journal.
type pickBook struct {
	*book
	picks int
}

func (j *pickBook) Commit(ctx context.Context, b *crawler.Batch) error {
	j.picks += len(b.Picks)
	return j.book.Commit(ctx, b)
}

// TestDurableWithTwoStrategies: the journal stores which strategy chose a link, though it does not store that its fetch begins.
func TestDurableWithTwoStrategies(t *testing.T) {
	links, design := tasteLinks(2), arms.Design{Share: 30, Seed: 4}
	d := newDesk(mustClient(t, tasteWeb(links)), 1)
	j := &pickBook{book: newBook(d, nil)}
	got, want := tasteCrawl(t, links, design, crawler.Options{Dispatch: d, Journal: j}), tasteOracle(links, design)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	chosen := 0
	for _, f := range j.fetches {
		if f.Pick != 0 {
			chosen++
		}
	}
	if j.picks == 0 || j.picks < chosen-1 {
		t.Errorf("%d picks for %d pages", j.picks, chosen)
	}
	j.mustUseOnce(t)
}
