package forecast

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/session"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
	"nightjar/model"
)

// followed is the strategy of all crawls.
const followed = "link-value"

// Marks of the person after the first crawl: the finds with the highest probabilities among those of the first pages.
const (
	markedFinds = 20
	markedPages = 250
)

// Cell is what is crawled for one session: the file in the cache.
type Cell struct {
	Task, Group, Web string
	LookedAt         bool
	Seed, Size       int
	Pages, Targets   int // of the session
	Crawls           []Crawl
}

// Crawl is one crawl of a cell. The first is from the task's start pages, the second from the same ones with a model that learned
// from marks, the others from other start pages with that model.
type Crawl struct {
	Starts []uint64 // as hashes of their addresses
	Steps  []Step
	Queued int // links left at the end
	Ended  bool
}

// Step is a page of a crawl's budget.
type Step struct {
	URL     uint64  `json:"u"`           // hash of the final address
	Useful  bool    `json:"y,omitempty"` // it has the label, and the session does not know it
	Known   bool    `json:"k,omitempty"` // the session knows it
	Find    bool    `json:"f,omitempty"`
	P       float64 `json:"p,omitempty"` // the judge's probability
	Waiting int     `json:"w"`           // links that wait after it
}

// makeCells makes the cells that the cache lacks, and reads all.
func makeCells(ctx context.Context, o *options, log io.Writer) ([]*Cell, error) {
	all, err := tasks(o)
	if err != nil {
		return nil, err
	}
	l := bench.NewLibrary(o.Corpora, nil)
	var cells []*Cell
	for _, seed := range o.Seeds {
		for _, t := range all {
			var opened *task
			for _, size := range o.Sizes {
				file := filepath.Join(o.Cache, fmt.Sprintf("%s-%d-%d-%d.json", t.Name, size, seed, o.Pages))
				c, err := readCell(file)
				if errors.Is(err, os.ErrNotExist) && o.Cached {
					continue
				}
				if errors.Is(err, os.ErrNotExist) {
					if opened == nil {
						if opened, err = open(ctx, l, t); err != nil {
							return nil, fmt.Errorf("task %s: %w", t.Name, err)
						}
					}
					began := time.Now()
					if c, err = opened.cell(ctx, o, seed, size); err == nil {
						err = writeCell(file, c)
					}
					fmt.Fprintf(log, "%s %s, %d pages, seed %d: %.0f s\n", time.Now().Format(time.TimeOnly), t.Name, size, seed, time.Since(began).Seconds())
				}
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if err != nil {
					fmt.Fprintf(log, "task %s, %d pages, seed %d is left out: %v\n", t.Name, size, seed, err)
					continue
				}
				cells = append(cells, c)
			}
		}
	}
	return cells, nil
}

func readCell(file string) (*Cell, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &Cell{}
	return c, json.Unmarshal(text, c)
}

func writeCell(file string, c *Cell) error {
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(c); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(file+".part", out.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}

// cell trains and crawls for one session.
func (t *task) cell(ctx context.Context, o *options, seed, size int) (*Cell, error) {
	recs, err := t.sessions(ctx, seed, size)
	if err != nil {
		return nil, err
	}
	first, err := train(ctx, t.Name, recs, nil, seed)
	if err != nil {
		return nil, err
	}
	c := &Cell{Task: t.Name, Group: t.Group, Web: t.web, LookedAt: t.LookedAt, Seed: seed, Size: size, Pages: first.Facts.Pages, Targets: first.Facts.Targets}
	w := &watch{task: t, known: map[string]bool{}}
	for _, page := range first.Pages {
		w.known[page.URL] = true
	}
	for _, r := range recs {
		for _, v := range r.Visits {
			w.known[v.URL] = true
		}
	}
	w.collect = true
	one, err := w.crawl(ctx, first, t.starts(seed, 0), o.Pages)
	if err != nil {
		return nil, err
	}
	w.collect = false
	c.Crawls = append(c.Crawls, one)
	taught, err := train(ctx, t.Name, recs, w.marked(), seed)
	if err != nil {
		return nil, err
	}
	for _, draw := range []int{0, 1, 2} {
		one, err := w.crawl(ctx, taught, t.starts(seed, draw), o.Pages)
		if err != nil {
			return nil, err
		}
		c.Crawls = append(c.Crawls, one)
	}
	return c, nil
}

func train(ctx context.Context, name string, recs []*session.Session, marked []store.MarkedFind, seed int) (*model.Bundle, error) {
	settings := model.DefaultSettings()
	settings.Seed = uint64(seed)
	return model.Train(ctx, trainer.Set(name, recs, marked), settings, nil)
}

// watch follows the crawls of a cell.
type watch struct {
	task    *task
	known   map[string]bool
	collect bool
	finds   []foundPage
	seen    map[string]bool
	out     *Crawl
}

// foundPage is a find that the person may mark.
type foundPage struct {
	p      float64
	useful bool
	trail  []crawler.Step
}

func (w *watch) crawl(ctx context.Context, b *model.Bundle, starts []string, pages int) (Crawl, error) {
	s, err := strategy.New(ctx, followed, b)
	if err != nil {
		return Crawl{}, err
	}
	w.out, w.seen = &Crawl{}, map[string]bool{}
	for _, start := range starts {
		w.out.Starts = append(w.out.Starts, hash(start))
		w.seen[start] = true
	}
	r, err := crawler.Run(ctx, w.task.replay, s, crawler.Options{Starts: starts, Budget: crawler.Budget{Pages: pages}, OnFetch: w.add})
	if err != nil {
		return Crawl{}, err
	}
	w.out.Queued, w.out.Ended = r.Queued, r.End == crawler.NoLinks
	return *w.out, ctx.Err()
}

// add counts a fetch.
func (w *watch) add(f *crawler.Fetch) {
	for _, url := range f.Done {
		delete(w.seen, url)
	}
	for _, e := range f.Queued {
		w.seen[e.URL] = true
	}
	if f.Cost == 0 {
		return
	}
	s := Step{URL: hash(f.FinalURL), Waiting: len(w.seen)}
	if f.Page != nil {
		s.Known = slices.ContainsFunc(append([]string{f.FinalURL}, f.Done...), func(url string) bool { return w.known[url] })
		s.Useful = w.task.labels.With(w.task.Relevant[0])[f.FinalURL] && !s.Known
		s.Find, s.P = f.Find() && !s.Known, f.Judgement.Useful
		if w.collect && s.Find && f.Totals.Fetched <= markedPages {
			w.finds = append(w.finds, foundPage{s.P, s.Useful, f.Trail()})
		}
	}
	w.out.Steps = append(w.out.Steps, s)
}

// marked are the finds that the person marks after the first crawl.
func (w *watch) marked() []store.MarkedFind {
	slices.SortStableFunc(w.finds, func(a, b foundPage) int {
		switch {
		case a.p > b.p:
			return -1
		case a.p < b.p:
			return 1
		}
		return 0
	})
	var all []store.MarkedFind
	for i, f := range w.finds[:min(markedFinds, len(w.finds))] {
		m := store.MarkedFind{ID: int64(i + 1), Useful: f.useful, At: time.Unix(int64(i), 0)}
		for _, step := range f.trail {
			r := w.task.replay.Fetch(context.Background(), step.URL)
			m.Trail = append(m.Trail, store.MarkedStep{URL: step.URL, Anchor: step.Anchor, HTML: r.Body})
		}
		all = append(all, m)
	}
	return all
}

func hash(url string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(url))
	return h.Sum64()
}
