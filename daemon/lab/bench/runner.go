package bench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"nightjar/daemon/lab/verb"
)

// Runner measures tasks.
type Runner struct {
	Dir      string // corpora folder, base of relative file names
	Warn     func(format string, args ...any)
	Progress func(done, total int, task string) // in crawls; called by one goroutine at a time

	library *Library
	temp    string
	mu      sync.Mutex
	task    string // current task
	done    int
	total   int
}

// Run measures one task. Links that the recording lacks are Free or Cost, as missing says.
func (r *Runner) Run(ctx context.Context, t Task, missing string) (*Result, error) {
	if err := t.complete(); err != nil {
		return nil, err
	}
	if missing != Free && missing != Cost {
		return nil, fmt.Errorf("missing links must be %s or %s, not %q", Free, Cost, missing)
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	defer r.close()
	r.total = crawls(&t)
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

// crawls is the number of crawls of a task.
func crawls(t *Task) int { return (1 + len(t.Strategies)) * len(t.Seeds) }

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
	r.library = NewLibrary(r.Dir, warn)
	return nil
}

// close closes the library and removes the temporary folder.
func (r *Runner) close() {
	if err := errors.Join(r.library.close(), os.RemoveAll(r.temp)); err != nil {
		r.Warn("clean up: %v", err)
	}
}

// advance reports progress.
func (r *Runner) advance(crawls int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done += crawls; r.Progress != nil {
		r.Progress(r.done, r.total, r.task)
	}
}

// prepare makes a task's trials, one per seed.
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
	if err != nil {
		return nil, err
	}
	return trials, r.leaveOut(t, trials)
}

// leaveOut leaves out the strategies that need what the model of a seed lacks. It is an error when no other is left.
func (r *Runner) leaveOut(t *Task, trials []*trial) error {
	why := make(map[string]string)
	for _, one := range trials {
		maps.Copy(why, one.lacks)
	}
	if len(why) == 0 {
		return nil
	}
	left := slices.DeleteFunc(slices.Clone(t.Strategies), func(name string) bool { return why[name] != "" })
	if len(left) == 0 {
		return problemf("give more or longer sessions, or compare other strategies", "the sessions teach too little for %s: %s", strings.Join(t.Strategies, ", "), why[t.Strategies[0]])
	}
	for _, name := range t.Strategies {
		if why[name] != "" {
			r.library.warn("task %s: %s left out: %s", t.Name, name, why[name])
			r.expect(-len(t.Seeds))
		}
	}
	t.Strategies = left
	return nil
}

// file is the file of a trial in a folder.
func (t *trial) file(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("seed-%d.json", t.Seed))
}

// measure runs every strategy, the oracle first, on the trials. Each strategy has its own process; as many run at a time as
// there are processors. known are runs by strategy that need no new process.
func (r *Runner) measure(ctx context.Context, t *Task, trials []*trial, missing string, known map[string][]*run) (map[string][]*run, error) {
	names := append([]string{Oracle}, t.Strategies...)
	all := make([][]*run, len(names))
	err := each(len(names), func(i int) (err error) {
		name := names[i]
		if known[name] != nil {
			all[i] = known[name]
			return nil
		}
		var log bytes.Buffer
		child := verb.Child{Cores: max(1, runtime.GOMAXPROCS(0)/len(names)), Log: &log}
		j := job{Strategy: name, Replay: r.library.paths(t.Corpus), MissingCosts: missing == Cost, Lists: t.Lists}
		for _, trial := range trials {
			j.Trials = append(j.Trials, trial.file(filepath.Dir(trial.Model)))
		}
		if err = child.Run(ctx, JobCommand.Name, j, &all[i]); err != nil {
			return cmp.Or(ctx.Err(), fmt.Errorf("strategy %s: %w: %s", name, err, bytes.TrimSpace(log.Bytes())))
		}
		if len(all[i]) != len(trials) {
			return fmt.Errorf("strategy %s: %d crawls instead of %d", name, len(all[i]), len(trials))
		}
		r.advance(len(trials))
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

// each calls work for 0 to n-1, as many calls at a time as there are processors. After a failure it starts no more calls and
// returns the first error by index.
func each(n int, work func(i int) error) error {
	errs := make([]error, n)
	group, ctx := errgroup.WithContext(context.Background())
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := 0; i < n && ctx.Err() == nil; i++ {
		group.Go(func() error {
			if ctx.Err() == nil {
				errs[i] = work(i)
			}
			return errs[i]
		})
	}
	_ = group.Wait() // errs has them all
	return cmp.Or(errs...)
}
