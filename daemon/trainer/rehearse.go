package trainer

import (
	"context"

	"nightjar/crawler/strategy"
	"nightjar/daemon/rehearsal"
	"nightjar/model"
)

// Nightly is the strategy of nights: its name, and how it is made from a model.
type Nightly struct {
	Name string
	New  func(ctx context.Context, b *model.Bundle) (strategy.Strategy, error) // nil means strategy.New
}

// rehearse lets the strategy of nights crawl the session with parts of it held back. A failure is no reason to have no
// report: the rehearsal then says that there was none. Its error is ctx.Err().
func (t *Trainer) rehearse(ctx context.Context, done *learned, progress func(model.Progress)) (*model.Rehearsal, error) {
	nightly, err := t.nightly(ctx, done)
	if err == nil {
		in := rehearsal.Input{
			Set: done.in.set, Settings: done.bundle.Settings, Strategy: nightly.Name, New: nightly.New, Prepare: t.prepare(done.in, nightly.Name),
		}
		var found *model.Rehearsal
		found, err = rehearsal.Run(ctx, in, func(d, total int) {
			progress(model.Progress{Stage: model.StageRehearse, Done: d, Total: total})
		})
		if err == nil {
			return found, nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	t.log.Warn("the strategy of nights was not tested", "topic", done.topic, "strategy", nightly.Name, "error", err)
	return &model.Rehearsal{Strategy: nightly.Name, Why: "the test failed, and the log says why"}, nil
}

// nightly returns the strategy that a night would use with a model.
func (t *Trainer) nightly(ctx context.Context, done *learned) (Nightly, error) {
	if t.Nightly != nil {
		return t.Nightly(ctx, done.topic, done.bundle)
	}
	chosen, err := t.store.Settings(ctx)
	if err != nil {
		return Nightly{Name: strategy.Best}, err
	}
	name := strategy.Choose(chosen.Strategy)
	if strategy.Lacks(name, done.bundle) != "" {
		name = strategy.Best
	}
	return Nightly{Name: name}, nil
}

// prepare returns what adds to a model of a part of the session what a strategy needs besides; nil when it needs nothing.
func (t *Trainer) prepare(in *input, name string) func(context.Context, *model.Bundle, map[string]bool) (*model.Bundle, error) {
	quiet := func(model.Progress) {}
	switch strategy.Needs(name) {
	case strategy.Ways:
		return func(ctx context.Context, b *model.Bundle, held map[string]bool) (*model.Bundle, error) {
			return t.learnWays(ctx, b, in, held, quiet)
		}
	case strategy.Bayes, strategy.Gaussian:
		return func(ctx context.Context, b *model.Bundle, held map[string]bool) (*model.Bundle, error) {
			return learnBayes(ctx, b, in, held, quiet)
		}
	}
	return nil
}
