package bench

import (
	"errors"
	"fmt"
	"slices"

	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/corpus"
)

// Ways of counting links that the recording lacks.
const (
	Free = "free" // it costs nothing
	Cost = "cost" // a page of budget
)

// Oracle is the name of the oracle among the strategies.
const Oracle = "oracle"

// Task says what to train on and what to find. File names are relative to the corpora folder.
type Task struct {
	Name     string        `json:"name,omitempty"`
	Group    string        `json:"group,omitempty"`  // of tasks that are averaged, such as "WebKB"
	Corpus   []string      `json:"corpus"`           // recordings to crawl
	Labels   []string      `json:"labels,omitempty"` // of its pages, lines "URL tab label"
	Rules    []corpus.Rule `json:"rules,omitempty"`  // more labels, by the URLs of its pages and of those of the walks
	Relevant []string      `json:"relevant"`         // exact labels of the relevant pages

	// Training: session files, or games or walks drawn from the seed.
	Sessions []string `json:"session,omitempty"`
	Games    *Games   `json:"games,omitempty"`
	Walks    []Walk   `json:"walks,omitempty"`

	Starts []string `json:"starts,omitempty"` // start pages
	Pool   []string `json:"pool,omitempty"`   // or pages of which the seed draws Draw
	Draw   int      `json:"draw,omitempty"`

	Lists  int `json:"lists,omitempty"` // percent of the hosts that publish a list of their pages, made up from the seed
	Budget int `json:"budget"`          // pages

	Strategies []string `json:"strategies,omitempty"` // nil means all that need no more than a model
	Seeds      []uint64 `json:"seeds,omitempty"`      // nil means 1
	LookedAt   bool     `json:"looked_at,omitempty"`  // used while settings were chosen; the report marks such tasks
}

// Games are navigation games to pages with the relevant label; see corpus.Games.
type Games struct {
	Files []string `json:"files"`
	Half  int      `json:"half,omitempty"` // 1 or 2: train on this random half of the relevant pages, and find the other half
	Pages int      `json:"pages"`
}

// Walk is a simulated walk that marks pages with the relevant label; see corpus.Walk.
type Walk struct {
	Corpus  []string `json:"corpus"`
	Labels  []string `json:"labels,omitempty"`
	Starts  []string `json:"starts"`
	Pages   int      `json:"pages"`
	Targets int      `json:"targets"`
}

// complete fills in defaults and checks the task.
func (t *Task) complete() error {
	if t.Strategies == nil {
		t.Strategies = strategy.Modelled()
	}
	if t.Seeds == nil {
		t.Seeds = []uint64{1}
	}
	t.Strategies = unique(t.Strategies)
	t.Strategies = slices.DeleteFunc(t.Strategies, func(name string) bool { return name == Oracle })
	t.Seeds = unique(t.Seeds)
	switch {
	case len(t.Corpus) == 0:
		return errors.New("no corpus to crawl")
	case len(t.Labels)+len(t.Rules) == 0 || len(t.Relevant) == 0:
		return errors.New("no labels and no rules for them, or no relevant label")
	case t.Lists < 0 || t.Lists > 100:
		return fmt.Errorf("%d %% of the hosts cannot publish lists", t.Lists)
	case t.Budget < 1:
		return fmt.Errorf("the budget must be at least 1 page, not %d", t.Budget)
	}
	for _, name := range t.Strategies {
		if name != strategy.Auto && !strategy.Known(name) {
			return fmt.Errorf("unknown strategy %q: known are %s, %s and %v", name, Oracle, strategy.Auto, strategy.Names())
		}
		if strategy.OntologyOf(name) != "" {
			return fmt.Errorf("strategy %q: a benchmark makes the ontology of the words of each task's topic, so leave out its name", name)
		}
	}
	if err := checkRules(t.Rules); err != nil {
		return err
	}
	if err := t.checkSource(); err != nil {
		return err
	}
	return t.checkStarts()
}

// checkRules checks that rules say something. A pattern that matches the empty text matches every address.
func checkRules(rules []corpus.Rule) error {
	for i, r := range rules {
		switch {
		case r.Label == "":
			return fmt.Errorf("rule %d has no label", i+1)
		case r.URL == nil || r.URL.MatchString(""):
			return fmt.Errorf("the rule for %q needs a pattern that some addresses do not match", r.Label)
		}
	}
	return nil
}

// checkSource checks the training.
func (t *Task) checkSource() error {
	sources := 0
	if len(t.Sessions) > 0 {
		sources++
	}
	if len(t.Walks) > 0 {
		sources++
		for _, w := range t.Walks {
			if len(w.Corpus) == 0 || len(w.Labels)+len(t.Rules) == 0 || len(w.Starts) == 0 || w.Targets < 1 || w.Pages < w.Targets {
				return errors.New("a walk needs corpus, labels, starts, at least one target, and at least as many pages")
			}
		}
	}
	if g := t.Games; g != nil {
		sources++
		if len(g.Files) == 0 || g.Pages < 1 || g.Half < 0 || g.Half > 2 {
			return errors.New("games need files and pages, and half must be 0, 1 or 2")
		}
	}
	if sources != 1 {
		return errors.New("a task needs exactly one of session files, games and walks")
	}
	if len(t.Sessions) == 0 && len(t.Relevant) != 1 {
		return errors.New("games and walks need exactly one relevant label")
	}
	return nil
}

// checkStarts checks the start pages and makes them canonical.
func (t *Task) checkStarts() error {
	if (len(t.Starts) > 0) == (len(t.Pool) > 0) {
		return errors.New("a task needs either start pages or a pool to draw them from")
	}
	if len(t.Pool) > 0 && (t.Draw < 1 || t.Draw > len(t.Pool)) {
		return fmt.Errorf("cannot draw %d start pages from a pool of %d", t.Draw, len(t.Pool))
	}
	t.Starts, t.Pool = slices.Clone(t.Starts), slices.Clone(t.Pool)
	for _, list := range [][]string{t.Starts, t.Pool} {
		for i, start := range list {
			url, err := weburl.Canonical(start)
			if err != nil {
				return fmt.Errorf("start page %s: %w", start, err)
			}
			list[i] = weburl.Document(url)
		}
	}
	return nil
}

// unique returns the distinct values.
func unique[T comparable](values []T) []T {
	var kept []T
	for _, v := range values {
		if !slices.Contains(kept, v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// Check checks a task without reading files.
func (t Task) Check() error { return t.complete() }
