package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
)

// The inner verbs: parts of the benchmark that run in processes of their own.
const (
	verbPrepare = "prepare"
	verbMeasure = "measure"
	verbScore   = "score"
)

// benchmark is one run of the program.
type benchmark struct {
	options *options
	dir     string // for the sessions, while it runs
	log     io.Writer
}

// run measures all sizes.
func (b *benchmark) run(ctx context.Context) (*result, error) {
	o := b.options
	r := &result{Source: "generated", Seed: o.Seed, Cores: o.Cores, Go: runtime.Version()}
	if o.Corpora != "" {
		r.Source = "corpora"
	}
	fmt.Fprintf(b.log, "modelbench: making sessions of pages (%s)\n", r.Source)
	if _, err := b.child(ctx, verbPrepare, b.dir); err != nil {
		return nil, fmt.Errorf("make sessions: %w", err)
	}
	for _, size := range o.Sizes {
		m, err := b.size(ctx, size)
		if err != nil {
			return nil, fmt.Errorf("%d pages: %w", size, err)
		}
		r.Sizes = append(r.Sizes, m)
		if !o.Sklearn {
			continue
		}
		if m.Sklearn, err = b.baseline(ctx, m); errors.Is(err, errNoSklearn) {
			r.Missing, o.Sklearn = err.Error(), false
			fmt.Fprintln(b.log, "modelbench:", err)
			continue
		} else if err != nil {
			return nil, err
		}
		m.Compare = compare(m.Stages, m.Sklearn.Steps)
	}
	r.Aims = aims(r.Sizes)
	return r, nil
}

// size trains one session as often as asked. The fastest training counts, and of each stage its fastest run, as of the
// baseline's steps.
func (b *benchmark) size(ctx context.Context, size int) (*measured, error) {
	var best *measured
	for range b.options.Repeat {
		raw, err := b.child(ctx, verbMeasure, b.dir, strconv.Itoa(size))
		if err != nil {
			return nil, err
		}
		m := new(measured)
		if err := json.Unmarshal(raw, m); err != nil {
			return nil, err
		}
		if raw, err = b.child(ctx, verbScore, b.dir, strconv.Itoa(size)); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(raw, &m.Scoring); err != nil {
			return nil, err
		}
		fmt.Fprintf(b.log, "modelbench: %d pages: %.2f s\n", m.Pages, m.Seconds+m.ReportSeconds)
		if best != nil {
			m.quicken(best)
		}
		best = m
	}
	return best, nil
}

// baseline has scikit-learn do the same as often, each time with one thread and with all that are allowed: on small
// sessions, and on a busy machine, threads cost more than they bring. Of each step the fastest run counts.
func (b *benchmark) baseline(ctx context.Context, m *measured) (*baseline, error) {
	var best *baseline
	for range b.options.Repeat {
		for _, threads := range slices.Compact([]int{1, b.options.Cores}) {
			r, err := runBaseline(ctx, b.options, filepath.Join(b.dir, textsFile), m.Rank, threads)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(b.log, "modelbench: %d pages by scikit-learn %s, %d threads: %.2f s\n", r.Pages, r.Version, threads, total(r.Steps))
			if best == nil {
				best = r
				continue
			}
			for i, s := range r.Steps {
				best.Steps[i].Seconds = min(best.Steps[i].Seconds, s.Seconds)
				best.Steps[i].CPU = min(best.Steps[i].CPU, s.CPU)
			}
		}
	}
	return best, nil
}

func total(steps []step) float64 {
	sum := 0.0
	for _, s := range steps {
		sum += s.Seconds
	}
	return sum
}

// child runs an inner verb in a process of its own, and gives what it printed.
func (b *benchmark) child(ctx context.Context, verb string, args ...string) ([]byte, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	options, err := json.Marshal(b.options)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{verb, string(options)}, args...)...)
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, b.log
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", b.options.Cores))
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return stdout.Bytes(), nil
}
