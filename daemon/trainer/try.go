package trainer

import (
	"context"
	"fmt"

	"nightjar/crawler/strategy"
	"nightjar/model"
)

// Try trains a topic on what is stored now and returns the model. It neither stores nor assesses the model, and no status
// tells of it. The model is the one that a training before the next crawl would make, but it learns from ways, and has a
// classifier of pages, only if the strategy that the person chose needs them. Try waits until no other training runs. Its errors are those of Train.
func (t *Trainer) Try(ctx context.Context, topicID int64) (*model.Bundle, error) {
	b, err := t.try(ctx, topicID)
	if err != nil {
		return nil, fmt.Errorf("try what topic %d learns: %w", topicID, err)
	}
	return b, nil
}

func (t *Trainer) try(ctx context.Context, topicID int64) (*model.Bundle, error) {
	topic, err := t.store.TopicByID(ctx, topicID)
	if err != nil {
		return nil, err
	}
	select {
	case t.slot <- struct{}{}:
		defer func() { <-t.slot }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	settings, err := t.settings(ctx)
	if err != nil {
		return nil, err
	}
	in, err := unlessDone(ctx, func() (*input, error) { return t.read(ctx, topic, settings.Seed) })
	if err != nil {
		return nil, err
	}
	quiet := func(model.Progress) {}
	training, err := model.Learn(ctx, in.set, settings, quiet)
	if err != nil {
		return nil, in.lacking(err)
	}
	chosen, err := t.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	switch strategy.Needs(chosen.Strategy) {
	case strategy.Ways:
		return t.learnWays(ctx, training.Bundle(), in, nil, quiet)
	case strategy.Bayes, strategy.Gaussian:
		return learnBayes(ctx, training.Bundle(), in, nil, quiet)
	}
	return training.Bundle(), nil
}
