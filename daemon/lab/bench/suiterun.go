package bench

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// RunSuite measures the tasks of a suite. missing is Free, Cost, or "" for both. A task whose crawls meet no missing links is
// measured with Free only, since Cost gives the same.
func (r *Runner) RunSuite(ctx context.Context, s *Suite, missing string) (*SuiteResult, error) {
	began := time.Now()
	if err := r.open(); err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.makeUp(ctx, s); err != nil {
		return nil, err
	}
	r.total = 0
	for i := range s.Tasks {
		if err := s.Tasks[i].complete(); err != nil { // flags may have changed it
			return nil, fmt.Errorf("task %s: %w", s.Tasks[i].Name, err)
		}
		r.total += crawls(&s.Tasks[i])
	}
	out := &SuiteResult{Name: s.Name, About: s.About, GoVersion: runtime.Version(), Cores: runtime.NumCPU()}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if err := r.runTask(ctx, t, missing, out); err != nil {
			return nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
	}
	out.Groups = groups(out.Results)
	out.Minutes = time.Since(began).Minutes()
	return out, nil
}

// makeUp writes the suite's made-up webs, which replace the corpora folder.
func (r *Runner) makeUp(ctx context.Context, s *Suite) error {
	if len(s.MadeUp) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp(r.temp, "made-up-")
	if err != nil {
		return err
	}
	for _, m := range s.MadeUp {
		if err := m.write(ctx, dir); err != nil {
			return fmt.Errorf("make up the web %s: %w", m.Name, err)
		}
	}
	r.library.dir = dir
	return nil
}

// runTask adds a task's results: for Free, and for Cost if that differs.
func (r *Runner) runTask(ctx context.Context, t *Task, missing string, out *SuiteResult) error {
	trials, err := r.prepare(ctx, t)
	if err != nil {
		return err
	}
	out.LearnedFrom = append(out.LearnedFrom, t.Name+": "+t.source(trials))
	first := cmp.Or(missing, Free)
	runs, err := r.measure(ctx, t, trials, first, nil)
	if err != nil {
		return err
	}
	out.Results = append(out.Results, *summarise(t, trials, runs, first))
	same := unaffected(runs)
	if missing != "" || len(same) == len(runs) {
		return nil
	}
	r.expect((len(runs) - len(same)) * len(t.Seeds))
	if runs, err = r.measure(ctx, t, trials, Cost, same); err != nil {
		return err
	}
	out.Results = append(out.Results, *summarise(t, trials, runs, Cost))
	return nil
}

// expect adds crawls to the total of the progress.
func (r *Runner) expect(crawls int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total += crawls
}

// unaffected returns the runs of strategies that met no missing links.
func unaffected(all map[string][]*run) map[string][]*run {
	same := make(map[string][]*run)
	for name, runs := range all {
		if !slices.ContainsFunc(runs, func(r *run) bool { return r.Missing > 0 }) {
			same[name] = runs
		}
	}
	return same
}

// source describes the sessions of a task's training.
func (t *Task) source(trials []*trial) string {
	var pages, targets []int
	for _, trial := range trials {
		pages, targets = append(pages, trial.pages), append(targets, trial.targets)
	}
	var what string
	switch {
	case t.Games != nil:
		what = "navigation games of " + strings.Join(t.Games.Files, ", ")
		if t.Games.Half > 0 {
			what += " towards a random half of the relevant pages, the other half to be found"
		}
	case len(t.Walks) > 0:
		var corpora []string
		for _, w := range t.Walks {
			corpora = append(corpora, w.Corpus...)
		}
		what = "simulated walks on " + strings.Join(corpora, ", ")
	default:
		what = strings.Join(t.Sessions, ", ")
	}
	return fmt.Sprintf("%s; %s pages, %s of them marked Useful, in each of %d models", what, span(pages), span(targets), len(trials))
}

// span is the range of at least one number.
func span(numbers []int) string {
	low, high := slices.Min(numbers), slices.Max(numbers)
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}
