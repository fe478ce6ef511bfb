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
// measured with Free only, since Cost gives the same. With feedback, the strategies that learn are measured a second time,
// for one way of counting.
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
		r.total += pages(&s.Tasks[i])
	}
	out := &SuiteResult{Name: s.Name, About: s.About, GoVersion: runtime.Version(), Cores: runtime.NumCPU()}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if err := r.runTask(ctx, t, missing, out); err != nil {
			return nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
	}
	out.Groups, out.Stopping = groups(out.Results), stopMeans(out.Results)
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

// runTask adds a task's results: without feedback, with feedback if the task has some, and with Cost.
func (r *Runner) runTask(ctx context.Context, t *Task, missing string, out *SuiteResult) error {
	trials, err := r.prepare(ctx, t)
	if err != nil {
		return err
	}
	out.LearnedFrom = append(out.LearnedFrom, t.Name+": "+t.source(trials))
	first := cmp.Or(missing, Free)
	plain := *t
	plain.Feedback = Feedback{}
	runs, err := r.measure(ctx, &plain, trials, first, nil)
	if err != nil {
		return err
	}
	out.Results = append(out.Results, *summarise(&plain, trials, runs, first))
	if err := r.runTaught(ctx, t, trials, first, runs, out); err != nil {
		return err
	}
	same := unaffected(runs)
	if missing != "" || len(same) == len(runs) {
		return nil
	}
	r.expect((len(runs) - len(same)) * len(t.Seeds) * t.Budget)
	if runs, err = r.measure(ctx, &plain, trials, Cost, same); err != nil {
		return err
	}
	out.Results = append(out.Results, *summarise(&plain, trials, runs, Cost))
	return nil
}

// runTaught adds the result with feedback of the strategies that learn. runs are those without feedback.
func (r *Runner) runTaught(ctx context.Context, t *Task, trials []*trial, missing string, runs map[string][]*run, out *SuiteResult) error {
	taught := *t
	taught.Strategies = slices.DeleteFunc(slices.Clone(t.Strategies), func(name string) bool {
		return !runs[name][0].Learns || t.Taught != nil && !slices.Contains(t.Taught, name)
	})
	if t.Feedback == (Feedback{}) || len(taught.Strategies) == 0 {
		return nil
	}
	r.expect(len(taught.Strategies) * len(t.Seeds) * t.Budget)
	known := map[string][]*run{Oracle: runs[Oracle]}
	runs, err := r.measure(ctx, &taught, trials, missing, known)
	if err == nil {
		out.Results = append(out.Results, *summarise(&taught, trials, runs, missing))
	}
	return err
}

// expect adds pages to the total of the progress.
func (r *Runner) expect(pages int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total += pages
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
