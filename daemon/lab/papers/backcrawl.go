package papers

import (
	"context"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/charset"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/contextgraph"
	"nightjar/model/text"
)

// night is what an earlier crawl read: pages, and the links among them as the table of all links has them.
type night struct {
	pages []readPage
	at    map[string]int // by address, also that of redirects
}

// readPage is a page of a night.
type readPage struct {
	url, queued, anchor string
	parent              int // -1 for a start page
	page                *page.Page
	html                []byte
	labelled            bool
}

// read lets a strategy crawl from start pages, and returns what it read.
func (t *trial) read(ctx context.Context, s *study, order strategy.Strategy, starts []string, pages int) (*night, error) {
	replay, err := s.lib.Replay(t.task.Corpus)
	if err != nil {
		return nil, err
	}
	n := &night{at: map[string]int{}}
	o := crawler.Options{Starts: starts, Budget: crawler.Budget{Pages: pages}, OnFetch: func(f *crawler.Fetch) {
		if f.Page == nil || f.Response.Outcome != fetch.OK {
			return
		}
		if i, known := n.at[f.FinalURL]; known {
			n.at[f.URL] = i
			return
		}
		one := readPage{url: f.FinalURL, queued: f.URL, anchor: f.Anchor, parent: -1, page: f.Page,
			html: charset.UTF8(f.Response.ContentType, f.Response.Body), labelled: t.counts(f.FinalURL)}
		if i, known := n.at[f.Parent]; known {
			one.parent = i
		}
		n.at[f.URL], n.at[f.FinalURL] = len(n.pages), len(n.pages)
		n.pages = append(n.pages, one)
	}}
	_, err = crawler.Run(ctx, replay, order, o)
	return n, err
}

// marked are the first useful pages that the night read, as the person marks them in the morning.
func (n *night) marked(most int) (all []trainingdata.MarkedFind) {
	for i, p := range n.pages {
		if !p.labelled || len(all) == most {
			continue
		}
		find := trainingdata.MarkedFind{ID: int64(i) + 1, Useful: true, At: time.Unix(int64(i), 0)}
		for at := i; at >= 0; at = n.pages[at].parent {
			up := n.pages[at]
			find.Trail = append(find.Trail, trainingdata.MarkedStep{URL: up.url, Requested: up.queued, Anchor: up.anchor, HTML: up.html})
		}
		slices.Reverse(find.Trail)
		all = append(all, find)
	}
	return all
}

// To returns the pages of the night that link to a page.
func (n *night) To(_ context.Context, url string) (from []store.Back, _ error) {
	for _, p := range n.pages {
		if p.url != url && slices.ContainsFunc(p.page.Links, func(l page.Link) bool { return n.end(l.URL) == url }) {
			from = append(from, store.Back{URL: p.url})
		}
	}
	return from, nil
}

// end is where an address leads, as far as the night knows.
func (n *night) end(url string) string {
	if i, known := n.at[url]; known {
		return n.pages[i].url
	}
	return url
}

// Text returns the text of a page of the night.
func (n *night) Text(_ context.Context, p store.Back) (text.Source, error) {
	read := n.pages[n.at[p.URL]].page
	return text.Source{Text: read.Text, Declared: read.Language}, nil
}

// Of a first night, the pages, and the marks that the person makes in the morning; of the second, the pages beyond those.
const firstNight, mostMarks, nextNight = 150, 10, 300

// nights is a second night by context-graph after a first one by a strategy: useful pages that the first one had not read, as the area
// under their curve, and how many pages of which layer the context graph places right. Index 0 is without the pages of the first night
// that lead to useful ones, index 1 with them.
type nights struct {
	trial     *trial
	by        string
	ancestors int
	found     [2]float64
	right     [2][]int // by layer; the last is "other"
	pages     []int    // that neither the session nor the first night has, by layer
}

// secondNights crawls twice in each trial.
func (s *study) secondNights(ctx context.Context, trials []*trial) ([]*nights, error) {
	var all []*nights
	for _, t := range trials {
		for _, by := range []string{ours.strategy, layers.strategy} {
			all = append(all, &nights{trial: t, by: by})
		}
	}
	return all, each(len(all), func(i int) error { return all[i].measure(ctx, s) })
}

func (n *nights) measure(ctx context.Context, s *study) error {
	t := n.trial
	order, err := strategy.New(ctx, n.by, t.bundle)
	if err != nil {
		return err
	}
	first, err := t.read(ctx, s, order, t.task.StartPages(t.seed), firstNight)
	if err != nil {
		return err
	}
	recs, err := s.lib.Sessions(ctx, &t.task, t.seed)
	if err != nil {
		return err
	}
	b, err := model.Train(ctx, trainer.Set(t.task.Relevant[0], recs, first.marked(mostMarks)), t.bundle.Settings, nil)
	if err != nil {
		return err
	}
	ancestors, _, err := trainer.Ancestors(ctx, b, first)
	if err != nil {
		return err
	}
	n.ancestors = len(ancestors)
	var starts []string // the queue goes on with the links of what was read
	for _, p := range first.pages {
		starts = append(starts, p.url)
	}
	for with, b := range []*model.Bundle{b, b.WithAncestors(ancestors)} {
		if order, err = strategy.New(ctx, layers.strategy, b); err != nil {
			return err
		}
		second, err := t.read(ctx, s, order, starts, len(starts)+nextNight)
		if err != nil {
			return err
		}
		useful := 0
		for _, p := range second.pages {
			if _, known := first.at[p.url]; known {
				continue
			}
			if p.labelled {
				useful++
			}
			n.found[with] += float64(useful)
		}
		if err := n.place(ctx, s, b, first, with); err != nil {
			return err
		}
	}
	return nil
}

// place counts for how many pages a model finds the layer.
func (n *nights) place(ctx context.Context, s *study, b *model.Bundle, first *night, with int) error {
	w, err := s.web(ctx, n.trial.task.Corpus...)
	if err != nil {
		return err
	}
	var useful []int
	for i, url := range w.urls {
		if n.trial.counts(url) {
			useful = append(useful, i)
		}
	}
	m, layer := contextGraph(b), w.layers(useful, graphDepth)
	n.right[with], n.pages = make([]int, graphDepth+2), make([]int, graphDepth+2)
	for i, url := range w.urls {
		if _, read := first.at[url]; read || n.trial.known[url] || w.texts[i] == "" {
			continue
		}
		n.pages[layer[i]]++
		got := m.Classify(b.Words(w.texts[i])).Layer
		if got == contextgraph.Other {
			got = graphDepth + 1
		}
		if got == layer[i] {
			n.right[with][got]++
		}
	}
	return nil
}

// layers are how many links lead from each page to the nearest of some pages; depth+1 means more, or that none do.
func (w *web) layers(of []int, depth int) []int {
	layer := slices.Repeat([]int{depth + 1}, len(w.urls))
	for d := 0; d <= depth; d++ {
		var next []int
		for _, p := range of {
			if layer[p] > d {
				layer[p] = d
				next = append(next, w.back[p]...)
			}
		}
		of = next
	}
	return layer
}

var layerNames = []string{"useful", "1 link away", "2", "3", "4", "other"}

// addNights adds what second nights gained, and the table of layers.
func (sec *section) addNights(all []*nights) {
	table := devtool.Table{Title: "Pages whose layer the context graph finds, without and with pages of a first night that lead to useful ones",
		Rows: [][]string{{"web, first night by", "without", "with", "pages"}}}
	for _, group := range []string{webKB, wikispeedia} {
		for _, by := range []string{ours.strategy, layers.strategy} {
			var found [2][]float64
			var right [2][]int
			pages, ancestors := make([]int, graphDepth+2), 0
			right[0], right[1] = make([]int, graphDepth+2), make([]int, graphDepth+2)
			for _, n := range all {
				if n.trial.task.Group != group || n.by != by {
					continue
				}
				ancestors += n.ancestors
				for with := range found {
					found[with] = append(found[with], n.found[with])
					for l, k := range n.right[with] {
						right[with][l] += k
					}
				}
				for l, k := range n.pages {
					pages[l] += k
				}
			}
			if len(found[0]) == 0 {
				continue
			}
			more := gain(found[1], found[0], 5)
			sec.add(cgsClaims[5], fmt.Sprintf("%s useful pages that the first night had not read, n %d", signed(more), more.N),
				fmt.Sprintf("%s, second nights of %d pages after one of %d by %s, with against without its pages that lead to useful ones (%d on average)",
					group, nextNight, firstNight, by, ancestors/more.N), order(more))
			for l, name := range layerNames {
				share := func(k int) string { return fmt.Sprintf("%.0f %%", 100*ratio(float64(k), float64(pages[l]))) }
				table.Add(fmt.Sprintf("%s, %s: %s", group, by, name), share(right[0][l]), share(right[1][l]), pages[l])
			}
		}
	}
	sec.Tables = append(sec.Tables, table)
}
