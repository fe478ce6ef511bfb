package ways

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"nightjar/daemon/machine"
	"nightjar/model"
	"nightjar/model/ways"
)

// trial is what was measured of one task with one seed.
type trial struct {
	Task       string    `json:"task"`
	Group      string    `json:"group"`
	Seed       uint64    `json:"seed"`
	Hops       *labelled `json:"labelled_by_hops,omitempty"`
	Milestones *labelled `json:"labelled_by_milestones,omitempty"`
	Areas      crawled   `json:"areas,omitempty"` // by contender
}

// result is everything that was measured, as --json prints it.
type result struct {
	Command string   `json:"command"`
	Machine string   `json:"machine"`
	Go      string   `json:"go"`
	Seeds   []uint64 `json:"seeds"`
	Budget  int      `json:"budget"`
	Others  []string `json:"others"` // strategies that need no ways
	Trials  []trial  `json:"trials"`
}

// measureAll measures every task with every seed and tells how far it is.
func measureAll(ctx context.Context, o *options, log io.Writer) (*result, error) {
	all, err := tasks(ctx, o)
	if err != nil {
		return nil, err
	}
	r := &result{Machine: machine.Processor(), Go: runtime.Version(), Seeds: o.Seeds, Budget: o.Budget, Others: o.Others}
	for i, t := range all {
		for _, seed := range o.Seeds {
			began := time.Now()
			one, err := t.measure(ctx, o, seed)
			if err != nil {
				return nil, err
			}
			r.Trials = append(r.Trials, *one)
			fmt.Fprintf(log, "ways: %d of %d tasks: %s, seed %d, %s\n", i+1, len(all), t.Name, seed, since(began))
		}
	}
	return r, nil
}

// measure measures one task with one seed.
func (t *task) measure(ctx context.Context, o *options, seed uint64) (*trial, error) {
	l, err := t.prepare(ctx, o, seed)
	if err != nil {
		return nil, err
	}
	one := &trial{Task: t.Name, Group: t.Group, Seed: seed}
	states := model.DefaultSettings().States
	for _, kind := range []struct {
		ways *ways.Ways
		to   **labelled
	}{{l.hops, &one.Hops}, {l.milestones, &one.Milestones}} {
		if !o.Label || kind.ways == nil || len(l.test) == 0 {
			continue
		}
		c, err := l.label(kind.ways, states)
		if err != nil {
			return nil, fmt.Errorf("task %s: label ways: %w", t.Name, err)
		}
		*kind.to = &c
	}
	if o.Crawl {
		if one.Areas, err = t.crawl(ctx, o, l, seed); err != nil {
			return nil, err
		}
	}
	return one, nil
}
