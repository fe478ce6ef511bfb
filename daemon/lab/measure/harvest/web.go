package harvest

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/model"
	"nightjar/model/text"
)

// web is a recorded web.
type web struct {
	replay *fetch.Replay
	urls   []string // final
	titles []string
	texts  []string
	stems  []text.Counts
	links  [][]int // distinct pages that a page links to, in the order of its links, without itself
	back   [][]int // pages that link to a page
	number map[string]int
}

// openWeb reads all pages of recordings below a folder.
func openWeb(ctx context.Context, dir string, names ...string) (*web, error) {
	var files []string
	for _, name := range names {
		files = append(files, filepath.Join(dir, filepath.FromSlash(name)))
	}
	replay, report, err := fetch.OpenReplay(files)
	if err != nil {
		return nil, err
	}
	if len(report.Problems) > 0 {
		return nil, fmt.Errorf("read %v: %v", names, report.Problems[0])
	}
	w := &web{replay: replay, number: make(map[string]int)}
	pages := make([]*page.Page, len(replay.Pages()))
	w.stems = make([]text.Counts, len(pages))
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, url := range replay.Pages() {
		w.number[url] = i
		workers.Go(func() error {
			r := replay.Fetch(ctx, url)
			if ctx.Err() != nil || r.Outcome != fetch.OK {
				return ctx.Err()
			}
			if p, err := page.ParseFrom(r.Source(), r.Body); err == nil {
				p.Documents()
				pages[i], w.stems[i] = p, text.NewCounter().Count(p.Text)
			}
			return nil
		})
	}
	if err := workers.Wait(); err != nil {
		return nil, err
	}
	w.join(ctx, pages)
	return w, nil
}

// join fills in what is known once all pages were parsed. Pages that cannot be parsed are empty.
func (w *web) join(ctx context.Context, pages []*page.Page) {
	w.urls = w.replay.Pages()
	w.titles, w.texts = make([]string, len(pages)), make([]string, len(pages))
	w.links, w.back = make([][]int, len(pages)), make([][]int, len(pages))
	aliases := make(map[string]int)
	for i, p := range pages {
		if p == nil {
			continue
		}
		w.titles[i], w.texts[i] = p.Title, p.Text
		for _, l := range p.Links {
			to, known := aliases[l.URL]
			if !known {
				to = w.find(ctx, l.URL)
				aliases[l.URL] = to
			}
			if to >= 0 && to != i && !slices.Contains(w.links[i], to) {
				w.links[i] = append(w.links[i], to)
				w.back[to] = append(w.back[to], i)
			}
		}
	}
}

// find is the number of the page behind an address, -1 when the recording lacks it.
func (w *web) find(ctx context.Context, url string) int {
	if i, ok := w.number[url]; ok {
		return i
	}
	if r := w.replay.Fetch(ctx, url); r.Outcome == fetch.OK {
		if i, ok := w.number[r.FinalURL]; ok {
			return i
		}
	}
	return -1
}

// counts are the stems of pages.
func (w *web) counts(pages []int) []text.Counts {
	all := make([]text.Counts, len(pages))
	for i, p := range pages {
		all[i] = w.stems[p]
	}
	return all
}

// addresses are the addresses of pages.
func (w *web) addresses(pages []int) []string {
	all := make([]string, len(pages))
	for i, p := range pages {
		all[i] = w.urls[p]
	}
	return all
}

// base trains a model on a few pages. The strategies that are measured read nothing of it but the classifier that each
// document brings, so that all documents of a web share it.
func (w *web) base(ctx context.Context, targets, others []int) (*model.Bundle, error) {
	set := model.TrainingSet{Topic: "harvest"}
	at := make(map[int]int)
	for k, pages := range [][]int{targets, others} {
		for _, p := range pages {
			at[p] = len(set.Pages)
			set.Pages = append(set.Pages, model.Page{URL: w.urls[p], Title: w.titles[p], Text: w.texts[p], Target: k == 0})
		}
	}
	for from, i := range at {
		for _, to := range w.links[from] {
			if j, ok := at[to]; ok {
				set.Edges = append(set.Edges, [2]int{i, j})
			}
		}
	}
	slices.SortFunc(set.Edges, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return model.Train(ctx, set, model.DefaultSettings(), nil)
}
