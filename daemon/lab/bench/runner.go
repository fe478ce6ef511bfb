package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// Runner measures tasks.
type Runner struct {
	Dir      string   // corpora folder, which relative file names are of
	Program  []string // runs RunJob with the file that is added to it as the last argument
	Warn     func(format string, args ...any)
	Progress func(done, total int, task string) // in pages; called by one goroutine at a time

	library *library
	temp    string
	mu      sync.Mutex
	task    string // being measured
	done    int
	total   int
}

// Run measures one task, links that the recording lacks counted as missing says, Free or Cost.
func (r *Runner) Run(ctx context.Context, t Task, missing string) (*Result, error) {
	if err := t.complete(); err != nil {
		return nil, err
	}
	if missing != Free && missing != Cost {
		return nil, fmt.Errorf("missing links are %s or %s, not %q", Free, Cost, missing)
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	defer r.close()
	r.total = pages(&t)
	trials, err := r.prepare(ctx, &t)
	if err != nil {
		return nil, err
	}
	runs, err := r.measure(ctx, &t, trials, missing, nil)
	if err != nil {
		return nil, err
	}
	return summarise(&t, trials, runs, missing), nil
}

// pages is how many pages a task's strategies fetch at the most.
func pages(t *Task) int { return (1 + len(t.Strategies)) * len(t.Seeds) * t.Budget }

func (r *Runner) open() error {
	if r.Warn == nil {
		r.Warn = func(string, ...any) {}
	}
	temp, err := os.MkdirTemp("", "nightjar-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for models: %w", err)
	}
	r.temp, r.done = temp, 0
	var mu sync.Mutex
	warn := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		r.Warn(format, args...)
	}
	r.library = &library{dir: r.Dir, warn: warn}
	return nil
}

// close leaves nothing behind.
func (r *Runner) close() {
	if err := errors.Join(r.library.close(), os.RemoveAll(r.temp)); err != nil {
		r.Warn("clean up: %v", err)
	}
}

// advance tells of progress.
func (r *Runner) advance(pages int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done += pages; r.Progress != nil {
		r.Progress(r.done, r.total, r.task)
	}
}

// prepare makes a task's trials, one a seed.
func (r *Runner) prepare(ctx context.Context, t *Task) ([]*trial, error) {
	r.task = t.Name
	r.advance(0)
	dir, err := os.MkdirTemp(r.temp, "task-")
	if err != nil {
		return nil, err
	}
	p := &preparation{task: t, library: r.library, dir: dir}
	trials := make([]*trial, len(t.Seeds))
	err = each(len(t.Seeds), func(i int) (err error) {
		if trials[i], err = p.trial(ctx, t.Seeds[i]); err != nil {
			return fmt.Errorf("seed %d: %w", t.Seeds[i], err)
		}
		return writeJSON(trials[i].file(dir), trials[i])
	})
	return trials, err
}

// file is where a trial is written in a folder, beside its model.
func (t *trial) file(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("seed-%d.json", t.Seed))
}

// measure has every strategy, the oracle first, crawl the trials, each strategy in a process of its own, as many at a time
// as there are processors. known are runs that need not be run again, by strategy.
func (r *Runner) measure(ctx context.Context, t *Task, trials []*trial, missing string, known map[string][]*run) (map[string][]*run, error) {
	names := append([]string{Oracle}, t.Strategies...)
	all := make([][]*run, len(names))
	cores := max(1, runtime.GOMAXPROCS(0)/len(names))
	err := each(len(names), func(i int) (err error) {
		name := names[i]
		if known[name] != nil {
			all[i] = known[name]
			return nil
		}
		j := job{
			Strategy: name, Replay: r.library.paths(t.Corpus), Budget: t.Budget, MissingCosts: missing == Cost, DomainCap: t.DomainCap, Feedback: t.Feedback,
		}
		dir := filepath.Dir(trials[0].Model)
		for _, trial := range trials {
			j.Trials = append(j.Trials, trial.file(dir))
		}
		file := filepath.Join(dir, fmt.Sprintf("job-%s-%d.json", missing, i))
		if err := writeJSON(file, j); err != nil {
			return err
		}
		told := 0
		all[i], err = r.process(ctx, file, cores, func(pages int) {
			told += pages
			r.advance(pages)
		})
		if err == nil && len(all[i]) != len(trials) {
			err = fmt.Errorf("%d crawls instead of %d", len(all[i]), len(trials))
		}
		if err != nil {
			return fmt.Errorf("strategy %s: %w", name, err)
		}
		r.advance(len(trials)*t.Budget - told) // crawls that ended early
		return nil
	})
	if err != nil {
		return nil, err
	}
	runs := make(map[string][]*run)
	for i, name := range names {
		runs[name] = all[i]
	}
	return runs, nil
}

// each does n pieces of work, as many at a time as there are processors. It returns the error of the first piece that
// failed, and begins no more after one.
func each(n int, work func(i int) error) error {
	errs := make([]error, n)
	next := make(chan int)
	failed := make(chan struct{})
	var once sync.Once
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := range next {
				if errs[i] = work(i); errs[i] != nil {
					once.Do(func() { close(failed) })
				}
			}
		})
	}
work:
	for i := range n {
		select {
		case next <- i:
		case <-failed:
			break work
		}
	}
	close(next)
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
