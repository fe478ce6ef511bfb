package bench

import (
	"errors"
	"fmt"
	"slices"

	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
)

// How a link that the recording lacks is counted.
const (
	Free = "free" // it costs nothing
	Cost = "cost" // a page of budget
)

// Oracle is the name of the oracle among the strategies.
const Oracle = "oracle"

// Task is one thing to learn and to find. File names are relative to the corpora folder.
type Task struct {
	Name     string   `json:"name,omitempty"`
	Group    string   `json:"group,omitempty"` // tasks that are averaged together, such as "WebKB"
	Corpus   []string `json:"corpus"`          // recordings of the web that is crawled
	Labels   []string `json:"labels"`          // of its pages, lines "URL tab label"
	Relevant []string `json:"relevant"`        // labels of the relevant pages; they match whole

	// What is learned from: session files, or games or walks that the seed draws.
	Sessions []string `json:"session,omitempty"`
	Games    *Games   `json:"games,omitempty"`
	Walks    []Walk   `json:"walks,omitempty"`

	Starts []string `json:"starts,omitempty"` // start pages
	Pool   []string `json:"pool,omitempty"`   // or pages of which the seed draws Draw
	Draw   int      `json:"draw,omitempty"`

	Budget     int      `json:"budget"` // pages
	DomainCap  int      `json:"domain_cap,omitempty"`
	Feedback   Feedback `json:"feedback,omitzero"`
	Taught     []string `json:"taught,omitempty"`     // strategies that a suite measures with feedback; nil means all that learn
	Strategies []string `json:"strategies,omitempty"` // nil means all
	Seeds      []uint64 `json:"seeds,omitempty"`      // nil means 1
	LookedAt   bool     `json:"looked_at,omitempty"`  // while settings were chosen; the report tells such tasks apart
}

// Games are navigation games on the corpus towards pages of the relevant label; see corpus.Games.
type Games struct {
	Files []string `json:"files"`
	Half  int      `json:"half,omitempty"` // 1 or 2: targets are of this random half of the label's pages, and only the other half is relevant
	Pages int      `json:"pages"`
}

// Walk is a simulated person's walk on a web, which marks pages of the relevant label; see corpus.Walk.
type Walk struct {
	Corpus  []string `json:"corpus"`
	Labels  []string `json:"labels"`
	Starts  []string `json:"starts"`
	Pages   int      `json:"pages"`
	Targets int      `json:"targets"`
}

// complete fills in what is left open and refuses what makes no sense.
func (t *Task) complete() error {
	if t.Strategies == nil {
		t.Strategies = strategy.Names()
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
	case len(t.Labels) == 0 || len(t.Relevant) == 0:
		return errors.New("no labels and relevant label to judge by")
	case t.Budget < 1:
		return fmt.Errorf("the budget must be at least 1 page, not %d", t.Budget)
	case t.DomainCap < 0:
		return fmt.Errorf("the domain cap must be at least 0, not %d", t.DomainCap)
	}
	for _, name := range t.Strategies {
		if name != strategy.Auto && !strategy.Known(name) {
			return fmt.Errorf("unknown strategy %q: known are %s, %s and %v", name, Oracle, strategy.Auto, strategy.Names())
		}
	}
	if err := t.checkSource(); err != nil {
		return err
	}
	return t.checkStarts()
}

// checkSource checks what is learned from.
func (t *Task) checkSource() error {
	sources := 0
	if len(t.Sessions) > 0 {
		sources++
	}
	if len(t.Walks) > 0 {
		sources++
		for _, w := range t.Walks {
			if len(w.Corpus) == 0 || len(w.Labels) == 0 || len(w.Starts) == 0 || w.Targets < 1 || w.Pages < w.Targets {
				return errors.New("a walk needs corpus, labels, starts, at least one target and no fewer pages")
			}
		}
	}
	if g := t.Games; g != nil {
		sources++
		if len(g.Files) == 0 || g.Pages < 1 || g.Half < 0 || g.Half > 2 {
			return errors.New("games need files, pages, and 1 or 2 as half")
		}
	}
	if sources != 1 {
		return errors.New("a task learns from session files, from games or from walks: one of the three")
	}
	if len(t.Sessions) == 0 && len(t.Relevant) != 1 {
		return errors.New("sessions are made for one relevant label")
	}
	return nil
}

// checkStarts makes the start pages canonical.
func (t *Task) checkStarts() error {
	if (len(t.Starts) > 0) == (len(t.Pool) > 0) {
		return errors.New("a task needs start pages, or a pool to draw them from")
	}
	if len(t.Pool) > 0 && (t.Draw < 1 || t.Draw > len(t.Pool)) {
		return fmt.Errorf("%d start pages cannot be drawn of a pool of %d", t.Draw, len(t.Pool))
	}
	t.Starts, t.Pool = slices.Clone(t.Starts), slices.Clone(t.Pool)
	for _, list := range [][]string{t.Starts, t.Pool} {
		for i, start := range list {
			url, err := weburl.Canonical(start)
			if err != nil {
				return fmt.Errorf("start page %s: %w", start, err)
			}
			list[i] = url
		}
	}
	return nil
}

// unique keeps the first of equal values, in a list of its own.
func unique[T comparable](values []T) []T {
	var kept []T
	for _, v := range values {
		if !slices.Contains(kept, v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// Check says what of a task makes no sense, before any file is read.
func (t Task) Check() error { return t.complete() }
