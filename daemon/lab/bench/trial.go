package bench

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"nightjar/crawler/feature"
	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/learn/trainer"
	"nightjar/model"
	"nightjar/model/naivebayes"
	"nightjar/model/ontology"
	"nightjar/model/text"
)

// trial is a task with one seed, as a strategy's process reads it.
type trial struct {
	Seed   uint64   `json:"seed"`
	Model  string   `json:"model"` // file
	Starts []string `json:"starts"`
	Budget int      `json:"budget"` // pages

	Ontology []ontology.Item `json:"ontology,omitempty"` // of the topic's words, for strategies that need one

	// Final URLs for the score: pages that count, and pages that a person would mark Useful.
	Relevant []string `json:"relevant"`
	Labelled []string `json:"labelled"`
	Known    []string `json:"known"`  // pages of the sessions
	Oracle   []string `json:"oracle"` // the oracle's pages, in order

	total          int               // relevant pages that can be reached
	oracle         []int             // its curve
	pages, targets int               // of the model's training
	lacks          map[string]string // strategies that the model cannot lead, and why
}

// preparation makes the trials of a task.
type preparation struct {
	task    *Task
	library *Library
	dir     string // for models
}

// trial trains a model and determines the relevant pages.
func (p *preparation) trial(ctx context.Context, seed uint64) (*trial, error) {
	t := &trial{Seed: seed}
	known, err := p.learn(ctx, t)
	if err != nil {
		return nil, err
	}
	labelled, relevant, err := p.library.Relevant(p.task, seed, known)
	if err != nil {
		return nil, err
	}
	t.Labelled, t.Relevant, t.Known = slices.Sorted(maps.Keys(labelled)), slices.Sorted(maps.Keys(relevant)), slices.Sorted(maps.Keys(known))
	if err := p.start(ctx, t, relevant); err != nil {
		return nil, err
	}
	if t.total == 0 {
		return nil, problemf("try other start pages, or shorter sessions",
			"no page labelled %v outside the sessions can be reached from %v", p.task.Relevant, t.Starts)
	}
	return t, nil
}

// start draws the start pages and runs the oracle.
func (p *preparation) start(ctx context.Context, t *trial, relevant map[string]bool) error {
	all := slices.Concat(p.task.Starts, p.task.Pool) // a task has one of them
	t.Starts = p.task.StartPages(t.Seed)
	replay, err := p.library.Replay(p.task.Corpus)
	if err != nil {
		return err
	}
	finals, lacking := corpus.Starts(ctx, replay, t.Starts)
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, start := range lacking {
		p.library.warn("the recording lacks the start page %s", start)
	}
	if len(finals) == 0 {
		return problemf("lab corpus list names the recording's pages", "the recording holds none of the start pages")
	}
	web, err := p.library.web(ctx, p.task.Corpus, all)
	if err != nil {
		return err
	}
	web = web.From(finals)
	counts := func(url string) bool { return relevant[url] }
	t.total, t.Budget = web.Count(counts), p.task.Budget
	t.Oracle = web.OracleWay(counts, t.Budget)
	t.oracle = corpus.Curve(t.Oracle, counts)
	return nil
}

// SessionPages are the final URLs of the pages that count for nothing in a crawl: those of the sessions, also frames and pages that
// are not in the graph.
func SessionPages(set *model.TrainingSet, recs []*session.Session) map[string]bool {
	all := make(map[string]bool)
	for _, page := range set.Pages {
		all[page.URL] = true
	}
	for _, r := range recs {
		for _, v := range r.Visits {
			all[v.URL] = true
		}
	}
	return all
}

// Relevant are the pages with the task's label, and those of them that a crawl is to find: not the known ones, and with games those of
// the other half.
func (l *Library) Relevant(t *Task, seed uint64, known map[string]bool) (labelled, relevant map[string]bool, err error) {
	labels, err := l.Labels(t.Labels, t.Corpus, t.Rules)
	if err != nil {
		return nil, nil, err
	}
	labelled, unknown := labels.Any(t.Relevant)
	if unknown != "" {
		return nil, nil, problemf(fmt.Sprintf("some labels are %v", labels.Suggest(unknown)), "no page has the label %q", unknown)
	}
	relevant = labelled
	if g := t.Games; g != nil && g.Half > 0 {
		relevant = corpus.Half(labelled, 3-g.Half, seed)
	}
	relevant = maps.Clone(relevant)
	maps.DeleteFunc(relevant, func(url string, _ bool) bool { return known[url] })
	return labelled, relevant, nil
}

// StartPages are the start pages: those that the task names, or some of its pool, different ones for each seed and label.
func (t *Task) StartPages(seed uint64) []string {
	name := fnv.New64a()
	name.Write([]byte(t.Relevant[0]))
	rng := rand.New(rand.NewPCG(seed, name.Sum64()))
	pages := slices.Clone(t.Starts)
	for _, i := range rng.Perm(len(t.Pool))[:min(t.Draw, len(t.Pool))] {
		pages = append(pages, t.Pool[i])
	}
	return pages
}

// learn makes or reads the sessions and trains a model. It returns the pages of the sessions.
func (p *preparation) learn(ctx context.Context, t *trial) (map[string]bool, error) {
	recs, err := p.library.Sessions(ctx, p.task, t.Seed)
	if err != nil {
		return nil, err
	}
	set := trainer.Set(recs[0].Topic, recs, nil)
	settings := model.DefaultSettings()
	settings.Seed = t.Seed
	b, err := model.Train(ctx, set, settings, nil)
	if err == nil && p.needs(strategy.Ways) {
		b, err = trainer.LearnWays(ctx, b, trainer.Walked{Sessions: recs, Sets: feature.DefaultSets()}, nil)
	}
	if err == nil && (p.needs(strategy.Bayes) || p.needs(strategy.Gaussian)) {
		b, err = learnBayes(b, &set, !p.needs(strategy.Bayes))
	}
	switch {
	case errors.Is(err, model.ErrNoTarget) || errors.Is(err, model.ErrTooFewPages):
		return nil, &Problem{Err: fmt.Errorf("learn from the sessions: %w", err), Hint: "give more or longer sessions"}
	case err != nil:
		return nil, fmt.Errorf("learn from the sessions: %w", err)
	}
	t.pages, t.targets, t.lacks = b.Facts.Pages, b.Facts.Targets, make(map[string]string)
	if p.needs(strategy.Ontology) {
		t.Ontology = topicOntology(b)
	}
	for _, name := range p.task.Strategies {
		if strategy.Needs(name) == strategy.Ontology {
			if len(t.Ontology) == 0 {
				t.lacks[name] = "the sessions have no words for an ontology"
			}
			continue
		}
		if why := strategy.Lacks(name, b); why != "" {
			t.lacks[name] = why
		}
	}
	t.Model = filepath.Join(p.dir, fmt.Sprintf("seed-%d.bundle", t.Seed))
	encoded, err := b.Encode()
	if err != nil {
		return nil, fmt.Errorf("write the model: %w", err)
	}
	if err := os.WriteFile(t.Model, encoded, 0o600); err != nil {
		return nil, err
	}
	return SessionPages(&set, recs), nil
}

// needs reports whether a strategy of the task needs something of the model.
func (p *preparation) needs(n strategy.Need) bool {
	return slices.ContainsFunc(p.task.Strategies, func(name string) bool { return strategy.Needs(name) == n })
}

// learnBayes gives a model a classifier of the targets and, as negative pages, the others of the sessions and those from
// elsewhere. All pages are of few sites, so that the folds of its calibration are not kept apart by site.
func learnBayes(b *model.Bundle, set *model.TrainingSet, gaussian bool) (*model.Bundle, error) {
	var positives, negatives []text.Counts
	for _, page := range set.Pages {
		if stems, _ := b.StemsOf(page.Declared, page.Text); page.Target {
			positives = append(positives, stems)
		} else {
			negatives = append(negatives, stems)
		}
	}
	for _, page := range set.Background {
		negatives = append(negatives, b.Stems(page))
	}
	c, err := naivebayes.Train(positives, negatives, naivebayes.Options{Gaussian: gaussian, Seed: b.Settings.Seed})
	if errors.Is(err, naivebayes.ErrOneClass) {
		return b.WithBayes(nil, err.Error()), nil
	}
	return b.WithBayes(c, ""), err
}
