package scheduler

import (
	"cmp"
	"context"
	"errors"

	"nightjar/crawler/strategy"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/store"
	"nightjar/model"
)

// chooser says by which strategy a topic is crawled next, and previews that crawl.
type chooser struct {
	st *store.Store
	o  *Options
}

// strategyFor returns the strategy that the person chose or, when the model or the person lacks what it needs, the best of
// those that need nothing: a night without crawls would help nobody. thematic gets the name of its ontology.
func (c chooser) strategyFor(ctx context.Context, m *models.Model, chosen string) string {
	name := strategy.Choose(chosen)
	if strategy.Needs(name) == strategy.Nothing {
		return name
	}
	b, err := m.Bundle()
	if err != nil {
		return name // a model that cannot be read ends the crawl, which says why
	}
	name, reason := c.o.strategyWith(ctx, b, chosen)
	if reason != "" {
		c.o.Log.Warn("what the strategy needs is not there, so another one crawls", "topic", m.TopicID, "chosen", chosen, "used", name, "reason", reason)
	}
	return name
}

// strategyWith is strategyFor a model that was read. reason says why it is not the chosen one, "" when it is.
func (o *Options) strategyWith(ctx context.Context, b *model.Bundle, chosen string) (name, reason string) {
	name, err := o.able(ctx, b, chosen)
	if err != nil {
		return strategy.Best, err.Error()
	}
	return name, ""
}

// able returns the name under which a crawl keeps a strategy: that of thematic names its ontology, so that another one that
// is added later does not matter. The error says what is lacking for it.
func (o *Options) able(ctx context.Context, b *model.Bundle, chosen string) (string, error) {
	name := strategy.Choose(chosen)
	if strategy.Needs(name) == strategy.Ontology {
		themes, err := o.themes(ctx, name)
		if err != nil {
			return "", err
		}
		return strategy.ThematicName(themes.Name()), nil
	}
	if lacks := strategy.Lacks(name, b); lacks != "" {
		return "", errors.New(lacks)
	}
	return name, nil
}

// Nightly returns what chooses the strategy that a night would use with a model of a topic: that of the topic, otherwise that of the
// settings. Of the options, it uses Themes and Strategy.
func Nightly(st *store.Store, o Options) func(ctx context.Context, topicID int64, b *model.Bundle) (trainer.Nightly, error) {
	if o.Strategy == nil {
		o.Strategy = o.newStrategy
	}
	return func(ctx context.Context, topicID int64, b *model.Bundle) (trainer.Nightly, error) {
		none := trainer.Nightly{Name: strategy.Best}
		chosen, err := st.Settings(ctx)
		if err != nil {
			return none, err
		}
		topic, err := StrategyOf(ctx, st.DB, topicID)
		if err != nil {
			return none, err
		}
		name, _ := o.strategyWith(ctx, b, cmp.Or(topic.Strategy, chosen.Strategy))
		return trainer.Nightly{Name: name, New: func(ctx context.Context, b *model.Bundle) (strategy.Strategy, error) {
			return o.Strategy(ctx, name, b)
		}}, nil
	}
}

// planned returns the strategy of a plan, or the one that the settings choose when the plan has none. The error says what is
// lacking for the plan's.
func (c chooser) planned(ctx context.Context, m *models.Model, plan, chosen string) (string, error) {
	if plan == "" {
		return c.strategyFor(ctx, m, chosen), nil
	}
	b, err := m.Bundle()
	if err != nil {
		return "", err
	}
	return c.o.able(ctx, b, plan)
}

// themes returns the ontology of a strategy, nil for one that needs none.
func (o *Options) themes(ctx context.Context, name string) (*strategy.Themes, error) {
	if strategy.Needs(name) != strategy.Ontology {
		return nil, nil
	}
	if o.Themes == nil {
		return nil, strategy.ErrNoOntology
	}
	return o.Themes(ctx, strategy.OntologyOf(name))
}

// newStrategy makes a strategy, with its ontology if it needs one.
func (o *Options) newStrategy(ctx context.Context, name string, b *model.Bundle) (strategy.Strategy, error) {
	themes, err := o.themes(ctx, name)
	if err != nil {
		return nil, unread{err}
	}
	return strategy.NewWith(ctx, name, b, themes)
}

// unread says why an ontology is missing: it was deleted, or could not be read.
type unread struct{ error }

func (e unread) Unwrap() error { return e.error }

// mayRead reports whether an error that made no strategy may be gone at the next try: an ontology could not be read, yet it is
// not said to be gone.
func mayRead(err error) bool {
	_, reading := errors.AsType[unread](err)
	_, gone := errors.AsType[*strategy.NoOntology](err)
	return reading && !gone
}
