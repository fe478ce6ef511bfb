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
	"nightjar/model/webgraph"
)

// web serves the pages of a session, with the links between them: an address that is not a page's own redirects to its page,
// or, when links by it lead to several pages, is their frameset. Links to pages that the person did not visit are left out:
// nobody knows what is there, and a strategy that learns would take them for links to nothing. Pages have no documents, so that
// thematic knows links by their anchor texts alone.
type web struct {
	pages     []model.Page
	at        map[string][]int // the pages that an address leads to, ascending
	starts    []string
	start     []bool // by page
	reach     []bool // by page: links lead to it from the start pages
	reachable int    // pages that are no start pages
}

func newWeb(set model.TrainingSet) *web {
	n := len(set.Pages)
	w := &web{pages: set.Pages, at: make(map[string][]int, n), start: make([]bool, n), reach: make([]bool, n)}
	for _, p := range set.Pages {
		for _, l := range p.Links {
			if k, known := slices.BinarySearch(w.at[l.URL], l.To); l.To >= 0 && !known {
				w.at[l.URL] = slices.Insert(w.at[l.URL], k, l.To)
			}
		}
	}
	for i, p := range set.Pages {
		w.at[p.URL] = []int{i}
	}
	entries := set.Entries
	if len(entries) == 0 {
		entries = []int{0}
	}
	for _, i := range entries {
		w.start[i] = true
		w.starts = append(w.starts, set.Pages[i].URL)
	}
	w.follow(entries)
	return w
}

// follow marks the pages that links lead to from those given, however many requests a crawl would need to get there.
func (w *web) follow(from []int) {
	seen := slices.Clone(w.start)
	for queue := slices.Clone(from); len(queue) > 0; queue = queue[1:] {
		for _, l := range w.pages[queue[0]].Links {
			if l.To < 0 {
				continue
			}
			for _, to := range w.at[l.URL] {
				if !seen[to] {
					seen[to], w.reach[to] = true, true
					w.reachable++
					queue = append(queue, to)
				}
			}
		}
	}
}

// Fetch serves a page.
func (w *web) Fetch(_ context.Context, url string) fetch.Response {
	r := fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Missing, Reason: "no page of the session"}
	to := w.at[url]
	if len(to) == 0 {
		return r
	}
	if len(to) == 1 {
		r.FinalURL = w.pages[to[0]].URL
	}
	r.Outcome, r.Status, r.Reason = fetch.OK, 200, ""
	return r
}

// ReadyAt says that pages may be fetched at any time.
func (w *web) ReadyAt(string) time.Time { return time.Time{} }

// page is the page of an answer.
func (w *web) page(r *fetch.Response) (*page.Page, error) {
	to := w.at[r.FinalURL]
	if len(to) == 0 {
		return nil, errors.New("no page of the session")
	}
	if len(to) > 1 {
		set := &page.Page{URL: r.FinalURL}
		for _, i := range to {
			set.Frames = append(set.Frames, page.Frame{URL: w.pages[i].URL, Kind: webgraph.Frame})
		}
		return set, nil
	}
	from := &w.pages[to[0]]
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

// crawl returns the pages that a crawl fetches, in order, without the start pages. It ends after the given number of pages, or when
// all pages of left were fetched; nil means that it goes on. Only pages count, not requests: a redirect to a known page, for
// example, says nothing about the strategy. Its error is that of
// the crawl, or ctx.Err().
func (w *web) crawl(ctx context.Context, s strategy.Strategy, pages int, left map[int]bool) ([]int, error) {
	var order []int
	enough, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	o := crawler.Options{
		Starts: w.starts, Parse: w.page,
		OnFetch: func(f *crawler.Fetch) {
			to := w.at[f.FinalURL]
			if len(to) != 1 || f.Page == nil || w.start[to[0]] || len(order) == pages {
				return
			}
			order = append(order, to[0])
			found := left[to[0]]
			delete(left, to[0])
			if len(order) == pages || found && len(left) == 0 {
				stop(errEnough)
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
