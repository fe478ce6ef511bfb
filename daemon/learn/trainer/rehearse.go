package trainer

import (
	"context"
	"log/slog"

	"nightjar/crawler/strategy"
	"nightjar/daemon/learn/rehearsal"
	"nightjar/model"
)

// Nightly is the strategy of nights: its name, and how it is made from a model.
type Nightly struct {
	Name string
	New  func(ctx context.Context, b *model.Bundle) (strategy.Strategy, error) // nil means strategy.New
}

// rehearse lets the strategy of nights crawl the session with parts of it held back. See Rehearsed.
func (t *Trainer) rehearse(ctx context.Context, done *learned, progress func(model.Progress)) (*model.Rehearsal, error) {
	nightly, err := t.nightly(ctx, done)
	var found *model.Rehearsal
	if err == nil {
		in := rehearsal.Input{
			Set: done.in.set, Settings: done.bundle.Settings, Strategy: nightly.Name, New: nightly.New, Prepare: t.prepare(done.in, nightly.Name),
		}
		found, err = rehearsal.Run(ctx, in, func(d, total int) {
			progress(model.Progress{Stage: model.StageRehearse, Done: d, Total: total})
		})
	}
	return Rehearsed(ctx, nightly.Name, found, err, t.Log.With("topic", done.topic))
}

// Rehearsed is the result of a rehearsal that may have failed. A failure is no reason to have no report: the result then says
// that there was no test, and the log says why. Its error is ctx.Err().
func Rehearsed(ctx context.Context, strategy string, found *model.Rehearsal, err error, log *slog.Logger) (*model.Rehearsal, error) {
	switch {
	case err == nil:
		return found, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	log.Warn("the strategy of nights was not tested", "strategy", strategy, "error", err)
	return &model.Rehearsal{Strategy: strategy, Why: "the test failed, and the log says why"}, nil
}

// Reported returns a model with a report. A report that fails its own check costs the report, never the model: in its place
// comes one that measures nothing and tells the person so.
func Reported(b *model.Bundle, r *model.Report, log *slog.Logger) (*model.Bundle, error) {
	with, err := b.WithReport(r)
	if err == nil {
		return with, nil
	}
	log.Warn("the report on the model is wrong and was left out", "error", err)
	return b.WithReport(model.Unmeasured("the results of the tests contradict each other"))
}

// nightly returns the strategy that a night would use with a model.
func (t *Trainer) nightly(ctx context.Context, done *learned) (Nightly, error) {
	if t.Nightly != nil {
		return t.Nightly(ctx, done.topic, done.bundle)
	}
	chosen, err := t.Store.Settings(ctx)
	if err != nil {
		return Nightly{Name: strategy.Best}, err
	}
	name := strategy.Choose(chosen.Strategy)
	if strategy.Lacks(name, done.bundle) != "" {
		name = strategy.Best
	}
	return Nightly{Name: name}, nil
}

// prepare returns a function that adds to a model what a strategy needs besides, without what pages held back teach. It is nil when the
// strategy needs nothing.
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
