package papers

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/daemon/lab/recording"
	"nightjar/model"
	"nightjar/model/text"
)

// web is all pages of recordings, numbered in their order, and the links among them.
type web struct {
	replay              *recording.Replay
	urls, titles, texts []string
	stems               []text.Counts
	links, back         [][]int // distinct pages that a page links to, in the order of its links, and those that link to it; not itself
	number              map[string]int
}

// web reads recordings, once. Pages that cannot be parsed are empty.
func (s *study) web(ctx context.Context, files ...string) (*web, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := strings.Join(files, " ")
	if w := s.webs[key]; w != nil {
		return w, nil
	}
	replay, err := s.lib.Replay(files)
	if err != nil {
		return nil, err
	}
	n := len(replay.Pages())
	w := &web{replay: replay, urls: replay.Pages(), titles: make([]string, n), texts: make([]string, n), stems: make([]text.Counts, n),
		links: make([][]int, n), back: make([][]int, n), number: make(map[string]int, n)}
	for i, url := range w.urls {
		w.number[url] = i
	}
	addresses := make([][]string, n)
	err = each(n, func(i int) error {
		r := replay.Fetch(ctx, w.urls[i])
		if r.Outcome != fetch.OK {
			return ctx.Err()
		}
		if p, err := page.ParseFrom(r.Source(), r.Body); err == nil {
			w.titles[i], w.texts[i], w.stems[i] = p.Title, p.Text, text.NewCounter().Count(p.Text)
			for _, l := range p.Links {
				addresses[i] = append(addresses[i], l.URL)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	at := make(map[string]int) // page of an address, -1 for none
	for i, all := range addresses {
		for _, address := range all {
			to, known := at[address]
			if !known {
				to = w.find(ctx, address)
				at[address] = to
			}
			if to >= 0 && to != i && !slices.Contains(w.links[i], to) {
				w.links[i], w.back[to] = append(w.links[i], to), append(w.back[to], i)
			}
		}
	}
	if s.webs == nil {
		s.webs = make(map[string]*web)
	}
	s.webs[key] = w
	return w, nil
}

// find is the page behind an address, -1 when the recording lacks it.
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

// around are targets and the pages from which they can be reached: up to depth layers of pages that link to the layer before, each
// reduced to a random sample of most pages. [HMM] §5.2.2, no. 2, and [CGS] §3.1
func (w *web) around(targets []int, depth, most int, rng *rand.Rand) []int {
	all, seen := slices.Clone(targets), make(map[int]bool)
	for _, t := range targets {
		seen[t] = true
	}
	for layer := targets; depth > 0; depth-- {
		var next []int
		for _, p := range layer {
			for _, from := range w.back[p] {
				if !seen[from] {
					seen[from] = true
					next = append(next, from)
				}
			}
		}
		rng.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
		layer = next[:min(most, len(next))]
		all = append(all, layer...)
	}
	return all
}

// set makes pages a training set with all links among them; target says which are useful.
func (w *web) set(topic string, pages []int, target func(page int) bool) model.TrainingSet {
	set, at := model.TrainingSet{Topic: topic}, make(map[int]int)
	for i, p := range pages {
		at[p] = i
		set.Pages = append(set.Pages, model.Page{URL: w.urls[p], Title: w.titles[p], Text: w.texts[p], Target: target(p)})
	}
	for i, p := range pages {
		for _, to := range w.links[p] {
			if j, ok := at[to]; ok {
				set.Edges = append(set.Edges, [2]int{i, j})
			}
		}
	}
	return set
}
