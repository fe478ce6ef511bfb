package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"nightjar/crawler"
	"nightjar/crawler/feature"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/bench/report"
	"nightjar/daemon/learn/trainer"
	"nightjar/model"
	"nightjar/model/contextgraph"
	"nightjar/model/measure"
)

// contender is a crawler that is compared.
type contender struct {
	name, strategy string // a strategy of Nightjar, or standardName
	all            bool   // it learned from all pages around the session's useful ones, not from the session
}

const standardName = "standard"

// Each paper's file has its contenders.
var (
	breadth = contender{"breadth-first", "breadth-first", false}
	ours    = contender{"link-value", "link-value", false}

	contenders = []contender{hmmUser, hmmAll, hmmHere, layers, layerAll, first, standard, standAll, generic, byWays, breadth, ours}
)

// seen is a page that a crawl read.
type seen struct {
	url        string
	labelled   bool    // a relevant page, by its label, that counts
	similarity float64 // largest cosine to a useful page of the session
	close      bool    // similarity of at least γ, outside of the session: relevant as in [HMM] §5.1
	useful     float64 // probability by the model of the session
}

// trial is a task with one seed, and what each contender read.
type trial struct {
	task   bench.Task
	seed   uint64
	bundle *model.Bundle // of the session
	all    *model.Bundle // of all pages around its useful ones; nil where the session is of the web that is crawled
	counts func(url string) bool
	known  map[string]bool // pages of the session
	runs   map[string][]seen
}

const webKB, wikispeedia = "WebKB", "Wikispeedia"

// crawl makes the crawls for [HMM], [CGS] and [CRF].
func (s *study) crawl(ctx context.Context) (made []*trial, err error) {
	suite, err := bench.LoadSuite("real")
	if err != nil {
		return nil, err
	}
	groups := map[string]int{}
	for _, t := range suite.Tasks {
		if t.Group != webKB && t.Group != wikispeedia {
			continue
		}
		if groups[t.Group]++; s.quick && groups[t.Group]%2 == 0 { // every second task
			continue
		}
		t.Budget = min(t.Budget, s.pick(1000, 400))
		for seed := range s.pick(3, 1) {
			made = append(made, &trial{task: t, seed: uint64(seed) + 1, runs: map[string][]seen{}})
		}
	}
	return made, each(len(made), func(i int) error {
		t, read := made[i], map[string]model.Observation{}
		if err := s.prepare(ctx, t); err != nil {
			return fmt.Errorf("task %s: %w", t.task.Name, err)
		}
		s.tell("learned for %s, seed %d", t.task.Name, t.seed)
		for _, c := range contenders {
			if c.all && t.all == nil {
				continue
			}
			if err := t.crawl(ctx, c, s, read); err != nil {
				return fmt.Errorf("task %s, %s: %w", t.task.Name, c.name, err)
			}
		}
		s.tell("crawled %s, seed %d", t.task.Name, t.seed)
		return nil
	})
}

// files are the recordings and labels of the crawls.
func crawlFiles() []string {
	files := []string{"wikispeedia/articles.warc.gz", "wikispeedia/labels.tsv", "wikispeedia/games_finished.tsv", "wikispeedia/games_unfinished.tsv"}
	for _, u := range universities {
		files = append(files, u.archive(), u.labels())
	}
	return files
}

// prepare learns from a task's sessions.
func (s *study) prepare(ctx context.Context, t *trial) error {
	recs, err := s.lib.Sessions(ctx, &t.task, t.seed)
	if err != nil {
		return err
	}
	settings := model.DefaultSettings()
	settings.Seed = t.seed
	set := trainer.Set(t.task.Relevant[0], recs, nil)
	if t.bundle, err = model.Train(ctx, set, settings, nil); err != nil {
		return err
	}
	if t.bundle, err = trainer.LearnWays(ctx, t.bundle, trainer.Walked{Sessions: recs, Sets: feature.DefaultSets()}, nil); err != nil {
		return err
	}
	t.known = bench.SessionPages(&set, recs)
	_, relevant, err := s.lib.Relevant(&t.task, t.seed, t.known)
	if err != nil {
		return err
	}
	t.counts = func(url string) bool { return relevant[url] }
	if t.task.Games != nil {
		return nil
	}
	var files []string
	for _, w := range t.task.Walks {
		files = append(files, w.Corpus...)
	}
	w, err := s.web(ctx, files...)
	if err != nil {
		return err
	}
	t.all, err = w.learnAll(ctx, set, settings)
	return err
}

// Depth and width of the context graphs in [HMM] §5.2.2 and [CGS] §4.
const graphDepth, graphWidth = 4, 300

// learnAll trains a model on all pages around the useful pages of a session: data no. 3 of [HMM] §5.2.2, and no. 2 for context graphs.
func (w *web) learnAll(ctx context.Context, session model.TrainingSet, settings model.Settings) (*model.Bundle, error) {
	var targets []int
	useful := map[int]bool{}
	for _, p := range session.Pages {
		if i, ok := w.number[p.URL]; ok && p.Target {
			targets, useful[i] = append(targets, i), true
		}
	}
	pages := w.around(targets, graphDepth, graphWidth, rand.New(rand.NewPCG(settings.Seed, 36)))
	set := w.set(session.Topic, pages, func(p int) bool { return useful[p] })
	set.Background, set.Declared = session.Background, session.Declared
	for _, e := range session.Entries {
		if i := slices.IndexFunc(set.Pages, func(p model.Page) bool { return p.URL == session.Pages[e].URL }); i >= 0 {
			set.Entries = append(set.Entries, i)
		}
	}
	return model.Train(ctx, set, settings, nil)
}

// crawl lets a contender crawl; read has the pages as the session's model reads them.
func (t *trial) crawl(ctx context.Context, c contender, s *study, read map[string]model.Observation) error {
	b := t.bundle
	if c.all {
		b = t.all
	}
	if c == byWays && strategy.Lacks(c.strategy, b) != "" {
		return nil
	}
	order, err := orderOf(ctx, c, b)
	if err != nil {
		return err
	}
	replay, err := s.lib.Replay(t.task.Corpus)
	if err != nil {
		return err
	}
	found := map[string]bool{}
	var pages []seen
	o := crawler.Options{Starts: t.task.StartPages(t.seed), Budget: crawler.Budget{Pages: t.task.Budget}, OnFetch: func(f *crawler.Fetch) {
		if f.Page == nil {
			return
		}
		o, known := read[f.FinalURL]
		if !known {
			o, _, _ = t.bundle.ReadPage(f.Page.Language, f.Page.Text)
			read[f.FinalURL] = o
		}
		fresh := !found[f.FinalURL]
		found[f.FinalURL] = true
		pages = append(pages, seen{f.FinalURL, fresh && t.counts(f.FinalURL), o.Similarity,
			fresh && !t.known[f.FinalURL] && o.Similarity >= t.bundle.Gamma.Value, o.Useful})
	}}
	if _, err := crawler.Run(ctx, replay, order, o); err != nil {
		return err
	}
	t.runs[c.name] = pages
	return ctx.Err()
}

func orderOf(ctx context.Context, c contender, b *model.Bundle) (strategy.Strategy, error) {
	if c.strategy != standardName {
		return strategy.New(ctx, c.strategy, b)
	}
	return &standardFocused{b, contextGraph(b)}, nil
}

// contextGraph is the context graph of a model.
func contextGraph(b *model.Bundle) *contextgraph.Model {
	g := contextgraph.Graph{Pages: slices.Clip(b.Lessons.Pages), Edges: slices.Clip(b.Edges), Reference: b.Lessons.Background}
	for _, p := range b.Pages {
		g.Target = append(g.Target, p.Target)
	}
	for i, a := range b.Ancestors {
		g.Pages, g.Target = append(g.Pages, a.Words), append(g.Target, false)
		for _, to := range a.Links {
			g.Edges = append(g.Edges, [2]int{len(b.Pages) + i, to})
		}
	}
	o := contextgraph.Defaults()
	o.Seed = b.Settings.Seed
	return contextgraph.Learn(g, len(b.Features.Terms), o)
}

// standardFocused is the standard focused crawler of [CGS] §4: it follows the links of the page that fits the useful pages best, by the
// classifier of layer 0 that the context graph has. Which page fits best is judged by the log likelihood of a word in layer 0 less that
// in the best other layer.
type standardFocused struct {
	bundle *model.Bundle
	model  *contextgraph.Model
}

func (s *standardFocused) Name() string { return standardName }

func (s *standardFocused) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	o, words, _ := s.bundle.ReadPage(v.Page.Language, v.Page.Text)
	p := strategy.Priority{math.MinInt32}
	if c := s.model.Classify(words); !math.IsInf(c.Odds, 0) && c.Posterior > 0 {
		p = strategy.Priority{int32(max(-1e9, min(1e9, 1e6*c.Odds)))}
	}
	return strategy.Judgement{Similarity: o.Similarity, Useful: o.Useful, Relevant: s.bundle.Relevant(o), Cluster: o.Cluster,
		Priorities: slices.Repeat([]strategy.Priority{p}, len(v.Page.Links))}, nil
}

// of are the trials of a group in which all of some contenders crawled; "" is all groups.
func of(trials []*trial, group string, need ...contender) (some []*trial) {
	for _, t := range trials {
		lacks := func(c contender) bool { return t.runs[c.name] == nil }
		if (group == "" || t.task.Group == group) && !slices.ContainsFunc(need, lacks) {
			some = append(some, t)
		}
	}
	return some
}

// values are what f makes of a contender's pages, by trial.
func values(trials []*trial, c contender, f func(t *trial, pages []seen) float64) (all []float64) {
	for _, t := range trials {
		all = append(all, f(t, t.runs[c.name]))
	}
	return all
}

// ahead is by how much a contender is ahead of another, over trials.
func ahead(trials []*trial, a, b contender, f func(t *trial, pages []seen) float64) measure.Figure {
	return measure.Difference(values(trials, a, f), values(trials, b, f), nil)
}

// share is the share of pages for which yes holds.
func share(yes func(seen) bool) func(*trial, []seen) float64 {
	return mean(as01(yes))
}

// mean is the mean of a value of the pages.
func mean(of func(seen) float64) func(*trial, []seen) float64 {
	return func(_ *trial, pages []seen) float64 {
		s := 0.0
		for _, p := range pages {
			s += of(p)
		}
		return ratio(s, float64(len(pages)))
	}
}

func labelled(p seen) bool      { return p.labelled }
func close1(p seen) bool        { return p.close }
func similarity(p seen) float64 { return p.similarity }
func useful(p seen) float64     { return p.useful }

// found is the area under the curve of relevant pages found: their number after 1, 2, ... pages, summed up.
func found(t *trial, pages []seen) float64 {
	n, area := 0, 0
	for i := range t.task.Budget {
		if i < len(pages) && pages[i].labelled {
			n++
		}
		area += n
	}
	return float64(area)
}

// union is the recall of [HMM] §5.3: the share of all relevant pages that any of the contenders found.
func union(yes func(seen) bool, all ...contender) func(*trial, []seen) float64 {
	return func(t *trial, pages []seen) float64 {
		set := map[string]bool{}
		for _, c := range all {
			for _, p := range t.runs[c.name] {
				if yes(p) {
					set[p.url] = true
				}
			}
		}
		n := 0.0
		for _, p := range pages {
			if yes(p) {
				n++
			}
		}
		return ratio(n, float64(len(set)))
	}
}

// curves are the means over trials of f after n pages, for each contender that crawled in all of them. A crawl that ended stays where
// it was.
func curves(trials []*trial, all []contender, f func([]seen) []float64) (lines []report.Curve) {
	longest := 0
	for _, t := range trials {
		longest = max(longest, t.task.Budget)
	}
	for _, c := range all {
		sums := make([]float64, longest)
		for _, t := range trials {
			v := f(t.runs[c.name])
			for i := range longest {
				if len(v) > 0 {
					sums[i] += v[min(i, len(v)-1)] / float64(len(trials))
				}
			}
		}
		line := report.Curve{Name: c.name}
		for i := 9; i < longest; i += max(1, longest/100) {
			line.At = append(line.At, [2]float64{float64(i + 1), sums[i]})
		}
		lines = append(lines, line)
	}
	return lines
}

// running is the mean of a value over the first 1, 2, ... pages.
func running(of func(seen) float64) func([]seen) []float64 {
	return func(pages []seen) []float64 {
		v := each1(pages, of)
		return window(v, max(1, len(v)))
	}
}

// sliding is the mean of a value over the last n pages.
func sliding(n int, of func(seen) float64) func([]seen) []float64 {
	return func(pages []seen) []float64 { return window(each1(pages, of), n) }
}

func each1(pages []seen, of func(seen) float64) (v []float64) {
	for _, p := range pages {
		v = append(v, of(p))
	}
	return v
}

// as01 turns a property of a page into 1 or 0.
func as01(is func(seen) bool) func(seen) float64 {
	return func(p seen) float64 {
		if is(p) {
			return 1
		}
		return 0
	}
}
