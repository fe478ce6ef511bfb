package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"

	"nightjar/daemon/lab/verb"
)

// benchmark is one run of the program.
type benchmark struct {
	options  *options
	dir      string // temporary, for the pages that Python reads
	log      io.Writer
	children verb.Child
}

// job is what a job does.
type job struct {
	Options *options
	Dir     string
	Size    int
}

// run measures all sizes.
func (b *benchmark) run(ctx context.Context) (*result, error) {
	o := b.options
	r := &result{Seed: o.Seed, Cores: o.Cores, Go: runtime.Version()}
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
			fmt.Fprintln(b.log, "models:", err)
			continue
		} else if err != nil {
			return nil, err
		}
		m.Compare = compare(m.Stages, m.Sklearn.Steps)
	}
	r.Aims = aims(r.Sizes)
	return r, nil
}

// size trains one session b.options.Repeat times. The fastest training counts, and the fastest run of each stage.
func (b *benchmark) size(ctx context.Context, size int) (*measured, error) {
	var best *measured
	for range b.options.Repeat {
		m := new(measured)
		if err := b.children.Run(ctx, "models measure", job{b.options, b.dir, size}, m); err != nil {
			return nil, err
		}
		fmt.Fprintf(b.log, "models: %d pages: %.2f s\n", m.Pages, m.Seconds+m.ReportSeconds)
		if best != nil {
			m.quicken(best)
		}
		best = m
	}
	return best, nil
}

// baseline runs scikit-learn's steps as often, each time with one thread and with b.options.Cores threads: for small
// sessions and on a busy machine, threads cost more than they gain. The fastest run of each step counts.
func (b *benchmark) baseline(ctx context.Context, m *measured) (*baseline, error) {
	var best *baseline
	for range b.options.Repeat {
		for _, threads := range slices.Compact([]int{1, b.options.Cores}) {
			r, err := runBaseline(ctx, b.options, filepath.Join(b.dir, textsFile), m.Rank, threads)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(b.log, "models: %d pages with scikit-learn %s, %d threads: %.2f s\n", r.Pages, r.Version, threads, total(r.Steps))
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
