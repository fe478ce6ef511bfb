package trainer

import (
	"context"
	"path/filepath"

	"nightjar/crawler/feature"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/model"
	"nightjar/model/ways"
)

// Walked is where the ways of a topic come from.
type Walked struct {
	Sessions []*session.Session
	Finds    []trainingdata.MarkedFind
	Names    map[string]string // milestones by canonical URL; nil: those of the sessions
	Sets     feature.Sets
	Hidden   map[string]bool // pages by URL that count as never visited; may be nil
}

// LearnWays returns a model with what its topic's ways teach or, when they cannot be learned from, with the reason. That is
// no error: other strategies need no ways. progress may be nil.
func LearnWays(ctx context.Context, b *model.Bundle, from Walked, progress func(model.Progress)) (*model.Bundle, error) {
	if progress == nil {
		progress = func(model.Progress) {}
	}
	progress(model.Progress{Stage: model.StageWays, Total: 1})
	if from.Names == nil {
		from.Names = session.Named(from.Sessions)
	}
	paths, err := unlessDone(ctx, func() ([]ways.Path, error) {
		return pathsWithout(ctx, from.Hidden, from.Sessions, from.Finds, from.Names, from.Sets, b.Settings.States)
	})
	if err != nil {
		return nil, err
	}
	o := ways.Options{
		States: b.Settings.States, Site: weburl.Site, HeadingSets: from.Sets.String(), Seed: b.Settings.Seed,
	}
	for _, name := range from.Names {
		o.Names = append(o.Names, name)
	}
	w, err := ways.Learn(ctx, paths, o, func(done, total int) {
		progress(model.Progress{Stage: model.StageWays, Done: done, Total: total})
	})
	switch {
	case ways.Unlearnable(err):
		return b.WithWays(nil, err.Error()), nil
	case err != nil:
		return nil, err
	}
	return b.WithWays(w, ""), nil
}

// learnWays learns the ways of a topic, without those that pass hidden pages. If the file of heading sets cannot be read, the
// model says so, and has no ways.
func (t *Trainer) learnWays(ctx context.Context, b *model.Bundle, in *input, hidden map[string]bool, progress func(model.Progress)) (*model.Bundle, error) {
	sets, err := HeadingSets(filepath.Dir(t.Store.Path()))
	if err != nil {
		return b.WithWays(nil, err.Error()), nil
	}
	return LearnWays(ctx, b, Walked{
		Sessions: in.recs, Finds: in.marked, Names: in.milestones, Sets: sets, Hidden: hidden,
	}, progress)
}
