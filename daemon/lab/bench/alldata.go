package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/model"
)

// HMMAllData is the paper's strategy "hmm" with a model of its own, HMM_alldata of [HMM] §5.2.2 and §5.3: besides the pages
// of the sessions it learns from the context graph around their targets, with all links between these pages. The context
// graph is made from the recordings that the sessions were made on, where the paper asked a search engine for backlinks.
const HMMAllData = "hmm:alldata"

// The size of the context graph, [HMM] §5.2.2.
const (
	allDataLayers = 4
	allDataPages  = 300 // of a layer
)

// plain is the name of the strategy that crawls.
func plain(name string) string {
	if name == HMMAllData {
		return "hmm"
	}
	return name
}

// learnAll trains the model of HMMAllData when the task has that strategy.
func (p *preparation) learnAll(ctx context.Context, t *trial, set model.TrainingSet, settings model.Settings) error {
	if !slices.Contains(p.task.Strategies, HMMAllData) {
		return nil
	}
	archives := [][]string{p.task.Corpus}
	if len(p.task.Walks) > 0 {
		archives = nil
		for _, w := range p.task.Walks {
			archives = append(archives, w.Corpus)
		}
	}
	for _, names := range archives {
		if err := p.surround(ctx, names, t.Seed, &set); err != nil {
			return err
		}
	}
	b, err := model.Train(ctx, set, settings, nil)
	if err != nil {
		return fmt.Errorf("learn from the context graph: %w", err)
	}
	encoded, err := b.Encode()
	if err != nil {
		return fmt.Errorf("write the model of the context graph: %w", err)
	}
	t.AllData = filepath.Join(p.dir, fmt.Sprintf("seed-%d-all.bundle", t.Seed))
	return os.WriteFile(t.AllData, encoded, 0o600)
}

// surround adds the pages of the context graph in some recordings, and all links between pages there.
func (p *preparation) surround(ctx context.Context, names []string, seed uint64, set *model.TrainingSet) error {
	replay, err := p.library.Replay(names)
	if err != nil {
		return err
	}
	graph, err := p.library.Graph(ctx, names)
	if err != nil {
		return err
	}
	var urls, targets []string
	for _, page := range set.Pages {
		if urls = append(urls, page.URL); page.Target {
			targets = append(targets, page.URL)
		}
	}
	pages := slices.Clone(set.Pages)
	for _, url := range graph.Around(targets, allDataLayers, allDataPages, seed) {
		if slices.Contains(urls, url) {
			continue
		}
		r := replay.Fetch(ctx, url)
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.Outcome != fetch.OK {
			continue
		}
		read, err := page.ParseFrom(r.Source(), r.Body)
		if err != nil {
			continue
		}
		urls, pages = append(urls, url), append(pages, model.Page{URL: url, Title: read.Title, Text: read.Text})
	}
	set.Pages = pages
	known := make(map[[2]int]bool)
	edges := slices.Clone(set.Edges)
	for _, e := range edges {
		known[e] = true
	}
	for _, e := range graph.Among(urls) {
		if !known[e] {
			known[e], edges = true, append(edges, e)
		}
	}
	set.Edges = edges
	return nil
}
