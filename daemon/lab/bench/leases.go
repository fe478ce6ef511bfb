package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/work"
	"nightjar/daemon/lab/corpus"
	"nightjar/model"
)

// LeasesResult is what a crawl found while a number of its tasks were out all the time.
type LeasesResult struct {
	Task     string  `json:"task"`
	Strategy string  `json:"strategy"`
	Seed     uint64  `json:"seed"`
	Out      int     `json:"out"`    // tasks at once; 0 is a crawl that waits for each page before it chooses the next
	Recall   float64 `json:"recall"` // at the end
	Area     float64 `json:"area"`   // under recall, over the budget

	// Delayed is the area of a crawl that reads the pages of the crawl with none out in the same order, but for those whose link is on
	// a page that is still out then; see delayed. What it loses is lost because links are not known yet, however well they are valued.
	Delayed float64 `json:"delayed"`
}

// LeasesOut crawls a task with different numbers of tasks out. Results come back in the order of the tasks, each only once so many
// tasks are out, so that a link is chosen without what the pages before it would have said. Each page counts as a host of its own:
// on the web, a crawl has as many hosts as tasks.
func (r *Runner) LeasesOut(ctx context.Context, t Task, strategy string, out []int, seed uint64) (all []LeasesResult, err error) {
	t.Strategies, t.Seeds = []string{strategy}, []uint64{seed}
	if err := t.complete(); err != nil {
		return nil, err
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	defer r.close()
	trials, err := r.prepare(ctx, &t)
	if err != nil {
		return nil, err
	}
	one, alone, err := r.crawlWithLeases(ctx, &t, trials[0], strategy, 0)
	if err != nil {
		return nil, fmt.Errorf("crawl with %s and no task out: %w", strategy, err)
	}
	for _, n := range out {
		score := one
		if n > 0 {
			if score, _, err = r.crawlWithLeases(ctx, &t, trials[0], strategy, n); err != nil {
				return nil, fmt.Errorf("crawl with %s and %d tasks out: %w", strategy, n, err)
			}
		}
		later := corpus.Under(delayed(alone, n), t.Budget)
		all = append(all, LeasesResult{
			Task: t.Name, Strategy: strategy, Seed: seed, Out: n, Recall: score.Recall(), Area: score.Area(),
			Delayed: float64(later) / float64(max(1, t.Budget*score.Total)),
		})
	}
	return all, nil
}

// read is a page as a crawl read it.
type read struct {
	parent int // number of the page that held its link, 0 for none
	cost   int // pages of budget
	found  bool
}

// delayed returns the relevant pages found after each page of budget by a crawl that reads the same pages, each as early in its order
// as it may be: a page is asked for when so many others are out that the one which holds its link is back. Without out, that is the
// order itself.
func delayed(pages []read, out int) (curve []int) {
	out = max(out, 1)
	place := make([]int, len(pages)) // in the new order, from 1; 0 before
	found := 0
	for back, asked := 0, 0; asked < len(pages); {
		back = max(back, asked+1-out)
		i := -1
		for k, p := range pages {
			if place[k] == 0 && (p.parent == 0 || place[p.parent-1] > 0 && place[p.parent-1] <= back) {
				i = k
				break
			}
		}
		if i < 0 { // nothing can be asked for before another page is back
			back++
			continue
		}
		asked++
		place[i] = asked
		if pages[i].found {
			found++
		}
		for range pages[i].cost {
			curve = append(curve, found)
		}
	}
	return curve
}

func (r *Runner) crawlWithLeases(ctx context.Context, t *Task, one *trial, name string, out int) (*corpus.Score, []read, error) {
	text, err := os.ReadFile(one.Model)
	if err != nil {
		return nil, nil, err
	}
	b, err := model.Decode(text)
	if err != nil {
		return nil, nil, err
	}
	replay, err := r.library.replay(t.Corpus)
	if err != nil {
		return nil, nil, err
	}
	s, err := strategy.New(ctx, name, b)
	if err != nil {
		return nil, nil, err
	}
	score := &corpus.Score{Relevant: set(one.Relevant), Total: len(one.Relevant), Budget: t.Budget}
	var pages []read
	o := crawler.Options{
		Budget: crawler.Budget{Pages: t.Budget}, DomainCap: t.DomainCap, Workers: max(out, 1), Dispatch: newHeldBack(replay, max(out, 1)),
		OnFetch: func(f *crawler.Fetch) {
			known := *f
			known.FinalURL = original(f.FinalURL)
			pages = append(pages, read{parent: f.ParentN, cost: f.Cost, found: score.Add(&known)})
		},
	}
	for _, url := range one.Starts {
		o.Starts = append(o.Starts, apart(url))
	}
	if _, err := crawler.Run(ctx, replay, s, o); err != nil {
		return nil, nil, err
	}
	return score, pages, ctx.Err()
}

// apart gives a page a host of its own, on the same site.
func apart(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	sum := sha256.Sum256([]byte(url))
	return scheme + "://p" + hex.EncodeToString(sum[:6]) + "." + rest
}

// original undoes apart.
func original(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	if _, of, ok := strings.Cut(rest, "."); ok {
		return scheme + "://" + of
	}
	return url
}

// While fewer tasks are out than there may be, results are handed over once no task came in so many looks at it, a look apart: the crawl
// then waits for them. Looks are counted rather than time, which passes while other programs have the processor.
const (
	quiet = 12
	look  = 500 * time.Microsecond
)

// heldBack is a dispatcher that hands results over late.
type heldBack struct {
	hands   *work.Hands
	most    int
	waiting chan (<-chan work.Result) // in the order of the tasks
	came    atomic.Int64              // tasks so far
	results chan work.Result
}

func newHeldBack(f fetch.Fetcher, most int) *heldBack {
	h := &heldBack{hands: work.New(f, nil, nil, false), most: most, waiting: make(chan (<-chan work.Result), most), results: make(chan work.Result)}
	go h.handOver()
	return h
}

func (h *heldBack) handOver() {
	for one := range h.waiting {
		for n, last := 0, h.came.Load(); len(h.waiting) < h.most-1 && n < quiet; n++ {
			time.Sleep(look)
			if came := h.came.Load(); came != last {
				n, last = 0, came
			}
		}
		h.results <- <-one
	}
}

func (h *heldBack) Dispatch(ctx context.Context, t work.Task) {
	done := make(chan work.Result, 1)
	h.came.Add(1)
	h.waiting <- done
	go func() { done <- h.do(ctx, t) }()
}

// do fetches a page and gives the pages that it links to hosts of their own.
func (h *heldBack) do(ctx context.Context, t work.Task) work.Result {
	url := t.URL
	t.URL = original(url)
	r := h.hands.Do(ctx, t)
	r.URL, r.Response.URL, r.Response.FinalURL = url, url, apart(r.Response.FinalURL)
	for i, u := range r.Response.Redirects {
		r.Response.Redirects[i] = apart(u)
	}
	if p := r.Page; p != nil {
		p.URL, p.Canonical = apart(p.URL), apart(p.Canonical)
		for i := range p.Links {
			p.Links[i].URL = apart(p.Links[i].URL)
		}
		for i := range p.Frames {
			p.Frames[i].URL = apart(p.Frames[i].URL)
		}
	}
	return r
}

func (h *heldBack) Results() <-chan work.Result { return h.results }
func (h *heldBack) Width() int                  { return h.most }
func (h *heldBack) Durable() bool               { return true } // as leases are
func (h *heldBack) Close()                      { close(h.waiting) }
