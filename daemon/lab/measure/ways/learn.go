package ways

import (
	"context"
	"fmt"

	"nightjar/crawler/feature"
	"nightjar/crawler/weburl"
	"nightjar/daemon/session"
	"nightjar/daemon/trainer"
	"nightjar/model"
	"nightjar/model/ways"
)

// Paths that are learned from and labelled on WebKB: as many as the thesis had on average for one of its sites.
const (
	learnPositive, learnNegative = 78, 44
	testPositive, testNegative   = 43, 25
)

// learned is what was learned for one task and seed.
type learned struct {
	bundle *model.Bundle
	known  map[string]bool // pages of the sessions
	learn  []ways.Path     // what the fields learned from
	test   []ways.Path     // to be labelled; none for games

	hops, milestones                         *ways.Ways // milestones is nil where nobody named pages
	regressionOfHops, regressionOfMilestones *ways.Ways
}

// prepare draws the sessions of a task and learns from them.
func (t *task) prepare(ctx context.Context, o *options, seed uint64) (*learned, error) {
	learnFrom, test, err := t.sessions(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("task %s: %w", t.Name, err)
	}
	settings := model.DefaultSettings()
	settings.Seed = seed
	set := trainer.Set(t.Name, learnFrom, nil)
	l := &learned{known: map[string]bool{}}
	if l.bundle, err = model.Train(ctx, set, settings, nil); err != nil {
		return nil, fmt.Errorf("task %s: %w", t.Name, err)
	}
	for _, s := range learnFrom {
		for _, v := range s.Visits {
			l.known[v.URL] = true
		}
	}
	for _, p := range set.Pages {
		l.known[p.URL] = true
	}
	if l.learn, err = paths(ctx, learnFrom, settings.States); err != nil {
		return nil, err
	}
	if t.Group == "WebKB" {
		l.learn = sample(l.learn, learnPositive, learnNegative)
		if l.test, err = paths(ctx, test, settings.States); err != nil {
			return nil, err
		}
		l.test = sample(l.test, testPositive, testNegative)
	}
	return l, l.learnWays(ctx, ways.Options{States: settings.States, Site: weburl.Site, HeadingSets: feature.DefaultSets().String(), C2: o.C2, Gamma: o.Gamma}, t.Group == "WebKB")
}

// learnWays learns the fields that the contenders go by.
func (l *learned) learnWays(ctx context.Context, o ways.Options, named bool) (err error) {
	learn := func(labelling ways.Labelling) (whole, alone *ways.Ways, err error) {
		o.Labelling = labelling
		whole, err = ways.Learn(ctx, l.learn, o, nil)
		if err != nil {
			return nil, nil, fmt.Errorf("learn ways with %s: %w", labelling, err)
		}
		alone, err = regression(ctx, whole, l.learn, o.States)
		return whole, alone, err
	}
	if l.hops, l.regressionOfHops, err = learn(ways.Hops); err != nil || !named {
		return err
	}
	l.milestones, l.regressionOfMilestones, err = learn(ways.Milestones)
	return err
}

// paths are the ways of sessions.
func paths(ctx context.Context, recs []*session.Session, states int) ([]ways.Path, error) {
	return trainer.Paths(ctx, recs, nil, nil, feature.DefaultSets(), states)
}

// sample keeps so many of the positive and of the negative paths, spread evenly over all.
func sample(all []ways.Path, positive, negative int) []ways.Path {
	var groups [2][]ways.Path
	for _, p := range all {
		if p.Positive {
			groups[0] = append(groups[0], p)
		} else {
			groups[1] = append(groups[1], p)
		}
	}
	return append(spread(groups[0], positive), spread(groups[1], negative)...)
}

// spread keeps n of a list at equal distances, all when there are no more than n.
func spread[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	kept := make([]T, n)
	for i := range kept {
		kept[i] = all[i*len(all)/n]
	}
	return kept
}
