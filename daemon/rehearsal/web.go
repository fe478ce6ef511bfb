package rehearsal

import (
	"context"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/model"
)

// web serves the pages of a session, with the links between them. Links to pages that the person did not visit are left
// out: nobody knows what is there, and a strategy that learns would take them for links to nothing. Pages have no documents,
// so that thematic knows links by their anchor texts alone.
type web struct {
	pages     []model.Page
	at        map[string]int // page by each address that leads there
	starts    []string
	start     []bool // by page
	reach     []bool // by page: links lead to it from the start pages; baselines sets it
	reachable int    // pages that are no start pages
}

func newWeb(set model.TrainingSet) *web {
	n := len(set.Pages)
	w := &web{pages: set.Pages, at: make(map[string]int, n), start: make([]bool, n), reach: make([]bool, n)}
	for _, p := range set.Pages {
		for _, l := range p.Links {
			if l.To >= 0 {
				w.at[l.URL] = l.To
			}
		}
	}
	for i, p := range set.Pages {
		w.at[p.URL] = i
	}
	entries := set.Entries
	if len(entries) == 0 {
		entries = []int{0}
	}
	for _, i := range entries {
		w.start[i] = true
		w.starts = append(w.starts, set.Pages[i].URL)
	}
	return w
}

// Fetch serves a page.
func (w *web) Fetch(_ context.Context, url string) fetch.Response {
	r := fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Missing, Reason: "no page of the session"}
	i, ok := w.at[url]
	if !ok {
		return r
	}
	r.FinalURL, r.Outcome, r.Status, r.Reason = w.pages[i].URL, fetch.OK, 200, ""
	return r
}

// ReadyAt says that pages may be fetched at any time.
func (w *web) ReadyAt(string) time.Time { return time.Time{} }

// page is the page of an answer.
func (w *web) page(r *fetch.Response) (*page.Page, error) {
	i, ok := w.at[r.FinalURL]
	if !ok {
		return nil, errors.New("no page of the session")
	}
	from := &w.pages[i]
	p := &page.Page{URL: from.URL, Title: from.Title, Language: from.Declared, Text: from.Text}
	for _, l := range from.Links {
		if l.To >= 0 {
			p.Links = append(p.Links, page.Link{URL: l.URL, Anchor: l.Anchor, Around: l.Around, Heading: l.Heading, Path: l.Path})
		}
	}
	return p, nil
}

// errEnough ends a crawl that has shown all that it can.
var errEnough = errors.New("nothing is left to find")

// crawl returns the pages that a crawl fetches, in order, at most so many, without the start pages. It ends early when all
// pages of left were fetched; nil means that it goes on. Its error is that of the crawl, or ctx.Err().
func (w *web) crawl(ctx context.Context, s strategy.Strategy, pages int, left map[int]bool) ([]int, error) {
	var order []int
	enough, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	o := crawler.Options{
		Starts: w.starts, Parse: w.page, Budget: crawler.Budget{Pages: pages + len(w.starts)},
		OnFetch: func(f *crawler.Fetch) {
			i, ok := w.at[f.FinalURL]
			if !ok || f.Depth == 0 || f.Page == nil || w.start[i] {
				return
			}
			order = append(order, i)
			if left[i] {
				if delete(left, i); len(left) == 0 {
					stop(errEnough)
				}
			}
		},
	}
	_, err := crawler.Run(enough, w, s, o)
	if err == nil {
		err = ctx.Err()
	}
	if errors.Is(err, crawler.ErrNoStart) { // all start pages have addresses that no crawl requests
		return nil, nil
	}
	return order, err
}

// tally counts what crawls find of the pages held back.
type tally struct {
	web               *web
	held, target      []bool // by page
	useful            int
	reachable, wanted int
}

func newTally(w *web, set model.TrainingSet, held []int) *tally {
	t := &tally{web: w, held: make([]bool, len(set.Pages)), target: make([]bool, len(set.Pages))}
	for _, i := range held {
		t.held[i], t.target[i] = true, set.Pages[i].Target
		if t.target[i] {
			t.useful++
		}
		if !w.start[i] && w.reach[i] {
			t.reachable++
			if t.target[i] {
				t.wanted++
			}
		}
	}
	return t
}

// addresses lists the pages held back.
func (t *tally) addresses() map[string]bool {
	all := map[string]bool{}
	for i, held := range t.held {
		if held {
			all[t.web.pages[i].URL] = true
		}
	}
	return all
}

// left lists the useful pages that a crawl can find.
func (t *tally) left() map[int]bool {
	all := map[int]bool{}
	for i, target := range t.target {
		if target && t.web.reach[i] && !t.web.start[i] {
			all[i] = true
		}
	}
	return all
}

// course is what a crawl found that fetched pages in this order.
func (t *tally) course(order []int) model.Course {
	var c model.Course
	for _, i := range order {
		c.Fetched++
		if !t.held[i] {
			continue
		}
		c.New++
		if t.target[i] {
			c.At, c.NewAt = append(c.At, c.Fetched), append(c.NewAt, c.New)
		}
	}
	return c
}

// inOrder takes links in the order in which they are found.
type inOrder struct{}

func (inOrder) Name() string { return "breadth-first" }

func (inOrder) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	return strategy.Judgement{Cluster: -1, Priorities: slices.Repeat([]strategy.Priority{{}}, len(v.Page.Links))}, nil
}

// byLot takes links in random order.
type byLot struct{ seed uint64 }

func (byLot) Name() string { return "random" }

func (s byLot) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	j := strategy.Judgement{Cluster: -1}
	for _, l := range v.Page.Links {
		h := fnv.New64a()
		h.Write([]byte(l.URL)) // a hash takes everything
		j.Priorities = append(j.Priorities, strategy.Priority{rand.New(rand.NewPCG(s.seed, h.Sum64())).Int32()})
	}
	return j, nil
}
